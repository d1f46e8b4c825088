import Scenario
import Vocabulary

/// Replaces the app's names of stores, contexts and queues. In a scenario a name is a word that is
/// unique in the stack.
extension Stack {
  mutating func makeNamesPlain() {
    var taken = Set(["main"] + Step.Kind.reservedContextNames)
    func plain(_ name: String, _ what: String) -> String {
      // A file name such as `Notes.sqlite` becomes a word such as `Notes`.
      let stem = name.split(separator: ".").first.map(String.init) ?? name
      let letters = stem.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
      var word = String(letters.drop { !$0.isLetter })
      if word.isEmpty { word = "unnamed" }
      if taken.contains(word) { word += what }
      var number = 1
      while !taken.insert(number == 1 ? word : "\(word)\(number)").inserted { number += 1 }
      return number == 1 ? word : "\(word)\(number)"
    }
    for index in contexts.indices { contexts[index].name = plain(contexts[index].name, "Context") }
    for index in stores.indices { stores[index].name = plain(stores[index].name, "Store") }
    for index in coordinators.indices {
      coordinators[index].name = plain(coordinators[index].name, "Coordinator")
    }
    for index in queues.indices { queues[index].name = plain(queues[index].name, "Queue") }
    for index in controllers.indices {
      controllers[index].name = plain(controllers[index].name, "List")
    }
  }
}
