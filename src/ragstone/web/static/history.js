// The history: runs that are picked can be compared, the older one first; each can be named, put away and deleted.

import { actions, bringBack } from "./label.js";
import { tell, word } from "./page.js";

const form = document.getElementById("pick");
const problem = document.getElementById("problem");
const undo = document.getElementById("undo");
const total = document.getElementById("total");

const picked = () => [...form.querySelectorAll("input:checked")].map((one) => one.value);

form?.addEventListener("change", () => {
  document.getElementById("compare").disabled = picked().length !== 2;
  document.getElementById("matrix").disabled = picked().length < 2;
});

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const runs = picked().reverse();
  if (event.submitter?.id === "matrix") location.href = `/eval/matrix?${new URLSearchParams(runs.map((run) => ["run", run]))}`;
  else location.href = `/eval/compare?${new URLSearchParams({ first: runs[0], second: runs[1] })}`;
});

for (const row of document.querySelectorAll("tr[data-run]")) {
  const run = row.dataset.run;
  actions(row, run, problem, () => {
    row.remove();
    total.dataset.n -= 1;
    total.textContent = word("history.total", { n: total.dataset.n });
    undo.dataset.run = run;
    undo.hidden = false;
    undo.querySelector("button").focus();
  });
}

async function restore(run) {
  const { ok, body } = await bringBack(run);
  if (ok) location.href = "/eval/history";
  else tell(problem, body.error?.message ?? "");
}

undo.querySelector("button").addEventListener("click", () => restore(undo.dataset.run));
for (const button of document.querySelectorAll("[data-restore]")) button.addEventListener("click", () => restore(button.dataset.restore));

for (const spot of document.querySelectorAll("[data-open]")) {
  spot.addEventListener("click", () => {
    location.href = spot.dataset.open;
  });
}
