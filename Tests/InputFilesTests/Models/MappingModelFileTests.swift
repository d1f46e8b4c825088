import Foundation
import InputFiles
import TestSupport
import Testing

@Suite struct `A file of a mapping model` {
  private let path = "\(Repository.root)/Fixtures/Migrations/Catalog2to3.xcmappingmodel"

  @Test func `a mapping model names its models, and its entities in order`() throws {
    let file = try MappingModelFile.read(path: path)
    #expect(file.sourcePath == "Catalog.xcdatamodeld/Catalog 2.xcdatamodel")
    #expect(file.destinationPath == "Catalog.xcdatamodeld/Catalog 3.xcdatamodel")
    #expect(file.entities.map(\.destination) == ["Book", "Shelf", "Writer"])
    #expect(file.entities[0].attributes.map(\.name) == ["isbn", "name", "pages"])
    let isbn = try #require(file.entities[0].attributes[0].expression)
    #expect(isbn["NSConstantValue"]?.text == "unknown")
    #expect(file.entities[0].attributes[2].expression == nil)
  }

  @Test func `an error about a missing mapping model names the right file`() {
    let error = #expect(throws: InputError.self) { try MappingModelFile.read(path: "/none") }
    #expect(error?.description.contains("xcmapping.xml") == true)
  }

  /// Reading ends without a trap, whatever a byte is.
  @Test func `a mapping model may have damaged archives`() throws {
    let text = try String(contentsOfFile: path + "/xcmapping.xml", encoding: .utf8)
    let start = try #require(text.range(of: "type=\"binary\">"))
    let base64 = text[start.upperBound...].prefix { $0 != "<" }
    let archive = try #require(Data(base64Encoded: String(base64)))
    #expect(ArchivedObject(archive) != nil)
    for index in archive.indices {
      for byte in [0, 0x0F, 0x7F, 0xFF] as [UInt8] {
        var damaged = archive
        damaged[index] = byte
        _ = ArchivedObject(damaged)
      }
      #expect(ArchivedObject(archive.prefix(index)) == nil)
    }
  }
}
