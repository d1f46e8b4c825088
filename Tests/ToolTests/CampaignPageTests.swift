import Foundation
import Testing

/// The pages of a campaign and of all scenarios in a browser, if there is one.
@Suite(.enabled(if: Browser.path != nil)) struct `Pages in a browser` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-pages-\(UUID().uuidString)")

  /// Returns the notes of a visiting script, which begins before the page's own script.
  private func visit(_ page: URL, width: Int, _ script: String) throws -> String {
    let html = try String(contentsOf: page, encoding: .utf8)
    let before = """
      <script>const seen = [];
      addEventListener("error", event => seen.push("error: " + event.message));
      console.error = message => seen.push("error: " + message);</script>
      """
    let after = """
      <script>\(script)
      seen.push("wide: " + (document.documentElement.scrollWidth > innerWidth));
      document.body.dataset.seen = seen.join("; ");</script></body>
      """
    let changed = html.replacing("<head>", with: "<head>" + before)
      .replacing("</body>", with: after)
    try Data(changed.utf8).write(to: page)
    return try Browser.seen(page, width: width, profile: folder)
  }

  @Test(arguments: [420, 1280]) func `a campaign can be sorted and unfolded`(width: Int) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appendingPathComponent("campaign.html")
    let result = try Faultline.run([
      "fuzz", "--runs", "150", "--seed", "2", "--model", "Fixtures/Models/Note.model", "--html",
      page.path, "--only-steps", "insert", "--only-steps", "set", "--only-steps", "save",
      "--only-steps", "fetch",
    ])
    // There is no baseline, so every failure is new.
    #expect(result.code == 1, "\(result.error)")
    let seen = try visit(
      page, width: width,
      """
      const rows = () => [...document.querySelectorAll("#violations tbody tr")];
      const counts = () => rows().map(row => parseInt(row.children[1].textContent.replace(",", "")));
      const sorted = numbers => numbers.every((n, i) => i === 0 || numbers[i - 1] >= n);
      const head = document.querySelectorAll("#violations th button")[1];
      seen.push(rows().length >= 3 ? "rows" : "few");
      head.click(); seen.push("down: " + sorted(counts()));
      head.click(); seen.push("up: " + sorted(counts().reverse()));
      const folded = document.querySelectorAll("details.failure:not([open])").length;
      const row = rows().find(row => !document.getElementById("failure-" + row.dataset.open).open);
      row.click();
      seen.push("opened: " + (folded - document.querySelectorAll("details.failure:not([open])").length));
      const opened = document.getElementById("failure-" + row.dataset.open);
      opened.querySelector(".copy").click();
      const first = opened.querySelector(".what").textContent;
      opened.querySelector(".previous").click();
      seen.push("stepped: " + (opened.querySelector(".what").textContent !== first));
      seen.push("pictures: " + (document.querySelectorAll("details.failure svg.steps").length === rows().length));
      seen.push("marks: " + document.querySelectorAll(".counts").length);
      """)
    #expect(
      seen
        == "rows; down: true; up: true; opened: 1; stepped: true; pictures: true; marks: 2; wide: false"
    )
  }

  /// As on a terminal, an entry point that no program has called was not tested.
  @Test func `a campaign on a design counts the calls of its entry points`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appendingPathComponent("campaign.html")
    let result = try Faultline.run([
      "fuzz", "--runs", "20", "--seed", "2", "--stack",
      "Fixtures/Example/Tests/NotesTests/Form.stack",
      "--failures", "none", "--html", page.path,
    ])
    let verdict = try #require(result.output.firstMatch(of: /\nFAIL  (.*)\n/)?.1)
    let html = try String(contentsOf: page, encoding: .utf8)
    #expect(html.contains("<h1>\(verdict)</h1>"), "\(verdict)")
    let counted = try #require(result.output.firstMatch(of: /entry points called: (.*)/)?.1)
    let seen = try visit(
      page, width: 1280,
      """
      const rows = [...document.querySelectorAll("[aria-label='Entry points called'] tr")];
      seen.push(rows.map(row => row.children[0].textContent + " "
        + row.children[1].textContent + " times").join(", "));
      """)
    #expect(seen == "\(counted); wide: false")
  }

  /// Returns the notes of a script on the page of a scenario.
  private func visit(scenario: String, width: Int, _ script: String) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let page = folder.appendingPathComponent("run.html")
    let result = try Faultline.run([
      "replay", "Scenarios/\(scenario).scenario", "--html", page.path,
    ])
    #expect(result.code == 0, "\(result.error)")
    return try visit(page, width: width, script)
  }

  @Test func `another violation takes the place of the first in the picture`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let seen = try visit(
      scenario: "Conflicts/two-saves-cross", width: 1280,
      """
      const numbered = () => [...document.querySelectorAll(".marks")]
        .filter(group => getComputedStyle(group).display !== "none")
        .map(group => group.querySelectorAll("text.badge").length).join();
      const proving = () => document.querySelectorAll(".moment.proof").length;
      seen.push(numbered() + " " + proving());
      document.querySelector("[data-show]").click();
      seen.push(numbered() + " " + proving());
      document.querySelector(".proof-lines [data-go]").click();
      seen.push(numbered() + " " + proving());
      """)
    // A line of the second proof is about no single step. Its violation shows at a further step.
    #expect(seen == "4 4; 2 3; 4 4; wide: false")
  }

  @Test(arguments: [420, 1280])
  func `a slider shows the state after a step, and what could have run instead`(width: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let seen = try visit(
      scenario: "Merging/read-before-the-merge", width: width,
      """
      const slider = document.querySelector(".slider");
      slider.value = 5;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      seen.push(document.querySelector(".what").textContent);
      seen.push([...document.querySelectorAll(".now .place")].map(place => [
        place.querySelector("h4").firstChild.textContent,
        place.querySelectorAll(".changed").length, place.querySelectorAll(".unsaved").length
      ].join(" ")).join(", "));
      seen.push([...document.querySelectorAll(".instead li b")].map(part => part.textContent).join());
      const press = new KeyboardEvent(
        "keydown", { key: "ArrowRight", bubbles: true, cancelable: true });
      slider.dispatchEvent(press);
      seen.push("moved twice: " + (press.defaultPrevented || slider.value !== "5"));
      document.querySelector(".next").click();
      seen.push("follows: " + slider.value);
      """)
    #expect(
      seen
        == "sync  set n.title &quot;new&quot;; view 0 0, sync 2 1, store main 0 0, row cache of store 0 0; "
        + "✗ fails alike; moved twice: false; follows: 6; wide: false")
  }

  @Test(arguments: [500, 1280]) func `one outcome is open at a time`(width: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let seen = try visit(
      scenario: "Concurrency/two-contexts-wait-for-each-other", width: width,
      """
      const open = () => [...document.querySelectorAll("[role=tabpanel]")]
        .filter(panel => !panel.hidden).map(panel => panel.id).join();
      const handles = [...document.querySelectorAll("[role=tab]")];
      const press = (key, target) => target.dispatchEvent(
        new KeyboardEvent("keydown", { key, cancelable: true, bubbles: true }));
      seen.push(open());
      press("ArrowRight", handles[0]); seen.push(open());
      seen.push("focus: " + handles.indexOf(document.activeElement));
      press("ArrowRight", handles[1]); seen.push(open());
      handles[1].click(); seen.push(open());
      press("ArrowDown", document.body);
      const shown = document.querySelector(".panel:not([hidden])");
      seen.push("stepped: " + (shown.querySelector(".moment.picked").dataset.moment === "1"));
      seen.push("marked: " + document.querySelectorAll(".panel .parting, .panel .parts").length);
      """)
    #expect(
      seen == "panel-1; panel-2; focus: 1; panel-1; panel-2; stepped: true; marked: 4; wide: false"
    )
  }

  /// Otherwise the parts below the picture would be out of reach.
  @Test func `a long picture scrolls by itself, to the step that fails`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let seen = try visit(
      scenario: "Merging/processor-that-always-writes", width: 1280,
      """
      const frame = document.querySelector(".frame").getBoundingClientRect();
      runs[0].reveal();
      const now = document.querySelector(".moment.picked").getBoundingClientRect();
      seen.push("boxed: " + (frame.height < innerHeight));
      seen.push("in sight: " + (now.top >= frame.top && now.bottom <= frame.bottom));
      seen.push("at the top: " + (scrollY === 0));
      """)
    #expect(seen == "boxed: true; in sight: true; at the top: true; wide: false")
  }

  @Test(arguments: [390, 1280]) func `the book of scenarios can be filtered`(width: Int) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let book = folder.appendingPathComponent("book")
    let result = try Faultline.run(["scenario", "book", "Scenarios", "--to", book.path])
    #expect(result.code == 0, "\(result.error)")
    let seen = try visit(
      book.appendingPathComponent("index.html"), width: width,
      """
      const shown = () => [...document.querySelectorAll("main li")].filter(li => !li.hidden);
      const all = shown().length;
      const box = document.getElementById("filter");
      const type = text => { box.value = text; box.dispatchEvent(new Event("input")); };
      type("deadlock"); const some = shown().length;
      seen.push("fewer: " + (some > 3 && some < all / 4));
      seen.push(document.getElementById("count").textContent.endsWith("found") ? "counted" : "not");
      type("nothing is called this"); seen.push("none: " + shown().length);
      type(""); seen.push("all: " + (shown().length === all));
      """)
    #expect(seen == "fewer: true; counted; none: 0; all: true; wide: false")
  }

  /// The index shows the subjects of hundreds of scenarios, each scenario that a filter finds once,
  /// and the scenario to which a link from another page leads. A filter hides the cards.
  @Test func `the book of scenarios has eight cards and a short index`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try Faultline.run(["scenario", "book", "Scenarios", "--to", folder.path])
    let seen = try visit(
      folder.appendingPathComponent("index.html"), width: 500,
      """
      const read = () => [...document.querySelectorAll("main li")]
        .filter(li => li.checkVisibility()).length;
      const first = document.getElementById("surprises");
      const rest = document.documentElement.scrollHeight - first.offsetHeight;
      seen.push("short: " + (rest < 1200) + " " + read());
      const follows = first.compareDocumentPosition(document.getElementById("subjects"));
      seen.push("cards: " + first.querySelectorAll("article svg").length
        + " " + (follows === Node.DOCUMENT_POSITION_FOLLOWING));
      const box = document.getElementById("filter");
      const type = text => { box.value = text; box.dispatchEvent(new Event("input")); };
      type("deadlock");
      const count = parseInt(document.getElementById("count").textContent);
      seen.push("once: " + (count > 3 && read() === count && !first.checkVisibility()));
      type("");
      seen.push("folded: " + read() + " " + first.checkVisibility());
      location.hash = "#fact-CC-06";
      unfold();
      const group = document.getElementById("fact-CC-06");
      const edge = group.getBoundingClientRect().top;
      seen.push("led: " + (read() > 0 && read() === group.querySelectorAll("li").length
        && edge > -1 && edge < innerHeight));
      """)
    #expect(
      seen
        == "short: true 0; cards: 8 true; once: true; folded: 0 true; led: true; wide: false")
  }

  /// If all failures are new, a column that says so distinguishes nothing.
  @Test func `a campaign says which failures are known or left out only if some are`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func heads(_ options: [String]) throws -> String {
      let page = folder.appendingPathComponent("campaign.html")
      _ = try Faultline.run(
        [
          "fuzz", "--runs", "60", "--seed", "2", "--failures", "none", "--html", page.path,
          "--stack", "Fixtures/Example/Tests/NotesTests/Form.stack", "--strict",
        ] + options)
      return try visit(
        page, width: 1280,
        """
        const last = [...document.querySelectorAll("#violations tr > :last-child")];
        seen.push([...new Set(last.map(cell => isNaN(cell.textContent) ? cell.textContent : "0"))]
          .join(", "));
        """)
    }
    let plain = try heads(["--strict"])
    #expect(plain == "steps, 0; wide: false")
    let allowing = try heads(["--strict", "--allow", "framework"])
    #expect(allowing == "status, new, left out; wide: false")
  }

  /// Every link of the site leads to a page, and to a place on that page.
  @Test func `the links of the book lead to existing places`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try Faultline.run(["scenario", "book", "Scenarios", "--to", folder.path])
    let files = FileManager.default
    let index = try String(contentsOf: folder.appendingPathComponent("index.html"), encoding: .utf8)
    #expect(index.utf8.count < 500_000)
    let anchors = Set(index.matches(of: /id="([^"]*)"/).map { String($0.1) })
    let pages = Set(index.matches(of: /href="([^"#]*)"/).map { String($0.1) })
    #expect(pages.count > 400)
    for page in pages.sorted() {
      let path = folder.path + "/" + page
      #expect(files.fileExists(atPath: path), "\(page)")
      let html = try String(contentsOfFile: path, encoding: .utf8)
      #expect(html.contains("<svg "), "\(page)")
      // The way back comes before everything else.
      let back = html.range(of: "href=\"../index.html\"")?.lowerBound
      #expect(back.map { $0 < (html.range(of: "<h1>")?.lowerBound ?? $0) } == true, "\(page)")
      for match in html.matches(of: /href="..\/index.html#([^"]*)"/) {
        #expect(anchors.contains(String(match.1)), "\(page): \(match.1)")
      }
    }
  }
}
