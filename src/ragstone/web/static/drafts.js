// Drafting a test set: documents are brought, the set is asked for, and looked after until it is there.

import { call, element, post, tell, word } from "./page.js";

const form = document.getElementById("draft");
const problem = document.getElementById("problem");
const there = document.getElementById("there");
const made = document.getElementById("made");
const go = document.getElementById("go");
const bring = document.getElementById("bring");

form.documents_of.addEventListener("change", () => {
  bring.hidden = form.documents_of.value !== "";
});

// The set whose documents lie under its name, once it is made: another one is drafted from the same.
let brought = "";
let source = "";

async function documents(files) {
  tell(problem, "");
  const wrong = [];
  for (const [place, one] of [...files].entries()) {
    there.textContent = word("start.documents.coming", { n: place + 1, all: files.length });
    const name = one.webkitRelativePath || one.name;
    const query = new URLSearchParams({ draft: form.elements.name.value, name, begin: brought !== form.elements.name.value });
    const { ok, body } = await call(`/api/v1/drafts/documents?${query}`, { method: "PUT", body: one, headers: { "Content-Type": "application/octet-stream" } });
    if (ok) there.textContent = word("start.documents.there", { n: body.documents });
    else wrong.push(`${name}: ${body.error?.message ?? "…"}`);
    // The documents lie under the set's name; it cannot change any more.
    if (ok) {
      form.elements.name.readOnly = true;
      brought = form.elements.name.value;
      source = "";
    }
  }
  tell(problem, wrong.join("\n"));
}

for (const id of ["files", "folder"]) {
  const input = document.getElementById(id);
  input.addEventListener("change", async () => {
    await documents(input.files);
    input.value = "";
  });
}

form.contract.addEventListener("change", () => {
  document.getElementById("abstain").hidden = form.contract.value !== "legal_rag";
});

function lines(title, counts, say = (name) => name) {
  const rows = Object.entries(counts).map(([name, n]) => element("tr", {}, element("th", { scope: "row" }, say(name)), element("td", {}, String(n))));
  return rows.length ? [element("h3", {}, title), element("table", {}, element("tbody", {}, ...rows))] : [];
}

function show(set) {
  const name = encodeURIComponent(set.dataset);
  const link = (href, text) => element("a", { class: "button", href }, text);
  made.replaceChildren(
    element("h2", {}, set.dataset),
    element("p", {}, word("drafts.made", { n: set.drafted, wished: set.wished, used: set.used, documents: set.documents })),
    ...(set.stopped ? [element("p", { class: "hint" }, set.stopped)] : []),
    element("p", { class: "actions" }, link(`/eval/review-drafts?dataset=${name}`, word("drafts.review")), link(`/eval/dataset?name=${name}`, word("drafts.rows")), link(`/eval?dataset=${name}`, word("drafts.run")), link(`/api/v1/dataset-file?dataset=${name}`, word("drafts.take"))),
    ...lines(word("drafts.kinds"), set.kinds, (one) => word(`drafts.kind.${one}`)),
    ...lines(word("drafts.levels"), set.difficulties, (one) => word(`drafts.level.${one}`)),
    ...lines(word("drafts.refused"), set.refused),
    ...passedOver(set),
  );
  source = form.documents_of.value || set.dataset;
  form.elements.name.readOnly = false;
  form.elements.name.value = following(form.elements.name.value);
}

function passedOver(set) {
  const said = (set.passed_over ?? []).map((one) => element("li", {}, one));
  return said.length ? [element("h3", {}, word("drafts.passed_over")), element("ul", {}, ...said)] : [];
}

function following(name) {
  const [, stem, number] = /^(.*?)(?:-(\d+))?$/.exec(name);
  return `${stem}-${Number(number ?? 1) + 1}`;
}

async function look(id) {
  for (;;) {
    const { ok, body } = await call(`/api/v1/drafts/${id}`);
    if (!ok || body.state === "failed") return tell(problem, [body.error?.message ?? body.error ?? "…", ...(body.passed_over ?? [])].join("\n"));
    if (body.state === "complete") return show(body);
    await new Promise((done) => setTimeout(done, 500));
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  tell(problem, "");
  if (!form.documents_of.value && !brought) return tell(problem, word("drafts.bring"));
  go.disabled = true;
  made.hidden = false;
  made.replaceChildren(element("p", { class: "hint" }, word("drafts.going")));
  const abstain = form.contract.value === "legal_rag" ? Number(form.abstain.value) / 100 : 0;
  const plan = { name: form.elements.name.value, documents_of: form.documents_of.value || source, contract: form.contract.value, size: Number(form.size.value), seed: Number(form.seed.value), abstain };
  const { ok, body } = await post("/api/v1/drafts", plan);
  if (ok) await look(body.id);
  else tell(problem, body.error?.message ?? "…");
  go.disabled = false;
  made.hidden = !problem.hidden;
});
