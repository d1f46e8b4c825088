import ObjectModel
import Vocabulary

/// What a fetched-results controller shows.
struct ResultsList: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var id: ObjectID
    /// By sort descriptor, as they were when the list last heard of the object.
    var sortValues: [Value]
  }

  /// In the order of the descriptors.
  var entries: [Entry] = []
  /// Has been filled, and not lost its objects since.
  var isListening = false

  func lists(_ id: ObjectID) -> Bool { entries.contains { $0.id == id } }
}

/// The entries of a list in runs of equal values of the first descriptor, or all in one section,
/// which is there even if they are not.
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
