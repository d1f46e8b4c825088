import CoreData
import Foundation
import Testing

/// The replacements of `NSDictionary(contentsOf:)`, `Data(contentsOf:)` and `FileManager` in a
/// prepared module.
@Suite struct `A compiled model's folder` {
  private let folder = Catalog.folder.appendingPathComponent("Catalog.momd")

  @Test func `a compiled model's folder has a list of the versions and their hashes`() {
    live {
      let url = folder.appendingPathComponent("VersionInfo.plist")
      let list = try #require(SimulatedFiles.dictionary(contentsOf: url))
      #expect(list["NSManagedObjectModel_CurrentVersionName"] as? String == "Catalog 3")
      let hashes = list["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]]
      #expect(hashes?.keys.sorted() == ["Catalog 1", "Catalog 2", "Catalog 3"])
      #expect(hashes?["Catalog 2"] == (try Catalog.model(2)).entityVersionHashesByName)
      let data = try SimulatedFiles.data(contentsOf: url)
      let same = unsafe try PropertyListSerialization.propertyList(
        from: data, options: [], format: nil)
      #expect((same as? [String: Any])?.count == 2)
    }
  }

  @Test func `a compiled model's folder has a file for each version`() {
    live {
      let manager = FileManager.default
      let names = ["Catalog 1.mom", "Catalog 2.mom", "Catalog 3.mom", "VersionInfo.plist"]
      #expect(try SimulatedFiles.names(in: folder.path, manager) == names)
      let urls = try SimulatedFiles.urls(in: folder, nil, [], manager)
      #expect(urls.map(\.lastPathComponent) == names)
      for url in [folder] + urls { #expect(SimulatedFiles.exist(at: url.path, manager)) }
      let missing = folder.appendingPathComponent("Catalog 4.mom")
      #expect(!SimulatedFiles.exist(at: missing.path, manager))
    }
  }

  @Test func `the bundle finds files in a compiled model's folder`() {
    func url(_ name: String, _ type: String) -> URL? {
      SimulatedBundles.url(
        of: name, type, "Catalog.momd", in: .main,
        caller: Catalog.folder.appendingPathComponent("App.swift").path, SimulatedModules.self)
    }
    #expect(url("VersionInfo", "plist") == folder.appendingPathComponent("VersionInfo.plist"))
    #expect(url("Catalog 2", "omo") == folder.appendingPathComponent("Catalog 2.mom"))
    #expect(url("Catalog 4", "mom") == nil)
    let versions = SimulatedBundles.urls(
      "mom", "Catalog.momd", in: .main,
      caller: Catalog.folder.appendingPathComponent("App.swift").path, SimulatedModules.self)
    #expect(versions?.count == 3)
  }

  @Test func `other property lists are read from disk`() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-list-\(UUID().uuidString).plist")
    defer { try? FileManager.default.removeItem(at: path) }
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["name": "Notes"], format: .xml, options: 0)
    try list.write(to: path)
    #expect(SimulatedFiles.dictionary(contentsOf: path)?["name"] as? String == "Notes")
    #expect(try SimulatedFiles.data(contentsOf: path) == list)
    try Data("no list".utf8).write(to: path)
    #expect(SimulatedFiles.dictionary(contentsOf: path) == nil)
  }
}

@Suite struct `The identifier of a bundle` {
  @Test func `the main bundle has a fixed identifier`() {
    #expect(SimulatedBundles.identifier(of: .main) == "com.example.App")
    let folder = Bundle(path: FileManager.default.temporaryDirectory.path)
    #expect(folder.flatMap { SimulatedBundles.identifier(of: $0) } == nil)
  }
}
