import CoreData
import Synchronization
import Testing

private let callCount = Atomic(0)

/// Declared as apps declared it for systems without such a method.
extension NSManagedObjectContext {
  fileprivate func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
    callCount.add(1, ordering: .relaxed)
    return try block()
  }
}

@Suite struct `An app's own performAndWait` {
  @Test func `an app's extension with Apple's signature replaces the method`() {
    let outcome = live {
      let view = Notes.container().viewContext
      let number = view.performAndWait { 3 }
      #expect(number == 3)
      #expect(callCount.load(ordering: .relaxed) == 1)
      // A block without a result takes the method without one.
      view.performAndWait { view.reset() }
      #expect(callCount.load(ordering: .relaxed) == 1)
    }
    #expect(outcome.disagreement == nil)
  }
}
