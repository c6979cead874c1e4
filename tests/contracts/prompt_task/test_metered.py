"""A template that wants too much is refused in little time and memory; ordinary templates do not notice."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from ragstone.contracts.prompt_task.metered import MeteredEnvironment, metered
from ragstone.contracts.prompt_task.prompts import Prompt
from ragstone.contracts.prompt_task.taskfile import load_prompt
from ragstone.core.errors import SettingError
from tests.conftest import Cli
from tests.contracts.prompt_task.samples import write_task

EXACT = [{"type": "exact_match", "pred_field": "a", "label_field": "gt_a"}]
GROW = "{%% set ns = namespace(x='aa') %%}{%% for i in range(100) %%}{%% set ns.x = %s %%}{%% endfor %%}{{ ns.x }}"
LOOK = "{%% set b = %s %%}{%% for i in range(90000) %%}{{ %s }}{%% endfor %%}"
FOLDED = "{{ 'a'|center(9999)|replace(' ', '%s') }}" % ("b" * 1000)
"""Ten megabytes that are all constant: whoever folds it holds them before anything is rendered."""
GREEDY = [
    FOLDED * 100,
    "{{ 'a' * 10**9 }}",
    "{{ [1] * 10**9 }}",
    "{{ 10 ** (10**6) }}",
    "{{ 9999 * 10**2000 }}",
    "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
    "{% for a in range(99999) %}" + "y" * 5000 + "{% endfor %}",
    "{{ 'a'.ljust(10**9) }}",
    "{{ 'a'|center(10**9) }}",
    "{{ '%1000000000d' % 1 }}",
    "{{ '%*d' % (10**9, 1) }}",
    "{{ '{:1000000000}'.format(1) }}",
    "{{ '{:{}}'.format(1, 10**9) }}",
    "{{ (1).to_bytes(10**9, 'big') }}",
    "{{ ('\\n' * 100000)|indent(9999) }}",
    "{{ ('\\t' * 100000).expandtabs(9999) }}",
    "{{ ('a ' * 100000)|wordwrap(1, true, 'z' * 1000) }}",
    "{{ [1]|slice(10**9)|list }}",
    "{{ [[1]]|tojson(indent=10**9) }}",
    GROW % "ns.x ~ ns.x",
    GROW % "ns.x + ns.x",
    GROW % "[ns.x, ns.x]",
    GROW % "(ns.x, ns.x)",
    GROW % "{'a': ns.x, 'b': ns.x}",
    GROW % "ns.x.replace('a', 'aa')",
    GROW % "ns.x|replace('', 'bbb')",
    GROW % "ns.x.join(ns.x)",
    GROW % "[ns.x, ns.x]|join(ns.x)",
    GROW % "'%s%s' % (ns.x, ns.x)",
    GROW % "'%s%s'|format(ns.x, ns.x)",
    GROW % "'{0}{0}'.format(ns.x)",
    "{% macro f(n) %}{% if n %}{{ f(n-1) }}{{ f(n-1) }}{% endif %}{% endmacro %}{{ f(60) }}",
    "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "{{ range(10**9) }}",
    "{{ [1]|dictsort }}",
    "{{ " + "(" * 500 + "1" + ")" * 500 + " }}",
    "{{ 9**(9**9) }}",
    "{{ 'a'*3000000000 }}",
    "{{ 3000000000*'a' }}",
    "{{ 'a'*30000*30000 }}",
    "{{ (-9)**(9**9) + 1 }}",
    "{% if 9**(9**9) > 1 %}{{ a }}{% endif %}",
    "{% for i in 'a'*3000000000 %}{% endfor %}",
    "{{ '%999999999d' % 1 }}",
    "{{ '%.999999999f' % 1 }}",
    "{{ '{:>999999999}'.format(1) }}",
    "{{ '{0:>{1}}'.format(1, 999999999) }}",
    "{{ '{0:>{w}}'.format(1, w=999999999) }}",
    "{{ ('%9999d'*100000) % ((1,)*100000) }}",
    "{{ ('{0:>9999}'*100000).format(1) }}",
    "{{ 1|round(999999999, 'ceil') }}",
    "{{ 1.5|round(-999999999, 'floor') }}",
    "{{ (('f'*15000000)|int(0, 16)) // (('f'*7000000)|int(0, 16)) }}",
    "{{ (('f'*15000000)|int(0, 16)) % (('f'*7000000)|int(0, 16)) }}",
    "{{ ([[1]]*80000)|sum(start=[]) }}",
    "{{ ('a'*15000000)|wordwrap(1) }}",
    "{{ ('a@b.cc'*2000000)|urlize }}",
    "{% set b = range(90000)|list %}{% for i in range(90000) %}{% if -1 in b %}{% endif %}{% endfor %}",
    "{% set b = range(90000)|list %}{% for i in range(90000) %}{% if -1 is in b %}{% endif %}{% endfor %}",
    "{% set b = 'a'*15000000 %}{% for i in range(90000) %}{% if b == b[:-1] %}{% endif %}{% endfor %}",
    "{% set b = 'a'*15000000 %}{% for i in range(90000) %}{% set c = b[1:] %}{% endfor %}",
    "{{ 'a'|center(999999999) }}",
    "{{ 'a'|indent(999999999) }}",
    "{{ 'a'|indent('b'*3000000000) }}",
    "{{ range(999999999)|list }}",
    "{{ " + "'aaaaaaaaaa'" + "|replace('a', 'aaaaaaaaaa')" * 400 + " }}",
    "{{ (range(99999)|list) * 99999 }}",
    "{{ [1]|batch(10**9, 1)|list }}",
    "{{ range(99999)|join('a'*9999) }}",
    "{{ (['a'*9999]*9999)|join }}",
    "{{ namespace(a='a'*10**9).a }}",
    "{{ ('a '*5000000)|title }}",
    "{{ ('a '*5000000).split()|length }}",
    "{{ ('a '*5000000)|wordcount }}",
    "{{ range(99999)|map('string')|join('a'*9999) }}",
    "{{ range(99999)|map('string')|batch(3)|map('join', 'a'*9999)|join }}",
    "{{ ('%'*99999)" + "|urlencode" * 30 + " }}",
    "{{ ('\"'*99999)" + "|tojson|string" * 30 + " }}",
    "{% for a in 'a'*99999 %}{% for b in 'b'*99999 %}{% endfor %}{% endfor %}",
    "{% for i in range(99999) recursive %}{{ loop(range(99999)) }}{% endfor %}",
    "{% macro a(x) %}{{ x*2 }}{% endmacro %}{{ " + "a(" * 50 + "'a'" + ")" * 50 + " }}",
    "{% set x = 'a' %}" + "{% set x = x ~ x %}" * 60 + "{{ x }}",
    "{% set x = 9 %}" + "{% set x = x * x %}" * 40 + "{{ x }}",
    "{% set ns = namespace(x=[]) %}{% for i in range(50000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x|tojson }}",
    *(LOOK % ("range(90000)|list", look) for look in ("b.count(-1)", "b.index(89999)", "b|max", "b|last", "b == b")),
    *(LOOK % ("'a'*15000000", look) for look in ("b.count('b')", "b.isalpha()", "b.find('b')", "b.startswith(b)")),
    *(LOOK % ("'a'*15000000", look) for look in ("b.rfind('b')", "b.upper()|length", "b|int", "'b' in b", "b < b")),
]
ORDINARY = [
    "{{ a }} and {{ b }}",
    "{% for i in rows %}{{ loop.index }}/{{ loop.length }} {{ i.title }}{% endfor %}",
    "{% for i in rows %}{{ i.n }}{% if not loop.last %}, {% endif %}{% endfor %}",
    "{% for i in [] %}{% else %}none{% endfor %}",
    "{{ {'a': 1}|tojson }} {{ (1, 2)|length }} {{ 'a' ~ 1 ~ b }} {{ 5 * 3 }}",
    "{{ '%s' % 'x' }} {{ 'a,b'.split(',')[0] }}",
    "{% set p, q = 1, 2 %}{{ p }}{{ q }}{% for k, v in rows[0].items() %}{{ k }}{{ v }}{% endfor %}{{ [1, 2, 3][:2] }}",
    "{{ none|default(50000) }}{{ [1, 99999]|max }}{{ 'abc'|truncate(20000) }}",
    "{{ 1.55|round(1) }}{{ rows|map(attribute='n')|sum }}",
    "{% filter upper %}abc{% endfilter %}{% set y %}block{% endset %}{{ y }}",
    "{{ 'x' is string }}{{ rows|tojson(indent=2) }}",
    "{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m(123456) }}",
    "{{ a.replace('文', '字').upper() }}{{ rows|selectattr('n')|list|length }}",
    "{{ '{}-{}'.format(a, b) }}{{ 'q'.center(9) }}{{ rows|groupby('n')|length }}{{ rows|sort(attribute='n')|first }}",
]
ROW = {"a": "文一", "b": "two", "rows": [{"title": "t", "n": 2}, {"title": "u", "n": 1}], "none": None}


@pytest.mark.parametrize("template", ORDINARY)
def test_ordinary_templates_come_out_as_ever(template: str) -> None:
    """The meter changes nothing but the bill."""
    plain = ImmutableSandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
    plain.policies["json.dumps_kwargs"] = {"ensure_ascii": False}

    found = metered(lambda: MeteredEnvironment().from_string(template).render(ROW))

    assert found == plain.from_string(template).render(ROW)


def _prompt(text: str) -> Prompt:
    path = Path("greedy.yaml")
    path.write_text(yaml.safe_dump({"version": "v", "user": text}), encoding="utf-8")
    return Prompt(load_prompt(str(path)))


CHILD = """
import json, resource, sys
from pathlib import Path
import yaml
from ragstone.contracts.prompt_task.prompts import Prompt
from ragstone.contracts.prompt_task.taskfile import load_prompt
from ragstone.core.errors import SettingError
resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
for template in json.load(sys.stdin):
    Path("greedy.yaml").write_text(yaml.safe_dump({"version": "v", "user": template}), encoding="utf-8")
    print("began", template[:80], file=sys.stderr, flush=True)
    try:
        made = f"made {len(str(Prompt(load_prompt('greedy.yaml')).render({'a': 1})))}"
    except SettingError as error:
        made = "" if "greedy.yaml" in str(error) and "MemoryError" not in str(error) else str(error)
    if made:
        print(template[:80], made)
