import CoreData
import Foundation
import Testing

/// A class that records calls of hooks.
final class Journaled: NSManagedObject {
  nonisolated(unsafe) static var calls: [String] = []

  var title: String? {
    get { value(forKey: "title") as? String }
    set { setValue(newValue, forKey: "title") }
  }

  override func awakeFromInsert() {
    super.awakeFromInsert()
    unsafe Journaled.calls.append("awakeFromInsert")
    title = "untitled"
  }

  override func awakeFromFetch() {
    super.awakeFromFetch()
    unsafe Journaled.calls.append("awakeFromFetch")
    setPrimitiveValue(Int64(7), forKey: "views")
  }

  override func willSave() {
    super.willSave()
    unsafe Journaled.calls.append("willSave")
    if title == "draft" { title = "final" }
  }

  override func didSave() {
    super.didSave()
    unsafe Journaled.calls.append("didSave")
    SimulatedDispatchQueue.global().async { unsafe Journaled.calls.append("block") }
  }

  override func prepareForDeletion() {
    super.prepareForDeletion()
    unsafe Journaled.calls.append("prepareForDeletion")
  }
}

@Suite(.serialized) struct `Overridden hooks` {
  private func container() -> NSPersistentContainer {
    let model = Notes.model()
    model.entities[0].managedObjectClassName = "Journaled"
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.loadPersistentStores { _, _ in }
    return container
  }

  @Test func `hooks run during their actions, and the reference model agrees`() {
    unsafe Journaled.calls = []
    let outcome = live {
      let view = self.container().viewContext
      let note = Journaled(context: view)
      #expect(note.title == "untitled")
      note.title = "draft"
      try view.save()
      #expect(note.title == "final")
      SimulatedMainLoop.run(milliseconds: 1)
      #expect(
        unsafe Journaled.calls == ["awakeFromInsert", "willSave", "willSave", "didSave", "block"])
      unsafe Journaled.calls = []
      view.refresh(note, mergeChanges: false)
      #expect(note.value(forKey: "views") as? Int64 == 7)
      #expect(!view.hasChanges)
      #expect(unsafe Journaled.calls == ["awakeFromFetch"])
      unsafe Journaled.calls = []
      view.delete(note)
      try view.save()
      #expect(unsafe Journaled.calls == ["prepareForDeletion", "willSave", "didSave"])
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
    #expect(outcome.violations.isEmpty)
  }
}

/// A class that changes another object when it is saved.
final class Leader: NSManagedObject {
  nonisolated(unsafe) static var calls: [String] = []
  weak var follower: Leader?
  var title: String {
    get { value(forKey: "title") as? String ?? "" }
    set { setValue(newValue, forKey: "title") }
  }

  override func willSave() {
    super.willSave()
    unsafe Leader.calls.append(title)
    if let follower, follower.title != "led" { follower.title = "led" }
  }
}

@Suite(.serialized) struct `An object that another's willSave changes` {
  /// Covers LC-A9.
  @Test func `an object changed by another's willSave gets its own willSave and is saved`() {
    unsafe Leader.calls = []
    let outcome = live {
      let model = Notes.model()
      model.entities[0].managedObjectClassName = "Leader"
      let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
      container.loadPersistentStores { _, _ in }
      let view = container.viewContext
      let (leader, follower) = (Leader(context: view), Leader(context: view))
      try view.save()
      unsafe Leader.calls = []
      leader.follower = follower
      leader.title = "leads"
      try view.save()
      #expect(unsafe Leader.calls == ["leads", "led"])
      #expect(!view.hasChanges)
      let other = container.newBackgroundContext()
      let title = try other.performAndWait {
        try other.existingObject(with: follower.objectID).value(forKey: "title") as? String
      }
      #expect(title == "led")
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }
}

/// A class that overrides the validation methods.
private class Rule: NSManagedObject {
  override func validateForInsert() throws {
    try super.validateForInsert()
    try check("insert")
  }
  override func validateForUpdate() throws {
    try super.validateForUpdate()
    try check("update")
  }
  override func validateForDelete() throws {
    try super.validateForDelete()
    try check("delete")
  }

  private func check(_ what: String) throws {
    if value(forKey: "title") as? String == what { throw Broken(what: what) }
  }
}

private struct Broken: Error, Equatable { let what: String }

@Suite struct `An override of a validation` {
  private func context() -> NSManagedObjectContext {
    let model = Notes.model()
    model.entitiesByName["Note"]?.managedObjectClassName = "Rule"
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.loadPersistentStores { _, _ in }
    return container.viewContext
  }

  @Test func `a failed validation stops the save, which changes nothing`() {
    let outcome = live {
      let view = context()
      let rule = Rule(context: view)
      func save(_ title: String) throws {
        rule.setValue(title, forKey: "title")
        try view.save()
      }
      #expect(throws: Broken(what: "insert")) { try save("insert") }
      #expect(rule.objectID.isTemporaryID && view.hasChanges)
      #expect(throws: Broken(what: "insert")) { try rule.validateForInsert() }
      try save("update")
      #expect(!view.hasChanges)
      #expect(throws: Broken(what: "update")) { try save("update") }
      try save("delete")
      view.delete(rule)
      #expect(throws: Broken(what: "delete")) { try view.save() }
      view.rollback()
      try save("insert")
    }
    #expect(outcome.disagreement == nil && outcome.violations.isEmpty)
  }

  @Test func `failed validations of several objects are combined into one error`() {
    live {
      let view = context()
      for _ in 0..<2 { Rule(context: view).setValue("insert", forKey: "title") }
      do {
        try view.save()
        Issue.record("nothing is thrown")
      } catch let error as NSError {
        #expect(error.code == NSValidationMultipleErrorsError)
        #expect((error.userInfo[NSDetailedErrorsKey] as? [any Error])?.count == 2)
      }
    }
  }
}
