import Foundation
import ReferenceModel
import SimulatedCoreData
import Testing
import Vocabulary

/// Engine and reference model implement `[c]` and `[d]` separately.
@Suite struct `A text compared with options` {
  private static let options: [PredicateTree.Options] = [
    [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]

  @Test func `engine and reference model fold a text alike, letter by letter`() {
    let ranges: [ClosedRange<UInt32>] = [0x20...0x24F, 0x370...0x52F, 0x1E00...0x1EFF]
    for scalar in ranges.joined().compactMap({ Unicode.Scalar($0) }) {
      for options in Self.options {
        for text in ["\(scalar)", "x\(scalar)\u{301}y"] {
          let (engine, reference) = (
            PredicateText.folded(text, options), ComparedText.folded(text, options)
          )
          #expect(engine == reference, "\(scalar.value), \(text)")
        }
      }
    }
  }

  /// On Apple's systems `NSPredicate` uses Foundation as well.
  @Test func `a folded text is what Foundation's folding gives`() {
    let latin = (UInt32(0xC0)...0x24F).map { $0 } + (UInt32(0x1E00)...0x1EFF)
    let others = UInt32(0x370)...0x52F
    for value in latin + others {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else { continue }
      let text = String(scalar)
      for (options, foundation) in [
        (PredicateTree.Options.caseInsensitive, String.CompareOptions.caseInsensitive),
        (.diacriticInsensitive, .diacriticInsensitive),
      ] where options == .caseInsensitive || latin.contains(value) {
        let expected = text.folding(options: foundation, locale: nil)
        #expect(PredicateText.folded(text, options) == expected, "\(text)")
        #expect(ComparedText.folded(text, options) == expected, "\(text)")
      }
    }
  }

  @Test(arguments: [
    ("Élan", "elan"), ("Ånge\u{301}", "ange"), ("ǖ", "u"), ("Ế", "e"), ("ø", "ø"), ("ß", "ss"),
    ("İx\u{131}", "ix\u{131}"), ("ǾS", "øs"),
  ])
  func `a folded text loses its marks and capitals, not its strokes`(text: String, folded: String) {
    let both: PredicateTree.Options = [.caseInsensitive, .diacriticInsensitive]
    #expect(PredicateText.folded(text, both) == folded)
    #expect(ComparedText.folded(text, both) == folded)
  }
}
