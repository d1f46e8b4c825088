import CoreData
import Determinism
import Execution
import Foundation
import Invariants
import LiveCode
import SimulatedDispatch
import Testing
import Vocabulary

/// Runs `body` as the main thread of an app, in order if there is no seed, otherwise by the seed's
/// schedule.
@discardableResult
func live(seed: UInt64? = nil, _ body: @escaping () throws -> Void) -> [Violation] {
  let run = LiveRun(
    policy: seed == nil ? .inOrder : .random, quirks: Profile.current.quirks,
    threads: ThreadPool())
  var choices = Choices(seed: seed ?? 0)
  run.play(&choices) {
    do { try body() } catch { Issue.record("the body throws \(error)") }
  }
  #expect(run.stop == nil)
  return run.run.violations
}

/// Lets the given virtual time pass.
func goOn(seconds: Double = 10) {
  SimulatedMainLoop.run(milliseconds: Int(seconds * 1_000))
}

/// Records events in order.
final class Log: @unchecked Sendable {
  private(set) var events: [String] = []

  func note(_ event: Any) { events.append("\(event)") }
}

/// A container of notes that have a title and a count of views.
enum Notes {
  static func model() -> NSManagedObjectModel {
    let note = NSEntityDescription()
    (note.name, note.managedObjectClassName) = ("Note", "Note")
    let title = NSAttributeDescription()
    (title.name, title.attributeType) = ("title", .stringAttributeType)
    let views = NSAttributeDescription()
    (views.name, views.attributeType, views.defaultValue) = ("views", .integer64AttributeType, 0)
    note.properties = [title, views]
    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
  }

  static func container() -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model())
    container.loadPersistentStores { _, error in #expect(error == nil) }
    return container
  }
}

/// The class, as Xcode generates it.
final class Note: NSManagedObject {
  var title: String? {
    get { value(forKey: "title") as? String }
    set { setValue(newValue, forKey: "title") }
  }
  var views: Int64 {
    get { value(forKey: "views") as? Int64 ?? 0 }
    set { setValue(newValue, forKey: "views") }
  }
}
