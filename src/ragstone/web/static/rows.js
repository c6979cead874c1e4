// The rows of a dataset: a changed row makes a new version, which is shown then.

import { call, element, tell, word } from "./page.js";

const rows = document.getElementById("rows");
const problem = document.getElementById("problem");
const findings = document.getElementById("findings");

function parsed(text) {
  try {
    const row = JSON.parse(text);
    return row && typeof row === "object" && !Array.isArray(row) ? row : null;
  } catch {
    return null;
  }
}

async function save(button) {
  const area = button.closest("details").querySelector("textarea");
  tell(problem, "");
  findings.replaceChildren();
  // What is wrong is told where the button is.
  button.closest(".actions").after(problem, findings);
  const row = parsed(area.value);
  if (row === null) return tell(problem, word("rows.no_json"));
  button.disabled = true;
  const query = new URLSearchParams({ dataset: rows.dataset.dataset, number: area.dataset.number });
  const { ok, body } = await call(`/api/v1/rows?${query}`, { method: "PUT", body: JSON.stringify({ row }), headers: { "Content-Type": "application/json" } });
  button.disabled = false;
  if (ok) {
    location.href = `/eval/dataset?${new URLSearchParams({ name: body.dataset, start: new URLSearchParams(location.search).get("start") ?? 0 })}#r${area.dataset.number}`;
    return;
  }
  tell(problem, body.error?.message || body.problem || word("check.not_kept"));
  findings.replaceChildren(...(body.findings ?? []).map((one) => element("li", { class: one.level }, element("span", {}, one.text))));
}

for (const button of document.querySelectorAll("[data-save]")) button.addEventListener("click", () => save(button));

if (location.hash.startsWith("#r")) {
  const row = document.getElementById(location.hash.slice(1));
  if (row) row.open = true;
}
