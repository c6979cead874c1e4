// The history: two runs that are picked can be compared, the older one first.

const form = document.getElementById("pick");

form?.addEventListener("change", () => {
  const picked = form.querySelectorAll("input:checked");
  document.getElementById("compare").disabled = picked.length !== 2;
});

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const [newer, older] = [...form.querySelectorAll("input:checked")].map((one) => one.value);
  location.href = `/eval/compare?${new URLSearchParams({ first: older, second: newer })}`;
});
