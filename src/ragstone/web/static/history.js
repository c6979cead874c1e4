// The history: runs that are picked can be compared, the older one first; each can be named, put away and deleted.

import { actions, bringBack } from "./label.js";
import { tell } from "./page.js";

const form = document.getElementById("pick");
const problem = document.getElementById("problem");
const undo = document.getElementById("undo");

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
    undo.dataset.run = run;
    undo.hidden = false;
    undo.querySelector("button").focus();
  });
}

undo.querySelector("button").addEventListener("click", async () => {
  const { ok, body } = await bringBack(undo.dataset.run);
  if (ok) location.href = "/eval/history";
  else tell(problem, body.error?.message ?? "");
});

for (const spot of document.querySelectorAll("[data-open]")) {
  spot.addEventListener("click", () => {
    location.href = spot.dataset.open;
  });
}
