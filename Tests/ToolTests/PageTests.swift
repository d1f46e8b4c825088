import Foundation
import Testing

/// The page of a run in a browser, where there is one.
@Suite(.enabled(if: Browser.path != nil)) struct `The page of a run` {
  /// Before anything of the page: what goes wrong from then on is seen, too.
  private static let listener = """
    <head><script>
    const seen = [];
    addEventListener("error", event => seen.push("error: " + event.message));
    console.error = message => seen.push("error: " + message);
    </script>
    """

  /// Appended to the page: works it like a person would, and leaves what it saw where the test
  /// finds it.
  private static let visitor = """
    <script>
    const look = () => seen.push(document.getElementById("what").textContent + "|"
      + document.querySelectorAll(".picked").length + "|"
      + document.querySelectorAll("td.changed").length);
    const press = key => dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    look();
    const box = document.querySelector(".picked").getBoundingClientRect();
    const frame = document.getElementById("picture").getBoundingClientRect();
    seen.push("in sight: " + (box.bottom <= frame.bottom && scrollY === 0));
    press("ArrowUp"); look();
    document.getElementById("previous").click(); look();
    document.querySelector("[data-moment='0']").dispatchEvent(new MouseEvent("click")); look();
    press("ArrowLeft"); look();
    document.querySelector("[data-pick]").click(); look();
    for (let i = 0; i < 40; i++) press("ArrowDown");
    look();
    seen.push("later is " + (document.getElementById("next").disabled ? "off" : "on"));
    seen.push("wide: " + (document.documentElement.scrollWidth > innerWidth));
    document.body.dataset.seen = seen.join("; ");
    </script>
    </body>
    """

  @Test(arguments: [420, 1280]) func `is worked by clicks and keys`(width: Int) throws {
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
    let dump = try Browser.dump(page, width: width, profile: folder)
    let seen = try #require(dump.firstMatch(of: /data-seen="([^"]*)"/)?.1, "\(dump.prefix(400))")
    #expect(
      seen == """
        left  save|1|2; in sight: true; left  merges what view saved|1|1; 'merges what view saved' waits \
        for the main queue|1|0; view  insert Note as n|1|1; view  insert Note as n|1|1; \
        left  save|1|2; left  save|1|2; later is off; wide: false
        """)
  }
}

/// A browser without a window.
enum Browser {
  static let path = ["chromium", "chromium-browser", "google-chrome"].lazy
    .flatMap { name in ["/usr/bin/", "/usr/local/bin/"].map { $0 + name } }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// What the page's elements are once its scripts have run.
  static func dump(_ page: URL, width: Int, profile: URL) throws -> String {
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
