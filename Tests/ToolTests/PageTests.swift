import Foundation
import Testing

/// The page of a run in a browser, if there is one.
@Suite(.enabled(if: Browser.path != nil)) struct `The page of a run` {
  /// The script runs before the page's own, so that it also sees later errors.
  private static let listener = """
    <head><script>
    const seen = [];
    addEventListener("error", event => seen.push("error: " + event.message));
    console.error = message => seen.push("error: " + message);
    </script>
    """

  /// A script at the end of the page, which uses the page like a person and leaves its notes for
  /// the test.
  private static let visitor = """
    <script>
    const all = selector => document.querySelectorAll(selector);
    const one = selector => document.querySelector(selector);
    const look = () => seen.push(one(".what").textContent + "|" + all(".moment.picked").length + "|"
      + all(".changes tbody tr").length);
    const press = (key, target) => (target ?? document.body).dispatchEvent(
      new KeyboardEvent("keydown", { key, cancelable: true, bubbles: true }));
    look();
    seen.push("changes: " + [...all(".changes tbody tr")].map(row => [...row.cells]
      .map(cell => cell.textContent).join(" ")).join(" / "));
    press("ArrowUp"); look();
    one(".previous").click(); look();
    one("[data-moment='0']").dispatchEvent(new MouseEvent("click")); look();
    press("ArrowLeft"); look();
    one(".proof-lines [data-go]").click(); look();
    for (let i = 0; i < 40; i++) press("ArrowDown");
    look();
    seen.push("later is " + (one(".next").disabled ? "off" : "on"));
    seen.push("focusable: " + all(".steps [tabindex='0']").length);
    press("/"); seen.push("on the whole page: " + (document.activeElement === one(".find")));
    press("/", one(".moment")); seen.push("in the field: " + (document.activeElement === one(".find")));
    one(".find").value = "merges save"; one(".find").dispatchEvent(new Event("input"));
    seen.push(one(".found-count").textContent);
    press("Enter", one(".find")); look();
    press("Escape", one(".find")); seen.push("left: " + (one(".find").value === ""));
    const isStanding = () => one(".frame").classList.contains("focus");
    seen.push("proof: " + isStanding() + " " + all(".moment.proof").length);
    one(".focus-off").click(); seen.push("all: " + !isStanding());
    const list = one(".list").getClientRects().length, drawn = one(".frame").getClientRects().length;
    seen.push(list && !drawn ? "list" : drawn && !list ? "picture" : "both");
    const width = svg => svg.getBoundingClientRect().width;
    const before = width(one(".steps"));
    one(".larger").click();
    seen.push("zoomed: " + (drawn === 0 || width(one(".steps")) > before
      && width(one(".steps")) === width(one(".heads"))));
    seen.push("boxed: " + [...all(".frame, .list")].some(part => part.scrollHeight > part.clientHeight + 1));
    scrollTo(0, one(".stage").getBoundingClientRect().top + scrollY + 150);
    seen.push("names in sight: " + (drawn === 0
      || Math.abs(one(".heads-frame").getBoundingClientRect().top) < 1));
    seen.push("wide: " + (document.documentElement.scrollWidth > innerWidth));
    document.body.dataset.seen = seen.join("; ");
    </script>
    </body>
    """

  @Test(arguments: [500, 768, 1280])
  func `the page responds to clicks and keys`(width: Int) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(
        "faultline-page-\(ProcessInfo.processInfo.processIdentifier)-\(width)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appendingPathComponent("run.html")
    let result = try Faultline.run([
      "replay", "Scenarios/Conflicts/childs-merge-loses-an-update.scenario", "--html", page.path,
    ])
    #expect(result.code == 0 && result.error.contains("written"), "\(result.error)")
    let html = try String(contentsOf: page, encoding: .utf8)
    try #require(html.contains("<head>"))
    let watched = html.replacing("<head>", with: Self.listener, maxReplacements: 1)
    try Data(watched.replacing("</body>", with: Self.visitor).utf8).write(to: page)
    let found = try Browser.seen(page, width: width, profile: folder)
    let seen = found.replacing("&quot;", with: "\"")
    #expect(
      seen == """
        left  save|1|3; changes: view n updated / view n.title "right" → "left" / left n updated → unchanged; \
        left  merges a save of view|1|1; 'merges a save of view' waits for the main queue|1|0; \
        view  insert Note as n|1|1; view  insert Note as n|1|1; left  set n.title "left"|1|2; \
        left  save|1|3; later is off; focusable: 1; on the whole page: false; in the field: true; \
        3 found; left  merges a save of view|1|0; left: true; proof: true 4; all: true; \
        \(width < 600 ? "list" : "picture"); zoomed: true; boxed: false; names in sight: true; wide: false
        """)
  }

  /// The page is of a run of 12 rows. Verdict, proof, cause and remedy are above the picture, and
  /// the stack is beside it.
  @Test func `the page shows the step that fails on the first screen`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-first-screen-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appendingPathComponent("run.html")
    _ = try Faultline.run([
      "replay", "Scenarios/Conflicts/childs-merge-loses-an-update.scenario", "--html", page.path,
    ])
    let script = """
      <script>
      addEventListener("load", () => setTimeout(() => {
        const box = selector => document.querySelector(selector).getBoundingClientRect();
        const [stage, failing] = [box(".stage"), box(".moment.violated")];
        const above = [".sentence", ".proof-lines", ".verdict .facts"].map(box);
        document.body.dataset.seen = "at the top: " + (scrollY === 0)
          + "; in sight: " + (failing.bottom < 900)
          + "; above: " + above.every(part => part.height > 20 && part.bottom <= stage.top)
          + "; beside: " + (box(".stack").left >= stage.right && box(".stack").top < stage.top);
      }, 300));
      </script></body>
      """
    let html = try String(contentsOf: page, encoding: .utf8)
    try Data(html.replacing("</body>", with: script).utf8).write(to: page)
    let seen = try Browser.seen(page, width: 1280, profile: folder)
    #expect(seen == "at the top: true; in sight: true; above: true; beside: true")
  }

  /// A script that goes to each line of the proof, unfolds the details, and focuses each step and
  /// control before them. It notes the steps that the details cover.
  private static let coveredSteps = """
    <script>
    const all = selector => [...document.querySelectorAll(selector)];
    const panel = document.querySelector(".inspector");
    const seen = [];
    const isWhole = step => {
      const [box, edge] = [step.getBoundingClientRect(), panel.getBoundingClientRect()];
      return box.top >= 0 && box.bottom <= edge.top + 1;
    };
    const note = (what, step) => { if (!isWhole(step)) seen.push(what + step.textContent); };
    const steps = () => all(".list button, .steps .moment").filter(part => part.getClientRects().length);
    const picked = () => steps().find(part => part.getAttribute("aria-current") === "step");
    const go = what => all(".proof-lines [data-go]").forEach(button => {
      scrollTo(0, 0);
      button.click();
      note(what, picked());
    });
    setTimeout(() => {
      go("folded: ");
      const before = panel.offsetHeight;
      document.querySelector(".unfold").click();
      note("folded out: ", picked());
      go("open: ");
      const isTaller = panel.offsetHeight > before;
      setTimeout(() => {
        const parts = all(".run button, .run input, .run summary, .moment").filter(part =>
          part.checkVisibility() && part.tabIndex >= 0 && !part.disabled && !panel.contains(part)
            && panel.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_PRECEDING);
        // Each stands at the lower edge of the window, behind the details, until it has the focus.
        document.body.style.paddingTop = "1000px";
        for (const part of parts) {
          document.activeElement.blur();
          scrollTo(0, 0);
          scrollTo(0, part.getBoundingClientRect().bottom - innerHeight + 10);
          part.focus();
          note("focused: ", part);
        }
        // A page of a browser that is not active yet brings nothing into sight.
        if (document.hasFocus()) {
          document.body.dataset.seen = "taller: " + isTaller + "; many: " + (parts.length > 10)
            + "; covered: " + seen.join(", ");
        }
      }, 300);
    }, 300);
    </script></body>
    """

  @Test(arguments: [500, 768]) func `the page covers no step that it goes to`(width: Int) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-covered-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appendingPathComponent("run.html")
    _ = try Faultline.run([
      "replay", "Scenarios/Conflicts/childs-merge-loses-an-update.scenario", "--html", page.path,
    ])
    let html = try String(contentsOf: page, encoding: .utf8)
    try Data(html.replacing("</body>", with: Self.coveredSteps).utf8).write(to: page)
    let seen = try Browser.seen(page, width: width, profile: folder)
    #expect(seen == "taller: true; many: true; covered: ")
  }
}

