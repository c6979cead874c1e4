// Naming, tagging, putting away and deleting a run, from the list and from its own page.

import { call, tell } from "./page.js";

const dialog = document.getElementById("label");

function change(run, method, path, value) {
  const sent = value === undefined ? {} : { body: JSON.stringify(value), headers: { "Content-Type": "application/json" } };
  return call(`/api/v1/runs/${encodeURIComponent(run)}${path}`, { method, ...sent });
}

export function bringBack(run) {
  return change(run, "POST", "/restore", {});
}

// Opens the dialog for a run; what was typed is kept when it is saved.
function rename(run, name, tags) {
  const form = dialog.querySelector("form");
  const problem = dialog.querySelector(".problem");
  form.elements.name.value = name;
  form.elements.tags.value = tags;
  tell(problem, "");
  form.onsubmit = async (event) => {
    if (event.submitter?.value !== "save") return;
    event.preventDefault();
    const wanted = form.elements.tags.value.split(/[,，]/).map((tag) => tag.trim()).filter(Boolean);
    const { ok, body } = await change(run, "PATCH", "/label", { name: form.elements.name.value.trim(), tags: wanted });
    if (ok) location.reload();
    else tell(problem, body.error?.message ?? "");
  };
  dialog.showModal();
}

// Lets the buttons in a menu act on a run; `removed` is told when it was deleted.
export function actions(place, run, problem, removed) {
  const { name, tags } = place.dataset;
  place.querySelector("[data-rename]").addEventListener("click", () => rename(run, name, tags));
  place.querySelector("[data-archive]").addEventListener("click", async (event) => {
    const { ok, body } = await change(run, "PATCH", "/label", { archived: event.target.dataset.archive === "true" });
    if (ok) location.reload();
    else tell(problem, body.error?.message ?? "");
  });
  place.querySelector("[data-remove]").addEventListener("click", async () => {
    const { ok, body } = await change(run, "DELETE", "");
    if (ok) removed();
    else tell(problem, body.error?.message ?? "");
  });
}
