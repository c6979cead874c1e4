// Datasets and documents that are brought to the page: files, folders, tables whose columns are named.

import { call, element, word } from "./page.js";

const FIELDS = ["question", "gold", "documents", "id"];
const file = document.getElementById("file");
const map = document.getElementById("map");
const told = document.getElementById("documents");
let page = null;

const sent = (body) => ({ method: "PUT", body, headers: { "Content-Type": "application/octet-stream" } });

export async function bring(chosen, columns = null) {
  if (!chosen) return;
  page.looking();
  map.hidden = true;
  // Whatever becomes of the file: what was chosen before it is not what is meant now.
  for (const input of page.form.querySelectorAll('input[name="dataset"]')) input.checked = false;
  page.system();
  page.check.replaceChildren(element("p", { class: "hint" }, word("start.uploading", { name: chosen.name })));
  const query = columns ? `?${new URLSearchParams({ map: JSON.stringify(columns) })}` : "";
  const { body } = await call(`/api/v1/datasets/${encodeURIComponent(chosen.name)}${query}`, sent(chosen));
  file.value = "";
  if (body.error) {
    page.check.replaceChildren(element("p", { class: "problem" }, body.error.message));
    return;
  }
  if (body.dataset) await choose(body.dataset);
  page.show(body);
  if (!body.dataset) page.check.scrollIntoView({ block: "nearest" });
  if (!body.dataset && body.columns?.length) name(chosen, body.columns, columns ?? body.guessed ?? {});
}

// A table that could not be taken as it is: which of its columns holds what?
function name(chosen, columns, guessed) {
  const fields = FIELDS.map((field) => {
    const select = element("select", { name: `map.${field}` }, element("option", { value: "" }, "–"));
    for (const column of columns) select.append(element("option", { value: column, selected: column === guessed[field] }, column));
    return element("label", { class: "field" }, element("span", {}, word(`map.${field}`)), select);
  });
  const button = element("button", { type: "button" }, word("map.use"));
  button.addEventListener("click", () => {
    const wanted = FIELDS.map((field) => [field, map.querySelector(`[name="map.${field}"]`).value]);
    bring(chosen, Object.fromEntries(wanted.filter(([, column]) => column)));
  });
  map.replaceChildren(element("summary", {}, word("map.hint")), element("div", { class: "endpoint" }, ...fields, button));
  map.hidden = false;
  // Where the columns are known it is the rows that have the faults.
  map.open = !(guessed.question && guessed.gold);
  if (map.open) map.scrollIntoView({ block: "nearest" });
}

async function choose(name) {
  let input = [...page.form.querySelectorAll('input[name="dataset"]')].find((one) => one.value === name);
  if (!input) {
    const { body } = await call("/api/v1/datasets");
    const known = body.find((one) => one.name === name);
    input = element("input", { type: "radio", name: "dataset", value: name, "data-documents": known?.documents ? "1" : "", "data-own": "1" });
    const label = element("label", { class: "choice" }, input, element("span", { class: "choice-name" }, name));
    document.getElementById("datasets").prepend(label);
  }
  input.checked = true;
  page.system();
}

async function documents(files) {
  const dataset = page.form.querySelector('input[name="dataset"]:checked');
  if (!dataset || !files.length) return;
  let number = 0;
  let wrong = "";
  for (const [place, one] of [...files].entries()) {
    told.textContent = word("start.documents.coming", { n: place + 1, all: files.length });
    const query = new URLSearchParams({ dataset: dataset.value, name: one.webkitRelativePath || one.name });
    const { ok, body } = await call(`/api/v1/documents?${query}`, sent(one));
    if (ok) number = body.documents;
    else wrong = body.error?.message ?? "…";
  }
  if (number) {
    dataset.dataset.documents = "1";
    page.system();
    // The built-in RAG answers from what was just brought, unless another was chosen.
    if (!page.form.querySelector('input[name="system"]:checked')) page.form.querySelector('[data-kind="builtin"]').checked = true;
    page.system();
    await page.look();
  }
  told.textContent = [number ? word("start.documents.there", { n: number }) : "", wrong].filter(Boolean).join(" · ");
}

export function setsReady(start) {
  page = start;
  file.addEventListener("change", () => bring(file.files[0]));
  for (const id of ["files", "folder"]) {
    const input = document.getElementById(id);
    input.addEventListener("change", async () => {
      await documents(input.files);
      input.value = "";
    });
  }
}