/// A browser without a window.
enum Browser {
  static let path = ["chromium", "chromium-browser", "google-chrome"].lazy
    .flatMap { name in ["/usr/bin/", "/usr/local/bin/"].map { $0 + name } }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Returns the notes of the page's scripts. On a busy machine a page may load before the browser
  /// is active, and notes nothing. Then it is loaded again.
  static func seen(_ page: URL, width: Int, profile: URL) throws -> String {
    var dump = ""
    for _ in 1...10 {
      dump = try Browser.dump(page, width: width, profile: profile)
      if let seen = dump.firstMatch(of: /data-seen="([^"]*)"/)?.1 { return String(seen) }
    }
    throw NothingSeen(page: String(dump.prefix(400)))
  }

  private struct NothingSeen: Error { let page: String }

  /// Returns the elements of a page once its scripts have run.
  private static func dump(_ page: URL, width: Int, profile: URL) throws -> String {
    let browser = Process()
    browser.executableURL = URL(fileURLWithPath: path ?? "")
    browser.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(profile.path)/profile",
      "--window-size=\(width),900", "--virtual-time-budget=4000", "--dump-dom",
      page.absoluteString,
    ]
    let output = Pipe()
    browser.standardOutput = output
    browser.standardError = FileHandle.nullDevice
    try browser.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    browser.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
