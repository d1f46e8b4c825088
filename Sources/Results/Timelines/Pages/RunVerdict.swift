import Failures
import Prose

/// The bug report of a run, with the violation, the steps that prove it, the cause and the remedy.
/// Other violations follow.
struct RunVerdict {
  private let report: RunReport
  private let main: Int?

  init(_ report: RunReport) {
    self.report = report
    main = report.main
  }

  private var timeline: Timeline { report.timeline }

  var html: String {
    guard let main else {
      return """
        <div class="verdict fine-run">
        <h2 class="kind"><span class="sign" aria-hidden="true">✓</span> \
        <strong>No invariant was violated in this run</strong></h2>
        </div>
        """
    }
    return "<div class=\"verdict\">\n\(finding(main, isMain: true))\n\(others)\n</div>"
  }

  // MARK: One violation

  private func finding(_ index: Int, isMain: Bool) -> String {
    let finding = timeline.findings[index]
    let advice = report.advice(on: finding.kind)
    let parts = [
      isMain
        ? "<h2 class=\"kind\"><span class=\"sign\" aria-hidden=\"true\">✗</span> "
          + "<strong>\(escaped(finding.kind.name))</strong> "
          + place(of: index) + "</h2>" : "",
      "<p class=\"sentence\">\(escaped(capitalized(finding.sentence)))</p>",
      "<div class=\"evidence\">\(proof(finding))\(advice.map(html) ?? "")</div>",
    ]
    return "<div class=\"finding\" data-finding=\"\(index)\">\n"
      + parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n</div>"
  }

  /// Returns a button that leads to the moment that revealed the violation.
  private func place(of index: Int) -> String {
    let text = escaped(timeline.findings[index].place)
    let moment = timeline.moments.firstIndex { $0.violations.contains(index) }
    return moment.map {
      "<button type=\"button\" class=\"place\" data-go=\"\($0)\">\(text)</button>"
    } ?? "<span class=\"fine\">\(text)</span>"
  }

  private func proof(_ finding: Timeline.Finding) -> String {
    if finding.proof.isEmpty { return "" }
    let lines = finding.proof.map { step in
      let number = step.step > 0 ? "<span class=\"at\">step \(step.step)</span> " : ""
      let text = number + escaped(step.text)
      return step.moment.map {
        "<li><button type=\"button\" data-go=\"\($0)\">\(text)</button></li>"
      }
        ?? "<li class=\"unplaced\"><span>\(text)</span></li>"
    }
    return
      "<div><h3>Proof</h3>\n<ol class=\"proof-lines\">\n\(lines.joined(separator: "\n"))\n</ol></div>"
  }

  private func html(_ advice: RunReport.Advice) -> String {
    let rows = [("Cause", advice.cause), ("Remedy", advice.remedy)].compactMap { name, text in
      text.map { "<div><dt>\(name)</dt><dd>\(escaped(capitalized($0)))</dd></div>" }
    }
    return rows.isEmpty ? "" : "<dl class=\"facts\">\(rows.joined())</dl>"
  }

  /// Returns the text with a capital first letter, unless it begins with a word of code.
  private func capitalized(_ text: String) -> String {
    let word = text.prefix { $0.isLetter || $0.isNumber }
    let names = timeline.places + timeline.objects
    let isPlain = word.allSatisfy(\.isLowercase) && !names.contains(String(word))
    return isPlain ? text.prefix(1).uppercased() + text.dropFirst() : text
  }

  // MARK: Others

  /// The first violation of each other kind.
  private var others: String {
    guard let main else { return "" }
    var kinds: [FailureKind] = []
    for finding in timeline.findings
    where finding.kind != timeline.findings[main].kind && !kinds.contains(finding.kind) {
      kinds.append(finding.kind)
    }
    let own = timeline.findings.count { $0.kind == timeline.findings[main].kind }
    var parts: [String] = []
    if own > 1 {
      parts.append("<p class=\"fine\">\(own - 1) more of this kind in this run.</p>")
    }
    if !kinds.isEmpty {
      parts.append(
        "<details class=\"others\"><summary>Also seen: \(kinds.count) other "
          + "kind\(kinds.count == 1 ? "" : "s") of violation</summary>\n"
          + kinds.map(other).joined(separator: "\n") + "\n</details>")
    }
    return parts.joined(separator: "\n")
  }

  private func other(_ kind: FailureKind) -> String {
    guard let index = timeline.findings.firstIndex(where: { $0.kind == kind }) else { return "" }
    let count = timeline.findings.count { $0.kind == kind }
    return "<div class=\"other\"><p><strong>\(escaped(kind.name))</strong> <span class=\"fine\">"
      + "\(escaped(timeline.findings[index].place))\(count > 1 ? ", \(grouped(count)) times" : "")"
      + "</span> <button type=\"button\" data-show=\"\(index)\">Show in the picture</button></p>\n"
      + finding(index, isMain: false) + "</div>"
  }
}
