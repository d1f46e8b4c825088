import Foundation
import InputFiles
import ObjectModel
import TestSupport
import Testing

@Suite struct `A garbled model` {
  private let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  @Test func `a garbled model is read or refused on one line, and never traps`() throws {
    let models = try corpus()
    var mutator = Mutator(state: 1)
    var readCount = 0
    var understoodCount = 0
    for round in 0..<5000 {
      let (name, content) = models[round % models.count]
      let garbled = mutator.garble(content)
      try folder.write(Data(garbled), to: name)
      let error = complaint(name.replacingOccurrences(of: "/contents", with: ""), garbled)
      if error == nil { readCount += 1 }
      if error?.message.contains("XML") != true { understoodCount += 1 }
    }
    // Otherwise the parser would refuse all garbled texts, or texts would be hardly garbled.
    #expect((500...2500).contains(readCount), "\(readCount)")
    #expect(understoodCount > 2500, "\(understoodCount)")
  }

  @Test func `a garbled version is chosen or refused on one line, and never traps`() throws {
    let library = ModelFolders.fixtures + "/Library.xcdatamodeld"
    for version in ["Library", "Library 2"] {
      try folder.write(
        try Data(contentsOf: URL(fileURLWithPath: "\(library)/\(version).xcdatamodel/contents")),
        to: "L.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    let content = try Data(contentsOf: URL(fileURLWithPath: library + "/.xccurrentversion"))
    var mutator = Mutator(state: 2)
    for _ in 0..<500 {
      let garbled = mutator.garble(Array(content))
      try folder.write(Data(garbled), to: "L.xcdatamodeld/.xccurrentversion")
      _ = complaint("L.xcdatamodeld", garbled)
    }
  }

  private func complaint(_ path: String, _ content: [UInt8]) -> InputError? {
    do throws(InputError) {
      try ModelFile.read(path: folder.path + "/" + path).checkInvariants()
      return nil
    } catch {
      let lineCount = content.count { $0 == 0x0A } + 1
      for error in error.all {
        #expect(error.file.hasPrefix(folder.path + "/" + path))
        #expect(error.message.split(whereSeparator: \.isNewline) == [error.message[...]])
        if let line = error.line { #expect((1...lineCount).contains(line), "\(error)") }
      }
      return error
    }
  }

  private func corpus() throws -> [(name: String, content: [UInt8])] {
    var paths = ["EmployeeDepartment", "Note", "PersonDiary", "Publication"].map {
      (name: "\($0).model", path: "\(ModelFolders.fixtures)/\($0).model")
    }
    paths.append(
      (
        name: "Library.xcdatamodel/contents",
        path: "\(ModelFolders.fixtures)/Library.xcdatamodeld/Library 2.xcdatamodel/contents"
      ))
    for (name, version) in [
      ("Ledger", "Ledger.xcdatamodel"), ("Shop", "Shop.xcdatamodel"),
      ("Chat", "Chat.xcdatamodeld/Chat 2.xcdatamodel"),
    ] {
      paths.append(
        (
          name: "\(name).xcdatamodel/contents",
          path: "\(Repository.root)/Fixtures/XcodeModels/\(version)/contents"
        ))
    }
    if ModelFolders.hasShared {
      paths += ModelFolders.sharedNames.map {
        (
          name: "\($0).xcdatamodel/contents",
          path: "\(ModelFolders.shared)/\($0).xcdatamodeld/\($0).xcdatamodel/contents"
        )
      }
    }
    return try paths.map { name, path in
      (name, Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }
  }
}

/// Garbles a text in one to three places: bytes, lines, and values in quotation marks.
private struct Mutator {
  var state: UInt64

  private static let values = [
    "", "YES", "NO", "-1", "0", "9223372036854775807", "99999999999999999999", "1e99", "nan",
    "Composite", "Decimal", "Date", "UUID", "Integer 16", "Cascade", "name", "title", "Item",
    "s2147483648", "s99999999999999999999", "&#10;", "\u{E9}", "a.b",
  ]

  mutating func garble(_ content: [UInt8]) -> [UInt8] {
    var content = content
    for _ in 0...next(2) where !content.isEmpty {
      switch next(16) {
      case 0: content[next(content.count)] = UInt8(next(256))
      case 1: content.remove(at: next(content.count))
      case 2: content.removeLast(next(content.count) / (1 + next(8)))
      case 3, 4, 5: editLine(&content)
      default: replaceValue(&content)
      }
    }
    return content
  }

  /// Drops, repeats or moves a line.
  private mutating func editLine(_ content: inout [UInt8]) {
    var lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
    let line = lines[next(lines.count)]
    switch next(3) {
    case 0: lines.remove(at: next(lines.count))
    case 1: lines.insert(line, at: next(lines.count))
    default: lines[next(lines.count)] = line
    }
    content = Array(lines.joined(separator: [0x0A]))
  }

  /// Replaces the value between two quotation marks by another one, or by a value from elsewhere in
  /// the text. In a text without such values, replaces one word by another.
  private mutating func replaceValue(_ content: inout [UInt8]) {
    let isXML = content.contains(UInt8(ascii: "<"))
    let separator = UInt8(ascii: isXML ? "\"" : " ")
    var parts = content.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count > 2 else { return }
    let place = isXML ? 1 + 2 * next(parts.count / 2) : next(parts.count)
    let source = isXML ? 1 + 2 * next(parts.count / 2) : next(parts.count)
    guard place < parts.count, source < parts.count else { return }
    parts[place] =
      next(2) == 0 ? parts[source] : Array(Mutator.values[next(Mutator.values.count)].utf8)[...]
    content = Array(parts.joined(separator: [separator]))
  }

  /// Knuth's MMIX generator, which gives the same numbers on every machine.
  private mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
