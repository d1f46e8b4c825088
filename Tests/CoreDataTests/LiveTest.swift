import CoreData
import Determinism
import Execution
import Foundation
import Invariants
import LiveCode
import SimulatedDispatch
import Testing
import Vocabulary

/// The outcome of a run of code.
struct LiveOutcome {
  let stop: LiveRun.Stop?
  /// The description of a trap, or nil if no code trapped.
  let trap: String?
  let digest: UInt64
  let violations: [Violation]
  let disagreement: Disagreement?
  let stepCount: Int
}

/// Runs `body` as the main thread of an app, in order, or scheduled by the seed if given.
@discardableResult
func live(
  seed: UInt64? = nil, profile: Profile = .current, threads: ThreadPool = ThreadPool(),
  _ body: @escaping () throws -> Void
) -> LiveOutcome {
  let run = LiveRun(
    policy: seed == nil ? .inOrder : .random, quirks: profile.quirks, threads: threads)
  var choices = Choices(seed: seed ?? 0)
  run.play(&choices) {
    do { try body() } catch { Issue.record("the body throws \(error)") }
  }
  return LiveOutcome(
    stop: run.stop, trap: run.trap?.description, digest: run.run.digest.value,
    violations: run.run.violations,
    disagreement: run.run.disagreement, stepCount: run.run.stepCount)
}

/// A model in which a note has a title, a number of views, and tags.
enum Notes {
  static func model() -> NSManagedObjectModel {
    let note = NSEntityDescription()
    note.name = "Note"
    note.managedObjectClassName = "Note"
    let tag = NSEntityDescription()
    tag.name = "Tag"
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    let views = NSAttributeDescription()
    views.name = "views"
    views.attributeType = .integer64AttributeType
    views.defaultValue = 0
    let label = NSAttributeDescription()
    label.name = "label"
    label.attributeType = .stringAttributeType
    label.isOptional = false
    let tags = NSRelationshipDescription()
    tags.name = "tags"
    tags.destinationEntity = tag
    let notes = NSRelationshipDescription()
    notes.name = "note"
    notes.destinationEntity = note
    notes.maxCount = 1
    tags.inverseRelationship = notes
    notes.inverseRelationship = tags
    note.properties = [title, views, tags]
    tag.properties = [label, notes]
    let model = NSManagedObjectModel()
    model.entities = [note, tag]
    return model
  }

  /// Returns the entity of tags in the model of a context.
  static func tag(of context: NSManagedObjectContext) -> NSEntityDescription {
    guard let tag = NSEntityDescription.entity(forEntityName: "Tag", in: context) else {
      preconditionFailure("the model of the context has no tags")
    }
    return tag
  }

  static func container() -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model())
    container.loadPersistentStores { _, error in #expect(error == nil) }
    return container
  }
}

/// A class as Xcode generates it.
class Note: NSManagedObject {
  var title: String? {
    get { value(forKey: "title") as? String }
    set { setValue(newValue, forKey: "title") }
  }
  var views: Int64 {
    get { value(forKey: "views") as? Int64 ?? 0 }
    set { setValue(newValue, forKey: "views") }
  }
  var tags: Set<NSManagedObject> {
    get { value(forKey: "tags") as? Set<NSManagedObject> ?? [] }
    set { setValue(newValue, forKey: "tags") }
  }
}
