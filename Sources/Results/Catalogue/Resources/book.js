const field = document.getElementById("filter");
const items = [...document.querySelectorAll("main li")];
const folds = [...document.querySelectorAll("main details")];
const wasOpen = folds.map(fold => fold.open);
const cards = document.getElementById("surprises");
const link = item => item.querySelector("a").href;
// A scenario is in several lists. A filter searches the texts of all of them.
const texts = new Map();
for (const item of items) {
  const group = item.closest(".group").querySelector("summary");
  const before = texts.get(link(item)) ?? "";
  texts.set(link(item), `${before} ${item.textContent} ${group.textContent}`.toLowerCase());
}
field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = page => words.every(word => texts.get(page).includes(word));
  const found = new Set([...texts.keys()].filter(matches));
  if (cards) cards.hidden = words.length > 0;
  for (const item of items) item.hidden = !found.has(link(item));
  // Open only the list by subject, so that each scenario is shown once.
  folds.forEach((fold, index) => {
    fold.hidden = [...fold.querySelectorAll("li")].every(item => item.hidden);
    fold.open = words.length ? fold.closest("#subjects") !== null : wasOpen[index];
  });
  document.getElementById("count").textContent = words.length ? found.size + " found" : "";
});
function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  for (let fold = target; fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target?.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();
