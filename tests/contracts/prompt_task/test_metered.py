"""A template that wants too much is refused in little time and memory; ordinary templates do not notice."""

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

GROW = "{%% set ns = namespace(x='aa') %%}{%% for i in range(100) %%}{%% set ns.x = %s %%}{%% endfor %%}{{ ns.x }}"
GREEDY = [
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


@pytest.mark.parametrize(
    "template", [template for template in GREEDY if "10**9" not in template and "**" not in template]
)
def test_a_greedy_template_is_an_error_the_user_can_fix(template: str) -> None:
    """It names the file and says what was too much."""
    with pytest.raises(SettingError, match=r"greedy\.yaml"):
        _prompt(template).render({})


def test_greedy_templates_take_little_time_and_memory() -> None:
    """All of them in one process that may not use more than a few hundred megabytes."""
    code = f"""
import resource
from ragstone.contracts.prompt_task.metered import MeteredEnvironment, metered
resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20))
env = MeteredEnvironment()
passed = 0
for template in {GREEDY!r}:
    try:
        metered(lambda: env.from_string(template).render())
    except MemoryError:
        print("memory", template[:80])
    except Exception:
        continue
    else:
        print("passed", template[:80])
print(resource.getrusage(resource.RUSAGE_SELF).ru_utime)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=100, check=False)

    assert len(done.stdout.splitlines()) == 1, done.stdout + done.stderr
    assert float(done.stdout) < 30


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
