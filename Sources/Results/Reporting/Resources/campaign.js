function openFailure(id) {
  const part = document.getElementById(id);
  if (!part || part.tagName !== "DETAILS") return;
  part.open = true;
  part.scrollIntoView({ block: "start" });
  part.querySelector("summary").focus({ preventScroll: true });
}
document.querySelectorAll("[data-open]").forEach(row => row.addEventListener("click", event => {
  event.preventDefault();
  openFailure("failure-" + row.dataset.open);
}));
addEventListener("hashchange", () => openFailure(location.hash.slice(1)));
openFailure(location.hash.slice(1));
const example = location.hash.match(/^#example-(\d+)-/);
if (example) openFailure("failure-" + example[1]);
document.querySelectorAll("#violations th").forEach((head, column) => {
  head.querySelector("button").addEventListener("click", () => {
    const body = document.querySelector("#violations tbody");
    const text = row => row.children[column].textContent.replaceAll(",", "");
    const isNumber = [...body.rows].every(row => !isNaN(parseFloat(text(row))));
    const isDown = head.getAttribute("aria-sort") !== "descending";
    document.querySelectorAll("#violations th").forEach(th => th.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    const sign = isDown === isNumber ? -1 : 1;
    const rows = [...body.rows].sort((a, b) => sign * (isNumber
      ? parseFloat(text(a)) - parseFloat(text(b)) : text(a).localeCompare(text(b))));
    body.replaceChildren(...rows);
  });
});
