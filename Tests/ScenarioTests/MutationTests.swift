import ObjectModel
import Scenario
import Testing

/// A linear congruential generator, which gives the same numbers in every run.
private struct FixedNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}

@Suite struct `A garbled text` {
  private static let pieces = [
    " ", "  ", "\n", "\n  ", "\t", "\r", "\"", "\\", "{", "}", "[", "]", "<", ">", "@", ".", ",",
    ":",
    "=", "?", "*", "+", "-", "#", "/", "0", "1", "99999999999999999999", "s99999999999", "nil", "n",
    "Note", "store", "edit", "e", "é", "\u{301}", "\u{0}", "😀", "-1", "1e999", "next", "insert",
    "as",
  ]

  /// Changes one to three things: characters, or whole lines.
  private static func garbled(_ text: String, _ numbers: inout FixedNumbers) -> String {
    var text = text
    for _ in 0...numbers.next(below: 3) {
      if numbers.next(below: 2) == 0 {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let (at, other) = (numbers.next(below: lines.count), numbers.next(below: lines.count))
        switch numbers.next(below: 5) {
        case 0: lines.remove(at: at)
        case 1: lines.insert(lines[at], at: at)
        case 2: lines.swapAt(at, other)
        case 3: lines.insert(lines[at], at: other)
        default: lines[at] = "  " + lines[at]
        }
        text = lines.joined(separator: "\n")
      } else {
        var scalars = Array(text.unicodeScalars)
        if scalars.isEmpty { return text }
        let at = numbers.next(below: scalars.count)
        let piece = pieces[numbers.next(below: pieces.count)].unicodeScalars
        switch numbers.next(below: 4) {
        case 0: scalars.remove(at: at)
        case 1: scalars.insert(scalars[at], at: at)
        case 2: scalars.insert(contentsOf: piece, at: at)
        default: scalars.replaceSubrange(at...at, with: piece)
        }
        text = String(String.UnicodeScalarView(scalars))
      }
    }
    return text
  }

  private static let everything = Examples.scenario(
    header:
      "  SEED1\nquirk  rowHasTwoInstances\nprofile  legacy\nwatch  set\ninterleave  choices 1 2",
    stack: """

        more  privateQueue coordinator store policy overwrite autoMerge undoManager
        observe  didSave edit
          view  performAndWait
            mergeChanges delivered
            set b.title "seen"
      """,
    steps: Examples.inserts + """

        edit  set n.title "x\\n"
          > edit  nothing
        edit  set n.when @9
        edit  set n.price 1.10
        edit  set n.body <s4>
        edit  relate n.folder view.f
        edit  replace n.tags [t u]
        edit  fetch Note where title == "x" and folder == f sort title -stamp offset 1 limit 2
        view  object edit.n as b
        view  perform
          refresh b merging
          edit  sleep 3
        edit  mergeChanges didSave view 1
        edit  obtainPermanentIDs n f
        edit  batchUpdate Note {title: "x", stamp: 3} where stamp > 3
        more  performBackgroundTask
          fetch Note stores main dictionaries title +limit
          directly
            objectForURI edit.n as c
      """,
    claims: """
        count  awakeFromInsert n == 2
        always  equal  view.n {title: "draft", tags: [t Tag/p2], folder: nil}
        sometimes  equal  store.Note [n Note/t1]
        count  saveRequest store == 1
        count  failed managedObjectMerge == 1
        failed  managedObjectMerge
        answered  more found [{title: "x", limit: nil}]
        no  deadlock
        shows  lost update
      """)

  /// Returns whether the text could be read.
  private func expectSameAfterPrinting(_ text: String) -> Bool {
    guard let scenario = try? Examples.parse(text) else { return false }
    let printed = ScenarioText.print(scenario)
    #expect((try? Examples.parse(printed)) == scenario, "\(text)")
    return true
  }

  @Test func `a garbled scenario gives an error, or a scenario that survives printing`() throws {
    #expect(ScenarioText.print(try Examples.parse(Self.everything)) == Self.everything)
    var numbers = FixedNumbers(seed: 1)
    var readableCount = 0
    for round in 0..<7_000 {
      let text = Self.garbled(round % 3 == 0 ? Examples.design : Self.everything, &numbers)
      if expectSameAfterPrinting(text) { readableCount += 1 }
    }
    // Neither result is rare, or the test would prove little.
    #expect((1_000...6_000).contains(readableCount))
  }

  @Test func `a garbled model gives an error, or a model that survives printing`() throws {
    var numbers = FixedNumbers(seed: 2)
    var readableCount = 0
    for _ in 0..<6_000 {
      let text = Self.garbled(Examples.model, &numbers)
      guard let model = try? ModelText.parse(text) else { continue }
      readableCount += 1
      model.checkInvariants()
      #expect((try? ModelText.parse(ModelText.print(model))) == model, "\(text)")
    }
    #expect((500...5_000).contains(readableCount))
  }
}
