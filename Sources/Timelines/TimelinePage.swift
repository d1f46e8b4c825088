import Failures
import Foundation
import Vocabulary

/// A timeline as one self-contained page: the picture, each violation with its proof, and beside
/// it what every context and store shows at the moment that is picked. Clicks and arrow keys pick.
package struct TimelinePage {
  private let timeline: Timeline
  private let title: String
  private let prose: [String]
  private let footer: String

  /// `footer` is HTML, below all the rest.
  package init(
    _ timeline: Timeline, title: String, prose: [String] = [], footer: String = ""
  ) {
    self.timeline = timeline
    self.title = title
    self.prose = prose
    self.footer = footer
  }

  package var html: String {
    WebPage(
      title: title, style: TimelinePage.style,
      body: """
        <header>
        <h1>\(escaped(title))</h1>
        \(paragraphs)
        \(findings)
        </header>
        <main>
        <div id="picture" tabindex="0">
        \(Picture(timeline).element())
        </div>
        <aside aria-live="polite">
        <nav><button id="previous" type="button">↑ earlier</button>
        <button id="next" type="button">↓ later</button></nav>
        <h2 id="what"></h2>
        <p id="when"></p>
        <ul id="details"></ul>
        <table><thead id="places"></thead><tbody id="objects"></tbody></table>
        <p class="legend"><i class="save"></i>save <i class="merge"></i>merge <i class="hop"></i>enqueued block;
        numbers are row versions, of the same colour where they are equal</p>
        </aside>
        </main>
        \(footer)
        <script type="application/json" id="data">\(data)</script>
        <script>
        \(TimelinePage.script)
        </script>
        """
    ).html
  }

  /// An empty line ends one.
  private var paragraphs: String {
    prose.split(separator: "").map { "<p>\(escaped($0.joined(separator: " ")))</p>" }
      .joined(separator: "\n")
  }

  private var findings: String {
    if timeline.findings.isEmpty {
      return "<p class=\"fine\">No invariant was violated in this run.</p>"
    }
    return timeline.findings.enumerated().map { index, finding in
      let first = escaped(finding.lines.first ?? finding.kind.name)
      let proof = finding.lines.dropFirst().map(escaped).joined(separator: "\n")
      let target = timeline.moments.firstIndex { $0.violations.contains(index) }
      let link = target.map { " data-pick=\"\($0)\"" } ?? ""
      return "<section class=\"finding\"\(link)><strong>\(first)</strong>"
        + (proof.isEmpty ? "" : "<pre>\(proof)</pre>") + "</section>"
    }.joined(separator: "\n")
  }

  // MARK: Data

  private var data: String {
    let object: [String: Any] = [
      "places": timeline.places, "objects": timeline.objects,
      "moments": timeline.moments.map(object(of:)),
    ]
    guard
      let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    else { preconditionFailure("a timeline is made of numbers, texts and lists") }
    // No text of a program can end the element.
    return String(decoding: data, as: UTF8.self).replacing("<", with: "\\u003c")
  }

  private func object(of moment: Timeline.Moment) -> [String: Any] {
    var object: [String: Any] = [
      "text": moment.text, "step": moment.step, "time": moment.time,
      "queue": timeline.columns[moment.column].name, "origin": moment.origin.rawValue,
      "details": moment.details + moment.violations.map { "✗ " + timeline.findings[$0].kind.name },
      "changes": moment.changes.map { change -> [Any] in
        guard let look = change.look else { return [change.place, change.object] }
        return [change.place, change.object, look.state, look.version, look.values]
      },
    ]
    object["context"] = moment.context.map { timeline.places[$0.index] }
    return object
  }

  // MARK: Looks

  private static let style = """
    .finding{cursor:pointer}
    main{display:grid;grid-template-columns:minmax(0,max-content) minmax(300px,1fr);gap:8px;align-items:start}
    #picture{overflow-x:auto;padding:4px 0 24px 10px;outline:none}
    aside{position:sticky;top:0;max-height:100vh;overflow:auto;box-sizing:border-box;padding:8px 18px 24px}
    aside h2{font:600 15px ui-monospace,monospace;margin:10px 0 2px;overflow-wrap:anywhere}
    #when{margin:0;color:var(--faint);font-size:13px}
    #details{font:12px/1.5 ui-monospace,monospace;padding-left:18px;overflow-wrap:anywhere}
    nav{display:flex;gap:8px}
    td.changed{background:var(--pick);color:var(--ink)}td .state{color:var(--faint);font-style:italic}
    .version{display:inline-block;min-width:1.2em;text-align:center;border-radius:3px;color:#fff;font-weight:600;
    padding:0 4px;margin-right:4px}
    .moment{cursor:pointer}.moment.picked rect{fill:var(--pick);stroke-width:2.2}
    .legend{color:var(--faint);font-size:12px}.legend i{display:inline-block;width:18px;height:0;
    border-top:3px solid;margin:0 4px 3px 8px}.legend .save{color:var(--save)}.legend .merge{color:var(--merge)}
    .legend .hop{color:var(--hop);border-top-style:dashed}
    @media(max-width:1300px){main{grid-template-columns:minmax(0,1fr)}
    #picture{max-height:48vh;overflow:auto}aside{position:static;max-height:none}
    nav{position:sticky;top:0;padding:6px 0;background:var(--ground)}}
    """

  private static let script = #"""
    "use strict";
    const data = JSON.parse(document.getElementById("data").textContent);
    const boxes = [...document.querySelectorAll("[data-moment]")];
    const byId = id => document.getElementById(id);
    let picked = 0;

    // What every place shows after a moment: the changes up to there, one after the other.
    function looksAt(moment) {
      const looks = data.places.map(() => new Map());
      for (let i = 0; i <= moment; i++) {
        for (const [place, object, ...look] of data.moments[i].changes) {
          if (look.length) looks[place].set(object, { look, isNew: i === moment });
          else if (i === moment) looks[place].set(object, { look: null, isNew: true });
          else looks[place].delete(object);
        }
        if (i < moment) for (const place of looks) {
          for (const [object, { look }] of place) if (!look) place.delete(object);
        }
      }
      return looks;
    }

    function cell(entry) {
      const td = document.createElement("td");
      if (!entry) return td;
      if (entry.isNew) td.className = "changed";
      if (!entry.look) { td.textContent = "gone"; return td; }
      const [state, version, values] = entry.look;
      if (version > 0) {
        const chip = document.createElement("span");
        chip.className = "version";
        chip.style.background = `hsl(${(version * 83 + 130) % 360} 55% 38%)`;
        chip.textContent = version;
        td.append(chip);
      }
      if (state) {
        const span = document.createElement("span");
        span.className = "state";
        span.textContent = state + " ";
        td.append(span);
      }
      td.append(values);
      return td;
    }

    function row(head, cells) {
      const tr = document.createElement("tr");
      const th = document.createElement("th");
      th.textContent = head;
      tr.append(th, ...cells);
      return tr;
    }

    function pick(moment, scrolls = true) {
      if (!data.moments.length) return;
      picked = Math.max(0, Math.min(data.moments.length - 1, moment));
      const chosen = data.moments[picked];
      boxes.forEach(box => box.classList.toggle("picked", Number(box.dataset.moment) === picked));
      if (scrolls) boxes[picked].scrollIntoView({ block: "nearest", inline: "nearest" });
      byId("what").textContent = (chosen.context ? chosen.context + "  " : "") + chosen.text;
      byId("when").textContent = [
        chosen.step ? "step " + chosen.step : "no step", "on " + chosen.queue, "at " + chosen.time + " ms",
        chosen.origin === "program" ? "" : "by an " + chosen.origin
      ].filter(Boolean).join(", ");
      byId("details").replaceChildren(...chosen.details.map(line => {
        const li = document.createElement("li");
        li.textContent = line;
        return li;
      }));
      const looks = looksAt(picked);
      const heads = data.places.map(name => {
        const th = document.createElement("th");
        th.textContent = name;
        return th;
      });
      byId("places").replaceChildren(row("", heads));
      const shown = data.objects.map((name, object) => [name, object])
        .filter(([, object]) => looks.some(place => place.has(object)));
      byId("objects").replaceChildren(
        ...shown.map(([name, object]) => row(name, looks.map(place => cell(place.get(object))))));
      byId("previous").disabled = picked === 0;
      byId("next").disabled = picked === data.moments.length - 1;
      location.replace("#" + (picked + 1));
    }

    boxes.forEach(box => box.addEventListener("click", () => pick(Number(box.dataset.moment), false)));
    document.querySelectorAll("[data-pick]").forEach(
      section => section.addEventListener("click", () => pick(Number(section.dataset.pick))));
    byId("previous").addEventListener("click", () => pick(picked - 1));
    byId("next").addEventListener("click", () => pick(picked + 1));
    addEventListener("keydown", event => {
      const move = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
      if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      pick(picked + move);
    });
    const violated = boxes.findIndex(box => box.classList.contains("violated"));
    const asked = Number(location.hash.slice(1));
    pick(asked > 0 ? asked - 1 : violated >= 0 ? violated : 0, asked > 0);
    if (!(asked > 0) && boxes.length) {
      // Within the picture, where that scrolls: the page itself begins at its top.
      const [box, frame] = [boxes[picked], byId("picture")].map(part => part.getBoundingClientRect());
      byId("picture").scrollTop += Math.max(0, box.bottom + 12 - frame.bottom);
    }
    """#
}
