// Drafted questions, one on one screen: accepted or rejected with a key.

import { call, element, post, tell, word } from "./page.js";

const at = (id) => document.getElementById(id);
const { dataset } = at("drafts").dataset;
let draft = null;
let busy = false;

function show({ ok, body }) {
  const why = (body.findings ?? []).map((one) => one.text);
  tell(at("problem"), ok ? "" : [body.error?.message ?? "", ...why].join("\n"));
  if (!ok) return;
  draft = body.draft;
  at("one").hidden = !draft;
  // Undoing stays possible when all are decided.
  for (const button of document.querySelectorAll('[data-key]:not([data-key="z"])')) button.disabled = !draft;
  at("empty").hidden = Boolean(draft);
  at("stand").textContent = word("review.drafts.left", { n: body.left, total: body.total });
  if (!draft) return;
  at("question").textContent = draft.question;
  at("points").replaceChildren(...draft.gold.map((line) => element("li", {}, line)));
  at("proof").replaceChildren(...draft.proof.map((line) => element("li", {}, line)));
}

function pass(after) {
  return call(`/api/v1/review-drafts/next?dataset=${encodeURIComponent(dataset)}&after=${encodeURIComponent(after)}`);
}

function undone(found) {
  show(found);
  if (found.ok && !found.body.undone) tell(at("problem"), word("review.undo.none"));
}

async function act(key) {
  if (busy || (!draft && key !== "z")) return;
  busy = true;
  try {
    if (key === "j") show(await pass(draft.id));
    else if (key === "z") undone(await post("/api/v1/review-drafts/undo", { dataset }));
    else show(await post("/api/v1/review-drafts", { dataset, id: draft.id, accept: key === "1" }));
  } finally {
    busy = false;
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches("input, textarea, select")) return;
  if (["1", "2", "j", "z"].includes(event.key)) act(event.key);
});
for (const button of document.querySelectorAll("[data-key]")) button.addEventListener("click", () => act(button.dataset.key));

show(await pass(""));