print(resource.getrusage(resource.RUSAGE_SELF).ru_utime)
"""


@pytest.mark.parametrize("templates", [GREEDY[::6], pytest.param(GREEDY, marks=pytest.mark.long)], ids=["some", "all"])
def test_greedy_templates_take_little_time_and_memory(templates: list[str]) -> None:
    """Each is an error that names the file, in a process that may not use more than a few hundred megabytes."""
    words, given = [sys.executable, "-c", CHILD], json.dumps(templates)
    done = subprocess.run(words, input=given, capture_output=True, encoding="utf-8", timeout=100, check=False)

    assert len(done.stdout.splitlines()) == 1, done.stdout + done.stderr[-500:]
    assert float(done.stdout) < 30


@pytest.mark.parametrize("template", ["{{ 9**(9**9) }}{{ text }}", "{{ 'a'*3000000000 }}{{ text }}"])
def test_check_names_the_prompt(process: Cli, template: str) -> None:
    """`ragstone check` looks at a prompt that wants too much, and ends."""
    write_task(prompt={"version": "p.v1", "user": template}, metrics=EXACT)
    Path("rows.jsonl").write_text('{"sample_id": "S1", "text": "t", "gt_a": "x"}\n', encoding="utf-8")

    done = process("check", "rows.jsonl", "--contract", "prompt_task", "-o", "task=mine")

    assert done.returncode == 2
    assert "TooMuchError" in done.stdout + done.stderr


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ self.__init__.__globals__ }}",
        "{{ cycler.__init__.__globals__.os.popen('id') }}",
        "{{ a.__class__.__base__.__subclasses__() }}",
        "{% include '/etc/passwd' %}",
        "{% import 'os' as os %}",
        "{{ ''|attr('__class__') }}",
        "{{ ('%c' % 95 * 2 ~ 'class') and ''['__cla' ~ 'ss__'] }}",
    ],
)
def test_a_template_cannot_run_code(template: str) -> None:
    """Neither Python's insides nor files are within reach."""
    with pytest.raises(SettingError):
        _prompt(template).render({"a": "x"})
