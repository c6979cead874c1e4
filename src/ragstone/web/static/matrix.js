// The matrix: arrow keys lead from cell to cell; Tab enters and leaves it in one step.

const table = document.getElementById("matrix");
const cells = () => [...table.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.querySelector("a")));

if (table) {
  const links = cells();
  links.flat().forEach((link) => link?.setAttribute("tabindex", "-1"));
  const first = links.flat().find(Boolean);
  first?.setAttribute("tabindex", "0");
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  table.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    const row = links.findIndex((line) => line.includes(document.activeElement));
    const ends = { Home: links[row]?.find(Boolean), End: links[row]?.findLast(Boolean) };
    if (row < 0 || !(step || ends[event.key])) return;
    const next = ends[event.key] ?? links[row + step[0]]?.[links[row].indexOf(document.activeElement) + step[1]];
    if (!next) return;
    event.preventDefault();
    document.activeElement.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}
