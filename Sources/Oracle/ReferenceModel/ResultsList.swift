import ObjectModel
import Vocabulary

/// The state of a fetched-results controller.
struct ResultsList: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var id: ObjectID
    /// The values for the sort descriptors when the list last processed the object.
    var sortValues: [Value]
  }

  /// The entries, in the order of the descriptors.
  var entries: [Entry] = []
  /// A Boolean value that indicates whether the controller updates the list. True from the first
  /// fetch until the context is reset or discarded.
  var isListening = false

  func lists(_ id: ObjectID) -> Bool { entries.contains { $0.id == id } }
}

/// The sections of a list: runs of entries with equal values for the first descriptor. A list
/// without sections has one section, even if it is empty.
struct SectionedEntries {
  private(set) var sections: [ResultsSection] = []

  init(_ entries: [ResultsList.Entry], isSectioned: Bool) {
    guard isSectioned else {
      sections = [ResultsSection(name: .null, objects: entries.map(\.id))]
      return
    }
    for entry in entries {
      assert(!entry.sortValues.isEmpty, "sections need a sort descriptor")
      let name = entry.sortValues[0]
      if sections.last?.name != name {
        sections.append(ResultsSection(name: name, objects: []))
      }
      sections[sections.count - 1].objects.append(entry.id)
    }
  }

  func path(of id: ObjectID) -> IndexPath {
    for (index, section) in sections.enumerated() {
      if let item = section.objects.firstIndex(of: id) {
        return IndexPath(section: index, item: item)
      }
    }
    preconditionFailure("\(id) is not in the list")
  }

  func hasSection(_ name: Value) -> Bool { sections.contains { $0.name == name } }
}
