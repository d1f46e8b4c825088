import Catalogue
import InputFiles
import TestSupport
import Testing

/// A list of facts with an error, and the message about it.
struct MalformedList: CustomTestStringConvertible {
  let text: String
  let complaint: String

  init(_ text: String, _ complaint: String) {
    self.text = text
    self.complaint = complaint
  }

  var testDescription: String { complaint }
}

@Suite struct `A list of facts` {
  @Test func `a list of facts has sections, grades, excuses and points`() throws {
    let list = try FactList(
      parsing: """
        # Prose.

        section  One
          AB-01  certain  The first.
          AB-A2  noted  The second, with  two spaces.
            excused  sqliteFile  no file

        section  Contested points
          X-01  contested  Which?
            about  AB-01 AB-A2
          C12  contested  Or that?

        """, file: "Facts.txt")
    #expect(list.sections.map(\.title) == ["One", "Contested points"])
    #expect(list.facts.map(\.id.description) == ["AB-01", "AB-A2", "X-01", "C12"])
    #expect(list.facts.map(\.grade) == [.certain, .noted, .contested, .contested])
    #expect(list.facts.map(\.line) == [4, 5, 9, 11])
    #expect(list.facts[1].sentence == "The second, with  two spaces.")
    #expect(list.facts[1].excuse?.reason == .sqliteFile)
    #expect(list.facts[1].excuse?.words == "no file")
    #expect(list.facts[2].about.map(\.description) == ["AB-01", "AB-A2"])
  }

  @Test(arguments: sections + facts + remarks)
  func `a malformed list is refused with the line and the correction`(list: MalformedList) {
    var complaint: String? = nil
    do throws(InputError) {
      _ = try FactList(parsing: list.text, file: "Facts.txt")
    } catch {
      complaint = error.description
    }
    #expect(complaint == "Facts.txt:" + list.complaint)
  }

  private static let sections = [
    MalformedList("", " no facts; begin with 'section  TITLE'"),
    MalformedList("# Prose.\n", " no facts; begin with 'section  TITLE'"),
    MalformedList(
      "sectoin  One\n",
      "1: 'sectoin' does not begin a section; write 'section  TITLE', and indent facts by 2"),
    MalformedList("section\n", "1: a section without a title; write 'section  TITLE'"),
    MalformedList(
      "section  One\n", "1: section 'One' has no facts; write them below it or drop it"),
    MalformedList(
      "section  One\nsection  Two\n  AB-01  likely  A.\n",
      "1: section 'One' has no facts; write them below it or drop it"),
    MalformedList(
      "section  One\n  AB-01  likely  A.\nsection  One\n",
      "3: section 'One' is given twice, first on line 1; keep one"),
    MalformedList(
      "section  One\r\n",
      "1: a tab, a carriage return or another control character; write spaces"),
    MalformedList(
      "section  One\n\tAB-01  likely  A.\n",
      "2: a tab, a carriage return or another control character; write spaces"),
    MalformedList(
      "section  One\n   AB-01  likely  A.\n",
      "2: indented by 3; do not indent a section, indent a fact by 2 and its other lines by 4"),
  ]

