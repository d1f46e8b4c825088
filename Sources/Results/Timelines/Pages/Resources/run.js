class Run {
  constructor(root) {
    this.root = root;
    this.data = JSON.parse(root.querySelector(".data").textContent);
    const usual = {
      step: 0, time: 0, origin: "program", carries: [], details: [], violations: [], changes: []
    };
    this.data.moments = this.data.moments.map(moment => ({ ...usual, ...moment }));
    this.boxes = [...root.querySelectorAll(".steps .moment")];
    this.rows = [...root.querySelectorAll(".list .moment-row")];
    this.picked = 0;
    this.scale = 1;
    this.found = [];
    this.listen();
    const asked = location.hash.match(/^#(.+)-moment-(\d+)$/);
    const isAsked = asked && asked[1] === root.id;
    const main = this.data.findings[this.data.main];
    const start = main ? main.moments[main.moments.length - 1] : 0;
    const first = isAsked ? asked[2] - 1 : start ?? 0;
    if (this.data.moments.length) this.pick(first, isAsked, false);
  }

  part(name) { return this.root.querySelector("." + name); }

  on(name, action) {
    const part = this.part(name);
    if (part) part.addEventListener("click", action);
  }

  onEach(selector, action) {
    for (const part of this.root.querySelectorAll(selector)) {
      part.addEventListener("click", () => action(part));
    }
  }

  listen() {
    const moment = part => Number(part.dataset.moment);
    this.boxes.forEach(box => box.addEventListener(
      "click", () => this.pick(moment(box), false)));
    this.rows.forEach(row => row.addEventListener(
      "click", () => this.pick(moment(row.querySelector("button")), false)));
    const slider = this.part("slider");
    slider.addEventListener("input", () => this.pick(Number(slider.value) - 1));
    this.on("previous", () => this.pick(this.picked - 1));
    this.on("next", () => this.pick(this.picked + 1));
    this.on("focus-on", () => this.setFocus(true));
    this.on("focus-off", () => this.setFocus(false));
    this.on("unfold", event => {
      const isOpen = this.part("inspector").classList.toggle("open");
      event.target.setAttribute("aria-expanded", isOpen);
      event.target.textContent = isOpen ? "Less" : "More";
      this.scroll();
    });
    const zoom = scale => {
      this.isZoomed = true;
      this.zoom(scale);
    };
    this.on("smaller", () => zoom(this.scale / 1.25));
    this.on("larger", () => zoom(this.scale * 1.25));
    this.on("fit", () => zoom(this.part("frame").clientWidth / this.width));
    // What is folded, or on another tab, has no width yet.
    new ResizeObserver(() => requestAnimationFrame(() => this.fit()))
      .observe(this.part("frame"));
    // What the focus goes to is not put below them either.
    new ResizeObserver(() => this.root.style.setProperty("--covered", this.covered + "px"))
      .observe(this.part("inspector"));
    this.onEach("[data-go]", button => {
      const finding = button.closest("[data-finding]");
      if (finding) this.show(Number(finding.dataset.finding));
      this.pick(Number(button.dataset.go));
    });
    this.onEach("[data-show]", button => {
      this.show(Number(button.dataset.show));
      this.setFocus(true);
      this.pick(this.data.findings[button.dataset.show].moments.at(-1) ?? 0);
    });
    const field = this.part("find");
    field.addEventListener("input", () => this.find(field.value));
    const [heads, frame] = [this.part("heads-frame"), this.part("frame")];
    frame.addEventListener("scroll", () => { heads.scrollLeft = frame.scrollLeft; });
  }

  // How much of the window the details cover from below.
  get covered() {
    const panel = this.part("inspector");
    return getComputedStyle(panel).bottom === "0px" ? panel.offsetHeight : 0;
  }

  get width() { return this.part("frame").firstElementChild.viewBox.baseVal.width; }

  // A little smaller, if that brings all lanes into sight.
  fit() {
    const width = this.part("frame").clientWidth;
    if (!width || this.isZoomed || !this.boxes.length) return;
    this.zoom(Math.min(1, Math.max(0.78, width / this.width)));
    this.reveal();
  }

  zoom(scale) {
    this.scale = Math.max(0.4, Math.min(2.5, scale));
    for (const svg of this.root.querySelectorAll(".picture svg")) {
      svg.setAttribute("width", Math.round(svg.viewBox.baseVal.width * this.scale));
      svg.setAttribute("height", Math.round(svg.viewBox.baseVal.height * this.scale));
    }
  }

  // Whether what proves the violation stands out of the rest.
  setFocus(isOn) {
    this.part("frame").classList.toggle("focus", isOn);
    this.part("list").classList.toggle("focus", isOn);
    this.part("focus-on")?.setAttribute("aria-pressed", isOn);
    this.part("focus-off")?.setAttribute("aria-pressed", !isOn);
  }

  // Another violation of the run takes the place of the one that is numbered.
  show(index) {
    const finding = this.data.findings[index];
    for (const box of [...this.boxes, ...this.rows]) {
      const moment = Number((box.dataset.moment ?? box.firstElementChild.dataset.moment));
      box.classList.toggle("proof", finding.moments.includes(moment));
    }
    for (const group of this.root.querySelectorAll(".carries")) {
      group.classList.toggle("proof", finding.moments.includes(Number(group.dataset.of)));
    }
    for (const group of this.root.querySelectorAll(".marks")) {
      group.classList.toggle("shown", Number(group.dataset.finding) === index);
    }
    this.rows.forEach((row, moment) => {
      row.querySelector(".badges").replaceChildren(...finding.proof.flatMap(
        (at, line) => at === moment ? [element("i", String(line + 1))] : []));
    });
  }

  find(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = this.data.moments.flatMap((moment, index) => {
      const all = [moment.queue, moment.text, ...moment.carries, ...moment.violations]
        .join(" ").toLowerCase();
      return words.length && words.every(word => all.includes(word)) ? [index] : [];
    });
    for (const part of [...this.boxes, ...this.rows]) part.classList.remove("found");
    for (const index of this.found) {
      this.boxes[index].classList.add("found");
      this.rows[index].classList.add("found");
    }
    this.part("found-count").textContent = words.length ? this.found.length + " found" : "";
  }

  // The next one that was found, round about.
  findNext() {
    if (!this.found.length) return;
    this.pick(this.found.find(index => index > this.picked) ?? this.found[0]);
  }

  pick(moment, scrolls = true, isAsked = true) {
    if (!this.data.moments.length) return;
    this.picked = Math.max(0, Math.min(this.data.moments.length - 1, moment));
    const isPicked = index => index === this.picked ? "step" : "false";
    this.boxes.forEach((box, index) => {
      box.classList.toggle("picked", index === this.picked);
      box.tabIndex = index === this.picked ? 0 : -1;
      box.setAttribute("aria-current", isPicked(index));
    });
    this.rows.forEach((row, index) => {
      row.classList.toggle("picked", index === this.picked);
      row.firstElementChild.setAttribute("aria-current", isPicked(index));
    });
    const slider = this.part("slider");
    slider.value = this.picked + 1;
    slider.setAttribute("aria-valuetext", this.data.moments[this.picked].text);
    this.inspect();
    // After the details, whose height decides what they cover.
    if (scrolls) this.scroll();
    this.part("previous").disabled = this.picked === 0;
    this.part("next").disabled = this.picked === this.data.moments.length - 1;
    const address = "#" + this.root.id + "-moment-" + (this.picked + 1);
    if (isAsked) history.replaceState(null, "", address);
  }

  // Between the names of the lanes and the details of the step, which stay where they are.
  scroll() {
    this.reveal();
    const frame = this.part("frame");
    const isDrawn = frame.getClientRects().length > 0;
    const shown = (isDrawn ? this.boxes : this.rows)[this.picked].getBoundingClientRect();
    const top = isDrawn ? this.part("heads-frame").offsetHeight : 0;
    const bottom = innerHeight - this.covered;
    if (shown.top < top + 12) scrollBy(0, shown.top - top - 12);
    else if (shown.bottom > bottom - 12) scrollBy(0, shown.bottom - bottom + 12);
  }

  // Within the picture, where that scrolls by itself.
  reveal() {
    const frame = this.part("frame");
    const edges = frame.getBoundingClientRect();
    const shown = this.boxes[this.picked].getBoundingClientRect();
    if (!edges.width) return;
    if (shown.right > edges.right) frame.scrollLeft += shown.right - edges.right + 12;
    if (shown.left < edges.left) frame.scrollLeft -= edges.left - shown.left + 12;
    if (shown.bottom > edges.bottom - 12) frame.scrollTop += shown.bottom - edges.bottom + 12;
    if (shown.top < edges.top + 12) frame.scrollTop -= edges.top - shown.top + 12;
  }

  inspect() {
    const chosen = this.data.moments[this.picked];
    const isNamed = chosen.context && !chosen.text.startsWith(chosen.context + ":");
    this.part("what").textContent = (isNamed ? chosen.context + "  " : "") + chosen.text;
    const last = Math.max(...this.data.moments.map((moment) => moment.step));
    const before = Math.max(0, ...this.data.moments.slice(0, this.picked).map(
      (moment) => moment.step));
    this.part("position").textContent = chosen.step
      ? chosen.step + " of " + last : before ? "after " + before + " of " + last : "";
    this.part("when").textContent = [
      chosen.step ? "Step " + chosen.step : {
        call: "A call", wait: "A wait", deadlock: "A deadlock", action: "Not a step"
      }[chosen.kind], "on " + chosen.queue,
      this.data.moments.some((moment) => moment.time) ? "at " + chosen.time + " ms" : "",
      chosen.origin === "program" ? "" : "by an " + chosen.origin
    ].filter(Boolean).join(", ");
    this.part("carried").replaceChildren(
      ...chosen.carries.map(line => element("li", line)),
      ...chosen.violations.map(kind => element("li", "✗ " + kind, "bad")));
    this.part("details").replaceChildren(...chosen.details.map(line => element("li", line)));
    this.part("events").hidden = !chosen.details.length;
    const looks = looksAt(this.data, this.picked);
    const changes = changeRows(this.data, this.picked);
    this.part("changes").hidden = !changes.length;
    this.root.querySelector(".changes tbody").replaceChildren(...changes);
    this.part("now").replaceChildren(...placeCards(this.data, this.picked, looks));
    this.showDecisions();
    this.root.querySelector(".places thead").replaceChildren(
      tableRow("object", this.data.places.map(name => {
        const head = element("th", name);
        head.scope = "col";
        return head;
      }), "col"));
    this.root.querySelector(".places tbody").replaceChildren(...stateRows(this.data, looks));
  }

  // Repeats the decisions that led to this step, from the list of all decisions.
  showDecisions() {
    const own = [...this.root.querySelectorAll(
      '.decisions [data-decision="' + this.picked + '"] ul')];
    this.part("instead").hidden = !own.length;
    this.root.querySelector(".instead ul").replaceChildren(
      ...own.flatMap(list => [...list.children].map(item => item.cloneNode(true))));
  }
}

const runs = [...document.querySelectorAll(".run")].map(root => new Run(root));
function chosenRun(target) {
  const own = runs.find(run => run.root.contains(target));
  if (own) return own;
  const shown = runs.filter(run => run.root.getClientRects().length);
  return shown.length === 1 ? shown[0] : undefined;
}
addEventListener("keydown", event => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const run = chosenRun(event.target);
  if (!run) return;
  const isField = event.target.matches?.("[type=search]");
  // A key for the whole page could be one of a screen reader's or voice control's (WCAG 2.1.4).
  if (event.key === "/" && !isField && run.root.contains(event.target)) {
    event.preventDefault();
    run.part("find").focus();
  } else if (event.key === "Escape") {
    if (isField) {
      event.target.value = "";
      event.target.blur();
    }
    run.find("");
  } else if (event.key === "Enter" && isField && run.root.contains(event.target)) {
    run.findNext();
  } else if (["Enter", " "].includes(event.key) && event.target.matches?.(".moment")) {
    event.preventDefault();
    run.pick(Number(event.target.dataset.moment));
  } else {
    const move = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    const keepsArrows = "[role=tab], [type=range], summary, .wide";
    if (!move || isField || event.target.matches?.(keepsArrows)) return;
    if (!run.boxes[run.picked + move]) return;
    event.preventDefault();
    run.pick(run.picked + move);
    if (event.target.matches?.(".moment")) run.boxes[run.picked].focus();
  }
});
