import Foundation
import Testing

/// Requirements of keyboards and screen readers that each page must meet.
@Suite(.enabled(if: Browser.path != nil)) struct `Pages for keyboards and screen readers` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-accessible-\(UUID().uuidString)")

  /// A script that notes the violations of a page.
  private static let inspector = """
    <script>
    const lacks = [];
    const all = (selector, root = document) => [...root.querySelectorAll(selector)];
    const isShown = part => part.checkVisibility({ visibilityProperty: true });
    const name = part => (part.getAttribute("aria-label") || part.textContent.trim()
      || part.getAttribute("placeholder") || "");
    const focusable = () => all("a[href], button, input, summary, [tabindex]")
      .filter(part => part.tabIndex >= 0 && !part.disabled && isShown(part));
    if (!document.documentElement.lang) lacks.push("a language");
    if (!document.title) lacks.push("a title");
    if (all("h1").length !== 1) lacks.push("one h1");
    let level = 1;
    for (const head of all("h1, h2, h3, h4").filter(isShown)) {
      const own = Number(head.tagName[1]);
      if (own > level + 1) lacks.push("a level above " + head.textContent);
      level = own;
    }
    const ids = all("[id]").map(part => part.id);
    ids.forEach((id, index) => { if (ids.indexOf(id) < index) lacks.push("an id besides " + id); });
    for (const part of all("[aria-controls], [aria-labelledby]")) {
      for (const kind of ["aria-controls", "aria-labelledby"]) {
        const id = part.getAttribute(kind);
        if (id && !document.getElementById(id)) lacks.push(kind + " " + id);
      }
    }
    for (const part of focusable()) {
      if (!name(part)) lacks.push("a name of " + part.outerHTML.slice(0, 60));
    }
    for (const part of all("[role=group], [role=img], [role=tablist], [role=tabpanel]")) {
      if (!part.getAttribute("aria-label") && !part.getAttribute("aria-labelledby")) {
        lacks.push("a label of " + part.outerHTML.slice(0, 60));
      }
    }
    for (const table of all("table").filter(isShown)) {
      const isNamed = table.caption || table.tHead || table.closest("[aria-label]");
      if (!isNamed) lacks.push("a head or name of a table");
    }
    for (const head of all("thead th")) {
      if (head.textContent && head.scope !== "col") lacks.push("the scope of " + head.textContent);
    }
    for (const list of all("[role=tablist]")) {
      const tabs = all("[role=tab]", list);
      const chosen = tabs.filter(tab => tab.getAttribute("aria-selected") === "true");
      if (chosen.length !== 1) lacks.push("one chosen tab");
      if (tabs.filter(tab => tab.tabIndex === 0).length !== 1) lacks.push("one tab to go to");
    }
    // What scrolls can be scrolled by keys.
    for (const part of all("body *").filter(isShown)) {
      const look = getComputedStyle(part).overflowY;
      const scrolls = (look === "auto" || look === "scroll") && part.scrollHeight > part.clientHeight + 1;
      if (scrolls && part.tabIndex < 0 && !all("a[href], button, [tabindex='0']", part).length) {
        lacks.push("keys that scroll " + part.className);
      }
    }
    // Focus goes down the page, and along a line to the right.
    let last = null;
    for (const part of focusable()) {
      if (getComputedStyle(part.closest(".inspector") ?? part).position === "sticky") continue;
      const box = part.getBoundingClientRect();
      if (last && box.bottom <= last.top && box.left <= last.right && !part.closest(".inspector")) {
        lacks.push("order: " + name(part).slice(0, 30) + " stands above what comes before it");
      }
      last = box;
    }
    // Where the focus is can be seen.
    for (const part of focusable().slice(0, 40)) {
      part.focus({ focusVisible: true });
      const look = getComputedStyle(part);
      if (document.activeElement !== part) lacks.push("focus on " + name(part).slice(0, 30));
      else if (look.outlineStyle === "none" && look.boxShadow === "none" && !part.closest("svg")) {
        lacks.push("a sign of focus at " + name(part).slice(0, 30));
      }
    }
    // A page of a browser that is not active yet shows no focus.
    if (document.hasFocus()) {
      document.body.dataset.seen = "lacks: " + lacks.slice(0, 12).join("; ");
    }
    </script></body>
    """

  private func lacks(_ page: URL, width: Int) throws -> Substring {
    let html = try String(contentsOf: page, encoding: .utf8)
    try Data(html.replacing("</body>", with: Self.inspector).utf8).write(to: page)
    let seen = try Browser.seen(page, width: width, profile: folder)
    return seen.trimmingPrefix("lacks: ")
  }

  private func page(_ words: [String]) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let page = folder.appendingPathComponent("page.html")
    let result = try Faultline.run(words + ["--html", page.path])
    #expect(result.code < 2, "\(result.error)")
    return page
  }

  /// The page has counts of entry points, groups, and folded failures.
  @Test(arguments: [500, 1280])
  func `the page of a campaign on a stack is accessible`(width: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = try page([
      "fuzz", "--runs", "60", "--seed", "2", "--stack", "modal-edit-child", "--model",
      "Fixtures/Models/Note.model", "--failures", "none",
    ])
    let html = try String(contentsOf: page, encoding: .utf8)
    #expect(html.contains("Entry points called") && html.contains("<b>design</b>: "))
    let lacks = try lacks(page, width: width)
    #expect(lacks == "")
  }

  /// The page has a tab for each outcome.
  @Test(arguments: [500, 1280]) func `the page of an exploration is accessible`(width: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = try page([
      "explore", "Scenarios/Stacks/observer-merges-against-a-fetch.scenario",
    ])
    let html = try String(contentsOf: page, encoding: .utf8)
    #expect(html.contains("role=\"tablist\""))
    let lacks = try lacks(page, width: width)
    #expect(lacks == "")
  }

  @Test(arguments: [500, 1280]) func `the page of a run is accessible`(width: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = try page(["replay", "Scenarios/Conflicts/two-saves-cross.scenario"])
    let lacks = try lacks(page, width: width)
    #expect(lacks == "")
  }

  @Test func `the book of scenarios is accessible`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let book = try Faultline.run(["scenario", "book", "Scenarios", "--to", folder.path])
    #expect(book.code == 0, "\(book.error)")
    let index = folder.appendingPathComponent("index.html")
    #expect(try String(contentsOf: index, encoding: .utf8).contains("<article class=\"card\">"))
    let lacks = try lacks(index, width: 1280)
    #expect(lacks == "")
  }
}
