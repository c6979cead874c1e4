// What the figures become with everybody's labels, and writing them into the run.

import { call, element, post, tell, word } from "./page.js";

const { run, labels, judged } = document.getElementById("lead").dataset;
const names = JSON.parse(labels);
const path = `/api/v1/review/${encodeURIComponent(run)}/figures`;
const table = document.getElementById("figure-table");
const told = document.getElementById("told");
const problem = document.getElementById("problem");

function figure(one) {
  if (!one || one.mean === null) return "–";
  const shown = (value) => (Math.round(value * 1000) / 10).toFixed(1);
  return one.low === undefined ? `${shown(one.mean)} %` : `${shown(one.mean)} % (${shown(one.low)} – ${shown(one.high)}, n = ${one.n})`;
}

function show(figures) {
  const heads = ["", "review.figures.rule", judged, "review.figures.estimated"];
  const head = element("tr", {}, ...heads.map((name) => (name ? element("th", { scope: "col", class: "num" }, word(name)) : element("td"))));
  const rows = figures.map((one) =>
    element("tr", {}, element("th", { scope: "row" }, `${names[one.metric] ?? one.metric} · ${one.model}`),
      ...["rule", "judged", "estimated"].map((name) => element("td", { class: "num" }, figure(one[name])))));
  table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
}

function use({ ok, body }, text) {
  tell(problem, ok ? "" : body.error?.message ?? "");
  told.textContent = ok ? text : "";
  if (ok) show(body.figures);
}

document.getElementById("write")?.addEventListener("click", async (event) => {
  event.target.disabled = true;
  told.textContent = word("review.loading");
  use(await post(path), word("review.figures.written"));
  event.target.disabled = false;
});

use(await call(path), "");
