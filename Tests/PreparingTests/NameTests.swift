import Foundation
import Preparing
import Testing

@Suite struct `A name in a prepared source` {
  @Test(arguments: [
    ("NSDate()", "NSDate(ofRun: ())"),
    ("NSUUID().uuidString", "NSUUID(ofRun: ()).uuidString"),
    ("NSDate(timeIntervalSince1970: 0)", "NSDate(timeIntervalSince1970: 0)"),
    ("Date.timeIntervalSinceReferenceDate", "Date().timeIntervalSinceReferenceDate"),
    ("date.timeIntervalSinceReferenceDate", "date.timeIntervalSinceReferenceDate"),
    ("Date.distantPast", "Date.distantPast"),
    ("import ObjectiveC", ""),
    ("import CoreGraphics", ""),
    ("import struct CoreGraphics.CGFloat", ""),
    ("internal import CoreGraphics", ""),
    ("import CoreData.CoreDataDefines", "import CoreData"),
    ("import class CoreData.NSManagedObject", "import class CoreData.NSManagedObject"),
  ])
  func `a name stands for what the run, or Linux, has`(
    source: String, prepared: String
  ) throws {
    let lines = try PreparedSource(source).body.split(separator: "\n")
    #expect(
      lines.joined().trimmingCharacters(in: .whitespaces)
        == prepared.trimmingCharacters(in: .whitespaces))
  }

  @Test func `a name changes for a type that is private to the file`() throws {
    let source = try PreparedSource(
      "private struct Timer {}\nstruct A { let a: Timer = Timer(); let b: Date.Timer; let c: Foundation.Timer }"
    )
    #expect(
      source.body
        == "private struct __PrivateTimer {}\n"
        + "struct A { let a: __PrivateTimer = __PrivateTimer(); let b: Date.Timer; "
        + "let c: __FoundationTimer }")
    let shared = "struct Timer {}\nlet a = Timer()"
    #expect(try PreparedSource(shared).body == shared)
  }
}
