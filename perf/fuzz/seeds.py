"""What fuzzing starts from: a small, sound input of each kind, and the inputs known to hurt readers like ours."""

import json
from collections.abc import Iterator, Mapping

_KEY_POINT = {"q": "支持哪些数据库？", "gold": ["支持 ChromaDB"], "doc_hint": ["a.md"]}
_TASK = b"""name: t
prompt_template: stock_score
parse_schema:
  - {field: score, type: float, lo: 0, hi: 100}
metrics:
  - {type: numeric_error, name: score, pred_field: score, label_field: gt_score, tolerance: 5}
"""
_REGISTRY = {"active": "a", "models": {"a": {"model": "m", "base_url": "http://127.0.0.1/v1", "api_key": "${K:-x}"}}}
_COMPLETION = {"choices": [{"message": {"content": "42000元"}, "finish_reason": "stop"}], "usage": {"total_tokens": 3}}
_TEXTS = (
    "赔偿四万二千元（42,000元），2020年8月30日，见《规则》第3页。[1] guide.md, p. 5",
    "抱歉，材料中没有提到，无法回答。I cannot answer; call 13800138000.",
    '```json\n{"score": 61.5, "items": ["a", "b"], "why": "x"}\n```',
    "<think>hm</think> {'a': 1, b: [1,2,]} and {\"a\": 2}",
    "民國109年8月上旬至二〇二一年，约3.5亿美元，增长12%~15%。",
)


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


_SOUND: Mapping[str, tuple[bytes, ...]] = {
    "dataset_": (
        _json(_KEY_POINT),
        _json({"benchmark_type": "fact_exact", "questions": [{"id": "1", "question": "q", "expected": {"amount": 1}}]}),
        _json([{"id": "1", "question": "q", "expected": {"main_topic": "x"}}]),
        b'a,b,gt_c\n1,"[1,2]",x\n',
        b"a;b\n=1+1;{}\n",
    ),
    "task_": (_TASK,),
    "prompt_yaml": (b"version: v\nsystem: s\nuser: '{{ a }} {% for x in b %}{{ x }}{% endfor %}'\n",),
    "prompt_template": (b"{{ a }}{% for x in b %}{{ x|upper }}{% endfor %}", b"{% set x = 'a' * 5 %}{{ x ~ x }}"),
    "workflow": (b"name: w\nsteps:\n  - {name: a, task: t}\n  - {name: b, task: t, input_from: a}\n",),
    "settings": (b'concurrency = 8\n[systems.a]\nsystem = "chat:m"\n',),
    "registry": (_json(_REGISTRY), b"active: a\nmodels: {a: &x {model: m}, b: *x}\n"),
    "service": (b'url: http://127.0.0.1/ask\nbody: {q: "{{question}}"}\nanswer: data.answer\n',),
    "gate": (b"rules: [accuracy >= 0.8]\n", b"drop(primary_score) <= 0.02"),
    "env": (b"export A=1\nB='x y' # c\n${A:-b}\n",),
    "recorded": (b'{"id": "Q1", "output": {"answer": "x"}, "usage": {"total_tokens": 1}, "contexts": ["a"]}\n',),
    "returned": (b'{"answer": "x", "citations": [{"file": "a", "page": "3"}], "error": {"kind": "k"}}',),
    "chat_": (_json(_COMPLETION),),
    "http_": (
        b'{"data": {"answer": "x"}, "docs": [{"name": "a", "page": 1, "score": 0.5}], "usage": {"prompt_tokens": 1}}',
        b'data: {"answer": "x"}\n\ndata: [DONE]\n\n',
        b'{"answer": "x"}\n{"answer": "xy"}\n',
        b'{"error": {"message": "no", "code": "x"}}',
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    ),
    "address": (b"https://me:pw@host:8/v1?api_key=abc&mode=mix#x", b"http://[::1%25eth0]:1/"),
    "mapping": (b'data[*].answer["odd.key"][-1]',),
    "upload": (b"a.jsonl\n" + _json(_KEY_POINT), b"../../x.json\n{}"),
    "document": (
        b"# a\n\n<!-- page 2 -->\nb\n",
        b"PK\x03\x04",
        b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>",
    ),
}


def hostile(size: int = 4000) -> dict[str, bytes]:
    """Return the shapes that make readers hang, recurse or swell, each about `size` bytes."""
    half = size // 2
    laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
    )
    return {
        "open_brackets": b"[" * size,
        "open_braces": b'{"a":' * (size // 5),
        "nested": b"[" * half + b"]" * half,
        "nested_objects": b'{"a":' * (size // 6) + b"1" + b"}" * (size // 6),
        "digits": b"9" * size,
        "huge_integer": b'{"id": "Q1", "output": ' + b"9" * size + b"}",
        "exponent": b'{"id": "Q1", "output": 1e999999999, "question": 1e-999999999}',
        "billion_laughs": laughs.encode(),
        "self_alias": b"a: &a [*a]\nmodels: &m {x: *m}\n",
        "merge_keys": b"a: &a {x: 1}\n" + b"".join(b"b%d: {<<: *a}\n" % n for n in range(size // 16)),
        "surrogates": b'{"id": "Q1", "output": "\\ud800\\udc00\\ud800 \\udfff"}' + b"\xed\xa0\x80" * 20,
        "nul": b'{"id": "Q1\\u0000", "output": "a\\u0000b"}\x00\x00\n' * 3,
        "bad_utf8": b"\xff\xfe\xfa\x80" * (size // 4),
        "spaces": b" " * size,
        "newlines": b"\n" * size,
        "quotes": b'"' * size,
        "backslashes": b"\\" * size,
        "stars": b"*" * size,
        "fences": b"```" * (size // 3),
        "think": b"<think>" * (size // 7),
        "dots": b"a." * half,
        "commas": b"1," * half,
        "dashes": b"- " * half,
        "questions": b"? " * half,
        "hanzi_numbers": ("一万" * (size // 6)).encode(),
        "dates": ("2020年8月" * (size // 12)).encode(),
        "brackets_mixed": b"([{<" * (size // 4),
        "quoted_hanzi": ("「《“" * (size // 9)).encode(),
        "negations": ("不是没有" * (size // 12)).encode(),
        "places": b"{{a}}" * (size // 5),
        "dollars": b"${A:-" * (size // 5),
        "pages": ("第1页" * (size // 7)).encode(),
        "urls": b"http://a.b/c_d.md " * (size // 18),
        "sse": b"data: {}\n" * (size // 9),
    }


def of(name: str) -> Iterator[bytes]:
    """Yield what one target starts from."""
    for start, found in _SOUND.items():
        if name.startswith(start):
            yield from found
    yield from (text.encode() for text in _TEXTS)
    yield from hostile(1000).values()
