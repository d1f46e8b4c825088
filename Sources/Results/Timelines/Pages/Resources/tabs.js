const tabs = [...document.querySelectorAll("[role=tab]")];
function openTab(index, isFocused) {
  tabs.forEach((tab, other) => {
    tab.setAttribute("aria-selected", other === index);
    tab.tabIndex = other === index ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = other !== index;
  });
  if (isFocused) tabs[index].focus();
}
tabs.forEach((tab, index) => {
  tab.addEventListener("click", () => openTab(index));
  tab.addEventListener("keydown", event => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (move) openTab((index + move + tabs.length) % tabs.length, true);
  });
});
if (tabs.length) {
  const asked = Number(location.hash.match(/^#outcome-(\d+)/)?.[1] ?? 1);
  openTab(tabs[asked - 1] ? asked - 1 : 0);
}
