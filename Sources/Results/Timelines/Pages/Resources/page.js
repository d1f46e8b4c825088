async function copy(button) {
  const line = button.parentElement.querySelector("code");
  try {
    await navigator.clipboard.writeText(line.textContent);
    button.textContent = "Copied";
  } catch {
    // A page from a file may not; then it can be copied by hand.
    getSelection().selectAllChildren(line);
    button.textContent = "Selected";
  }
}
document.querySelectorAll(".copy").forEach(
  button => button.addEventListener("click", () => copy(button)));