  private static let facts = [
    MalformedList(
      "  AB-01  likely  A.\n", "1: a fact without a section; write 'section  TITLE' above it"),
    malformedFact(
      "  AB-1  likely  A.", "'AB-1' is not an ID; write one such as SV-04, SV-A4, X-04 or C4"),
    malformedFact(
      "  AB-A01  likely  A.", "'AB-A01' is not an ID; write one such as SV-04, SV-A4, X-04 or C4"),
    malformedFact(
      "  ab-01  likely  A.", "'ab-01' is not an ID; write one such as SV-04, SV-A4, X-04 or C4"),
    malformedFact(
      "  C01  likely  A.", "'C01' is not an ID; write one such as SV-04, SV-A4, X-04 or C4"),
    malformedFact(
      "  -  likely  A.", "'-' is not an ID; write one such as SV-04, SV-A4, X-04 or C4"),
    malformedFact(
      "  AB-99999999999999999999  likely  A.",
      "'AB-99999999999999999999' is not an ID; write one such as SV-04, SV-A4, X-04 or C4"),
    malformedFact(
      "  AB-01 likely A.",
      "'AB-01 likely A.' is not an ID; write one such as SV-04, SV-A4, X-04 or C4"),
    malformedFact(
      "  AB-01", "AB-01 is not complete; write 'ID  GRADE  SENTENCE', with two spaces between"),
    malformedFact(
      "  AB-01  likely",
      "AB-01 is not complete; write 'ID  GRADE  SENTENCE', with two spaces between"),
    malformedFact(
      "  AB-01  sure  A.", "AB-01 cannot be 'sure'; it is certain, likely or contested"),
    malformedFact(
      "  AB-01  tested  A.", "AB-01 cannot be 'tested'; it is certain, likely or contested"),
    malformedFact(
      "  AB-A1  certain  A.", "AB-A1 cannot be 'certain'; it is tested, noted or documented"),
    malformedFact("  C1  certain  A.", "C1 cannot be 'certain'; it is contested"),
    malformedFact("  AB-01  likely  A. ", "a space at the end; remove it"),
    malformedFact(
      "  AB-01  likely  \(String(repeating: "a", count: 141))",
      "the sentence of AB-01 has 141 characters; at most 140 fit a line"),
    MalformedList(
      "section  One\n  AB-01  likely  A.\nsection  Two\n  AB-01  likely  B.\n",
      "4: AB-01 is given twice, first on line 2; keep one"),
  ]

  private static let remarks = [
    malformedFact("    excused  kvo  A.", "does not belong to a fact; write it below a fact"),
    malformedRemark(
      "excusde  kvo  A.", "'excusde' is not a property of a fact; write 'excused' or 'about'"),
    malformedRemark(
      "excused  tooHard  I would rather not.",
      "AB-01 is excused by 'tooHard'; the reason is sqliteFile, kvo, migration, cloudKit or oldDefect"
    ),
    malformedRemark(
      "excused",
      "AB-01 is excused by ''; the reason is sqliteFile, kvo, migration, cloudKit or oldDefect"
    ),
    malformedRemark(
      "excused  kvo", "AB-01 is excused without an explanation; write 'excused  kvo  WORDS'"),
    MalformedList(
      "section  One\n  AB-01  likely  A.\n    excused  kvo  A.\n    excused  kvo  A.\n",
      "4: AB-01 is excused twice; once is enough"),
    malformedRemark("about  AB-02", "AB-01 is not a contested point; 'about' is for X-04 or C4"),
    malformedPoint("about", "'about' without an ID; write 'about  ID ID…'"),
    malformedPoint(
      "about  X-02", "'X-02' is not the ID of a fact; write one such as SV-04 or SV-A4"),
    malformedPoint("about  AB-02", "X-01 is about AB-02, which is not in the list"),
    MalformedList(
      "section  One\n  AB-01  likely  A.\n  X-01  contested  A.\n    about  AB-01\n    about  AB-01\n",
      "5: X-01 says 'about' twice; once is enough"),
  ]

  private static func malformedFact(_ line: String, _ complaint: String) -> MalformedList {
    MalformedList("section  One\n\(line)\n", "2: \(complaint)")
  }

  private static func malformedRemark(_ line: String, _ complaint: String) -> MalformedList {
    MalformedList("section  One\n  AB-01  likely  A.\n    \(line)\n", "3: \(complaint)")
  }

  private static func malformedPoint(_ line: String, _ complaint: String) -> MalformedList {
    MalformedList("section  One\n  X-01  contested  A?\n    \(line)\n", "3: \(complaint)")
  }

  /// Any result but a list or an error would be a trap.
  @Test func `a list of facts is read or refused, however it is garbled`() throws {
    let text = try TextFile.read(path: Repository.root + "/" + FactCoverage.listPath)
    let bytes = Array(text.utf8.prefix(4_000))
    for position in stride(from: 0, to: bytes.count, by: 7) {
      for byte in [UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "9"), 0xC3, 0] {
        var garbled = bytes
        garbled[position] = byte
        _ = try? FactList(parsing: String(decoding: garbled, as: UTF8.self), file: "Facts.txt")
        _ = try? FactList(
          parsing: String(decoding: garbled.prefix(position + 1), as: UTF8.self), file: "Facts.txt")
      }
    }
  }
}
