// The start page: choose or drop a dataset, see what check found, choose whom to ask, press the button.

import { call, element, post, tell, word } from "./page.js";
import { bring, setsReady } from "./sets.js";
import { asked, systemsReady } from "./systems.js";

const form = document.getElementById("start");
const check = document.getElementById("check");
const problem = document.getElementById("problem");
const go = document.getElementById("go");
const missing = document.getElementById("missing");
const drop = document.getElementById("drop");
let looked = 0;
// Whether the dataset that is chosen has errors, read as it is to be read.
let faulty = false;

function finding(one) {
  const where = one.line ? word("check.line", { line: one.line }) : (one.pointer ?? "");
  return element(
    "li",
    { class: one.level },
    element("span", { class: "level" }, word(`level.${one.level}`)),
    where ? element("span", { class: "where" }, where) : null,
    one.case ? element("code", {}, one.case) : null,
    element("span", {}, one.text),
  );
}

function show(found) {
  const counts = { cases: found.cases, errors: found.errors, warnings: found.warnings };
  const fine = !found.errors && !found.warnings;
  const head = found.problem && !found.cases ? found.problem : word(fine ? "check.fine" : "check.found", counts);
  const more = [];
  if (found.contract) more.push(word("check.contract", { contract: found.contract }));
  if (found.distinct && found.distinct !== found.cases) more.push(word("check.distinct", { distinct: found.distinct }));
  const parts = [
    element(
      "p",
      { class: `verdict ${found.errors ? "error" : found.warnings ? "warning" : "fine"}` },
      element("b", {}, head),
      more.length ? element("span", {}, ` · ${more.join(" · ")}`) : null,
    ),
  ];
  faulty = Boolean(found.errors);
  document.getElementById("documents").textContent = found.documents ? word("start.documents.there", { n: found.documents }) : "";
  ready();
  if (found.dataset === null) parts.push(element("p", { class: "hint" }, word("check.not_kept")));
  if (found.findings.length) {
    const list = element("ul", { class: "findings" }, ...found.findings.slice(0, 50).map(finding));
    const rest = found.findings.length - 50 + found.more;
    if (rest > 0) list.append(element("li", {}, word("check.more", { n: rest })));
    parts.push(list);
  }
  check.replaceChildren(...parts);
}

// Another file was chosen: what was found of the one before is not told any more.
function looking() {
  looked += 1;
  return looked;
}

async function look() {
  const chosen = form.elements.dataset?.value;
  if (!chosen) return;
  const mine = ++looked;
  faulty = false;
  check.replaceChildren(element("p", { class: "hint" }, word("start.checking")));
  const query = new URLSearchParams({ dataset: chosen });
  if (form.elements.contract.value) query.set("contract", form.elements.contract.value);
  const { ok, body } = await call(`/api/v1/check?${query}`);
  if (mine !== looked) return;
  if (ok) show(body);
  else check.replaceChildren(element("p", { class: "problem" }, body.error?.message ?? ""));
}

function system() {
  const chosen = form.querySelector('input[name="dataset"]:checked');
  for (const input of form.querySelectorAll('input[name="system"][data-kind="builtin"]')) {
    const possible = Boolean(chosen?.dataset.documents);
    input.disabled = !possible;
    const hint = input.parentElement.querySelector("[data-hint]");
    hint.textContent = possible ? hint.dataset.hint : hint.dataset.none;
    // Nothing takes its place unasked, least of all a dry run.
    if (!possible) input.checked = false;
  }
  const kind = form.querySelector('input[name="system"]:checked')?.dataset.kind;
  matching(kind === "recorded" ? form.querySelector('input[name="system"]:checked').value : "", chosen?.value);
  document.getElementById("endpoint").hidden = kind !== "endpoint";
  form.elements.url.required = kind === "endpoint";
  for (const field of form.querySelectorAll("[data-for]")) field.hidden = field.dataset.for !== form.elements.kind.value;
  document.getElementById("add").hidden = !chosen?.dataset.own;
  document.getElementById("bring").hidden = !chosen;
  if (chosen) document.getElementById("rows").href = `/eval/dataset?${new URLSearchParams({ name: chosen.value })}`;
  ready();
}

const matched = document.getElementById("matched");
let compared = "";

// Answers whose ids are those of another dataset would all count as missing.
async function matching(name, dataset) {
  const query = name && dataset ? new URLSearchParams({ system: name, dataset }).toString() : "";
  if (query === compared) return;
  compared = query;
  matched.textContent = "";
  if (!query) return;
  const { ok, body } = await call(`/api/v1/answers/match?${query}`);
  if (ok && query === compared) matched.textContent = word("start.matched", { n: body.found, of: body.of });
}

function ready() {
  const lacking = ["dataset", "system"].find((name) => !form.querySelector(`input[name="${name}"]:checked`));
  missing.textContent = lacking ? word(`start.no_${lacking}`) : faulty ? word("start.faulty") : "";
  go.disabled = Boolean(lacking) || faulty;
}

function number(name) {
  const value = form.elements[name].value;
  return value ? Number(value) : undefined;
}

async function start() {
  const systems = await asked();
  if (!systems.length) {
    again();
    return;
  }
  const order = {
    dataset: form.elements.dataset.value,
    system: systems[0],
    systems: systems.length > 1 ? systems : undefined,
    contract: form.elements.contract.value || undefined,
    max_samples: number("max_samples"),
    repeats: number("repeats"),
    concurrency: number("concurrency"),
    name: form.elements.run_name.value.trim() || undefined,
    judge: form.elements.judge?.value || undefined,
  };
  const { ok, body } = await post("/api/v1/runs", order);
  if (ok) {
    location.href = `/eval/runs/${encodeURIComponent(body.run_id)}`;
    return;
  }
  tell(problem, body.error?.message ?? "…");
  if (body.findings?.length) check.replaceChildren(element("ul", { class: "findings" }, ...body.findings.map(finding)));
  again();
}

function again() {
  go.textContent = word("start.go");
  ready();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  tell(problem, "");
  go.disabled = true;
  go.textContent = word("start.starting");
  start();
});

// Only the button starts a run: Enter in a field or on a choice does not.
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("input")) event.preventDefault();
});

form.addEventListener("change", (event) => {
  if (event.target.type === "file") return;
  system();
  if (["dataset", "contract"].includes(event.target.name)) look();
});

for (const name of ["dragenter", "dragover"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) drop.classList.remove("over");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  bring(event.dataTransfer.files[0]);
});

// Another language is another page: what was entered comes along, a key does not.
const language = document.querySelector("[data-language]");
const fields = () => [...form.elements].filter((one) => one.name && one.type !== "file" && one.type !== "password");

language.addEventListener("change", () => {
  const entered = fields().map((one) => [one.name, one.type === "radio" ? (one.checked ? one.value : null) : one.value]);
  sessionStorage.setItem("start", JSON.stringify(entered.filter(([, value]) => value !== null)));
});

function comeBack() {
  const entered = JSON.parse(sessionStorage.getItem("start") ?? "[]");
  sessionStorage.removeItem("start");
  for (const [name, value] of entered) {
    for (const one of fields().filter((field) => field.name === name)) {
      if (one.type === "radio") one.checked = one.value === value;
      else one.value = value;
    }
  }
  document.getElementById("more").open = entered.some(([name, value]) => value && ["run_name", "max_samples", "concurrency", "contract"].includes(name));
}

comeBack();
setsReady({ form, check, show, system, look, looking });
systemsReady({ form, problem, system });
system();
look();
