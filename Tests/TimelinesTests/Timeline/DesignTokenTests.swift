import Foundation
import Testing
import Timelines

@Suite struct `The colours of pages` {
  /// Returns the relative luminance of WCAG 2 for each name.
  private func luminances(_ css: Substring) -> [String: Double] {
    var result: [String: Double] = [:]
    for match in css.matches(of: /--([a-z0-9-]+):#([0-9a-f]{3,6});/) {
      let digits = match.2.count == 3 ? match.2.map { "\($0)\($0)" }.joined() : String(match.2)
      let number = Int(digits, radix: 16) ?? 0
      let parts = [number >> 16, number >> 8 & 255, number & 255].map { part in
        let share = Double(part) / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
      }
      result[String(match.1)] = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    return result
  }

  private func contrast(_ a: Double, _ b: Double) -> Double {
    (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  @Test func `the colours of pages can be read, light and dark`() throws {
    let css = DesignTokens.style
    let split = try #require(css.range(of: "@media")?.lowerBound)
    for (scheme, part) in [("light", css[..<split]), ("dark", css[split...])] {
      let all = luminances(part)
      func expect(_ names: [String], on grounds: [String], atLeast ratio: Double) throws {
        for name in names {
          for ground in grounds {
            let found = contrast(try #require(all[name]), try #require(all[ground]))
            #expect(found >= ratio, "\(scheme): \(name) on \(ground) is \(found):1")
          }
        }
      }
      try expect(["ink"], on: ["ground", "box", "bar", "badbox", "goodbox", "pick"], atLeast: 4.5)
      try expect(
        ["faint", "save", "merge", "wait", "bad", "good"], on: ["ground", "box"], atLeast: 4.5)
      try expect(["faint", "wait", "save", "merge"], on: ["bar"], atLeast: 4.5)
      try expect(["bad"], on: ["badbox"], atLeast: 4.5)
      try expect(["onbad"], on: ["bad"], atLeast: 4.5)
      let lanes = (0..<6).map { "lane-\($0)" }
      try expect(lanes, on: ["ground"], atLeast: 4.5)
      // In the list on a phone, a step stands on the wash of its lane, or is selected, or has a
      // violation.
      let notes = ["ink", "faint", "save", "merge", "bad"]
      try expect(lanes + notes, on: ["pick", "badbox"], atLeast: 4.5)
      for lane in 0..<6 {
        try expect(["lane-\(lane)"] + notes, on: ["wash-\(lane)"], atLeast: 4.5)
      }
      try expect(["line", "hop", "focus"], on: ["ground", "box"], atLeast: 3)
    }
  }
}
