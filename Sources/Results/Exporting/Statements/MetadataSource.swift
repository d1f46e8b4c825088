import ObjectModel
import Scenario
import Vocabulary

/// Store metadata, represented by a number that the app sets on the coordinator and reads from the
/// file.
extension TestWriter {
  mutating func metadataStatements(
    _ step: AddressedStep, _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    if events == [.nothing] { return [] }
    let coordinator = stack.coordinator(of: step.context)
    switch step.step {
    case .setMetadata(let store, let number):
      helpers.insert(.setMetadata)
      return [
        .line(
          "setMetadataNumber(\(number), of: \(variable(of: store, in: coordinator)), "
            + "in: \(names[coordinator]))")
      ]
    case .metadata(let store):
      if stack.stores[store.index].isInMemory {
        throw refusal(step, "the written metadata of a store in memory cannot be read")
      }
      guard case .count(let number) = events?.answer else { return [] }
      helpers.insert(.metadata)
      return [.line("XCTAssertEqual(try metadataNumber(at: \(names[store])URL), \(number))")]
    default: preconditionFailure("\(step.step.verb) is not about metadata")
    }
  }

  static var setMetadataMethod: [Statement] {
    [
      .line("/// Sets a number in the store's metadata, for a save to write."),
      .block(
        "private func setMetadataNumber(_ number: Int, of store: NSPersistentStore, "
          + "in coordinator: NSPersistentStoreCoordinator) {",
        [
          .line("var metadata = coordinator.metadata(for: store)"),
          .line("metadata[\"number\"] = number"),
          .line("coordinator.setMetadata(metadata, for: store)"),
        ]),
      .empty,
    ]
  }

  static var metadataMethod: [Statement] {
    [
      .line("/// Returns the number in the metadata of the store's file, or 0 without one."),
      .block(
        "private func metadataNumber(at url: URL) throws -> Int {",
        [
          .line("let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore("),
          .line("  ofType: NSSQLiteStoreType, at: url, options: nil)"),
          .line("return metadata[\"number\"] as? Int ?? 0"),
        ]),
      .empty,
    ]
  }
}
