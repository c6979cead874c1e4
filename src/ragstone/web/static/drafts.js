// Drafting a test set: documents are brought, the set is asked for, and looked after until it is there.

import { call, element, post, tell, word } from "./page.js";

const form = document.getElementById("draft");
const problem = document.getElementById("problem");
const there = document.getElementById("there");
const made = document.getElementById("made");
const go = document.getElementById("go");
const bring = document.getElementById("bring");

// The name under which documents lie that were brought; the dataset may be called otherwise.
let brought = "";
// How many they are, in words.
let held = "";
// The set that was made of them last: another one is drafted from the same.
let source = "";
// What was said of files that were refused.
let refused = [];
// The files that are on their way.
let coming = Promise.resolve();

form.documents_of.addEventListener("change", () => {
  const { value, dataset } = form.documents_of.selectedOptions[0];
  bring.hidden = value !== "";
  if (value !== "") return;
  // Documents of an earlier visit are taken up again, or others are brought.
  [brought, held, source, refused] = [dataset.left ?? "", dataset.held ?? "", "", []];
  there.textContent = held;
});

async function documents(files) {
  tell(problem, "");
  const wrong = [];
  for (const [place, one] of [...files].entries()) {
    there.textContent = word("start.documents.coming", { n: place + 1, all: files.length });
    const name = one.webkitRelativePath || one.name;
    const under = brought || form.elements.name.value;
    const query = new URLSearchParams({ draft: under, name, begin: !brought });
    const { ok, body } = await call(`/api/v1/drafts/documents?${query}`, { method: "PUT", body: one, headers: { "Content-Type": "application/octet-stream" } });
    if (ok) {
      [brought, held, source] = [under, word("start.documents.there", { n: body.documents }), ""];
      // Whoever looks at another source meanwhile comes back to them.
      Object.assign(form.documents_of.selectedOptions[0].dataset, { left: brought, held });
    } else {
      const said = body.error?.message ?? "…";
      wrong.push(said.startsWith(name) ? said : `${name}: ${said}`);
    }
  }
  there.textContent = held;
  refused.push(...wrong);
  tell(problem, wrong.join("\n"));
}

for (const id of ["files", "folder"]) {
  const input = document.getElementById(id);
  input.addEventListener("change", async () => {
    coming = documents(input.files);
    await coming;
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
    ...(set.absent < set.absent_wished ? [element("p", { class: "hint" }, word("drafts.absent", { n: set.absent, wished: set.absent_wished }))] : []),
    ...(set.stopped ? [element("p", { class: "hint" }, set.stopped)] : []),
    element("p", { class: "actions" }, link(`/eval/review-drafts?dataset=${name}`, word("drafts.review")), link(`/eval/dataset?name=${name}`, word("drafts.rows")), link(`/eval?dataset=${name}`, word("drafts.run")), link(`/api/v1/dataset-file?dataset=${name}`, word("drafts.take"))),
    ...lines(word("drafts.kinds"), set.kinds, (one) => word(`drafts.kind.${one}`)),
    ...lines(word("drafts.levels"), set.difficulties, (one) => word(`drafts.level.${one}`)),
    ...lines(word("drafts.refused"), set.refused),
    ...lines(word("drafts.missed"), set.missed ?? {}),
    ...passedOver(set),
  );
  if (!form.documents_of.value) {
    [brought, source] = ["", set.dataset];
    const [chosen] = form.documents_of.selectedOptions;
    delete chosen.dataset.left;
    delete chosen.dataset.held;
    // What was left of an earlier visit is no more; nothing else is chosen by that.
    if (chosen.index) chosen.remove();
    form.documents_of.selectedIndex = 0;
  }
  form.elements.name.value = following(form.elements.name.value);
}

function passedOver(set) {
  const said = [...(set.passed_over ?? []), ...(form.documents_of.value ? [] : refused)].map((one) => element("li", {}, one));
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
  go.disabled = true;
  await coming;
  tell(problem, "");
  if (!form.documents_of.value && !brought && !source) {
    go.disabled = false;
    return tell(problem, word("drafts.bring"));
  }
  made.hidden = false;
  made.replaceChildren(element("p", { class: "hint" }, word("drafts.going")));
  const abstain = form.contract.value === "legal_rag" ? Number(form.abstain.value) / 100 : 0;
  const name = form.elements.name.value;
  const of = form.documents_of.value || (brought ? "" : source);
  const plan = { name, draft: of ? "" : brought, documents_of: of, contract: form.contract.value, size: Number(form.size.value), seed: Number(form.seed.value), abstain };
  const { ok, body } = await post("/api/v1/drafts", plan);
  // The documents have the dataset's name now.
  if (ok && !of) brought = name;
  if (ok) await look(body.id);
  else tell(problem, body.error?.message ?? "…");
  go.disabled = false;
  made.hidden = !problem.hidden;
});
