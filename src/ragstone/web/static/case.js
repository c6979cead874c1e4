// A case: j and k lead to the next and the previous one.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const rel = { j: "next", k: "prev" }[event.key];
  if (rel) document.querySelector(`a[rel="${rel}"]`)?.click();
});
