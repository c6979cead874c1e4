"""Write the bill of materials of a release: what is installed with Ragstone, as CycloneDX JSON.

python scripts/make_sbom.py [--output sbom.cdx.json]

It reads what is installed here, so make it in an environment of the pinned versions. Equal environments give equal
bytes: no clock, no chance, everything sorted.
"""

import argparse
import csv
import hashlib
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterable, Iterator
from email.message import Message
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, cast

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OPTIONAL: dict[str, list[str]] = PROJECT["project"].get("optional-dependencies", {})
_OWN_FILES = ("INSTALLER", "REQUESTED", "RECORD", "direct_url.json", "uv_cache.json", "uv_build.json")
"""Files an installer adds; they differ from machine to machine."""
_SPOKEN = {
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
}
_ONE = r"[A-Za-z]+(?:-[A-Za-z0-9.]+)+|MIT|ISC|Zlib"
_SPDX = re.compile(rf"(?:{_ONE})(?: (?:AND|OR) (?:{_ONE}))*")
"""Names SPDX knows, joined; anything else is only a name."""
Component = dict[str, Any]


def main() -> None:
    """Write the bill of materials."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", "-o", default="-")
    target = parser.parse_args().output
    content = json.dumps(bill(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    if target == "-":
        sys.stdout.write(content)
    else:
        Path(target).write_text(content, encoding="utf-8")


def bill() -> dict[str, Any]:
    """Make the whole document."""
    needed = tree(PROJECT["project"]["dependencies"])
    extra = {name: found for name, found in tree(_extras()).items() if name not in needed}
    components = [component(name, "required") for name in needed] + [component(name, "optional") for name in extra]
    components.sort(key=lambda one: str(one["bom-ref"]))
    graph = [{"ref": _ref(name), "dependsOn": [_ref(one) for one in below]} for name, below in (needed | extra).items()]
    own = {"ref": _root()["bom-ref"], "dependsOn": sorted(_ref(name) for name in _names(direct()))}
    body: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _root()},
        "components": components,
        "dependencies": sorted([*graph, own], key=lambda one: str(one["ref"])),
    }
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(body, sort_keys=True))
    return {**body, "serialNumber": f"urn:uuid:{number}"}


def direct() -> list[str]:
    """List the requirements the project names itself, extras included."""
    return [*PROJECT["project"]["dependencies"], *_extras()]


def _extras() -> list[str]:
    return [one for name in sorted(OPTIONAL) for one in OPTIONAL[name]]


def _names(requirements: Iterable[str]) -> Iterator[str]:
    """Yield the packages requirements name, where they apply to this machine."""
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield canonicalize_name(requirement.name)


def tree(requirements: Iterable[str]) -> dict[str, list[str]]:
    """Follow requirements to the end: every package with those it needs, by name."""
    found: dict[str, list[str]] = {}
    waiting = list(_names(requirements))
    while waiting:
        name = waiting.pop()
        if name not in found:
            installed = installed_as(name)
            found[name] = sorted(set(_names(installed.requires or ()))) if installed else []
            waiting += found[name]
    return dict(sorted(found.items()))


def installed_as(name: str) -> Distribution | None:
    """Return what is installed under a name."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def pinned(name: str) -> str | None:
    """Return the version the project pins."""
    for text in PROJECT["tool"]["uv"]["constraint-dependencies"]:
        requirement = Requirement(text)
        if canonicalize_name(requirement.name) == name:
            return next(iter(requirement.specifier)).version
    return None


def component(name: str, scope: str) -> Component:
    """Describe one package: version, licence, and a hash of what it installed."""
    made: Component = {"type": "library", "name": name, "bom-ref": _ref(name), "purl": _ref(name), "scope": scope}
    installed = installed_as(name)
    made["version"] = version_of(name)
    if installed is None:
        return made
    if licence := licence_of(installed):
        made["licenses"] = [{"expression": licence} if _SPDX.fullmatch(licence) else {"license": {"name": licence}}]
    if digest := record_sha256(installed):
        made["properties"] = [{"name": "ragstone:installed-files:sha256", "value": digest}]
    return made


def version_of(name: str) -> str:
    """Return the version that is installed, or the one that would be."""
    installed = installed_as(name)
    return installed.version if installed else pinned(name) or "unknown"


def licence_of(installed: Distribution) -> str:
    """Return a package's licence as it states it itself, by its SPDX name."""
    metadata = cast("Message", installed.metadata)
    stated = metadata.get("License-Expression")
    if stated:
        return stated
    classes = [
        one.rpartition(" :: ")[2] for one in metadata.get_all("Classifier") or () if one.startswith("License ::")
    ]
    names = [_SPOKEN[one] for one in classes if one in _SPOKEN]
    plain = (metadata.get("License") or "").strip()
    if not names and re.fullmatch(r"[A-Za-z0-9.+ -]{2,40}", plain):
        names = [_SPOKEN.get(plain, plain)]
    return " OR ".join(sorted(set(names)))


def record_sha256(installed: Distribution) -> str:
    """Hash the names and hashes of the files a package installed, without those an installer adds."""
    text = installed.read_text("RECORD")
    if not text:
        return ""
    rows = [row[:2] for row in csv.reader(text.splitlines()) if row and _belongs(row[0])]
    return hashlib.sha256(json.dumps(sorted(rows)).encode()).hexdigest()


def _belongs(path: str) -> bool:
    # Scripts carry the path of the Python they were made for.
    return not path.endswith((".pyc", *_OWN_FILES)) and not path.startswith("..")


def _ref(name: str) -> str:
    return f"pkg:pypi/{name}@{version_of(name)}"


def _root() -> Component:
    project = PROJECT["project"]
    ref = f"pkg:pypi/{project['name']}@{project['version']}"
    return {
        "type": "application",
        "name": project["name"],
        "version": project["version"],
        "bom-ref": ref,
        "purl": ref,
        "licenses": [{"expression": project["license"]}],
    }


if __name__ == "__main__":
    main()
