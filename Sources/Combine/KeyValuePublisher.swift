public import CoreData
public import Foundation

extension NSObject {
  /// Has the values of a property of an object.
  public struct KeyValueObservingPublisher<Subject: NSObject, Value>: Combine.Publisher {
    /// The values.
    public typealias Output = Value
    /// It does not fail.
    public typealias Failure = Never
    /// The object.
    public let object: Subject
    /// The property.
    public let keyPath: KeyPath<Subject, Value>
    /// Which moments it has values of.
    public let options: NSKeyValueObservingOptions
    private let observe: (@escaping (Value) -> Void) -> NSKeyValueObservation

    fileprivate init(
      _ object: Subject, _ keyPath: KeyPath<Subject, Value>,
      _ options: NSKeyValueObservingOptions,
      _ observe: @escaping (@escaping (Value) -> Void) -> NSKeyValueObservation
    ) {
      (self.object, self.keyPath, self.options) = (object, keyPath, options)
      self.observe = observe
    }

    /// Attaches a subscriber. The newest value waits until it asks for one.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Value, S.Failure == Never {
      let outlet = Outlet(subscriber, keepsNewest: true)
      let observation = observe { outlet.offer($0) }
      outlet.end = { observation.invalidate() }
      subscriber.receive(subscription: outlet)
    }
  }
}

extension SimulatedObservable {
  /// Has the value of a property now, and after each change of it, on the queue of the context.
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
  ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
    .init(self, keyPath, options) { take in
      self.observeValue(of: keyPath, options: options, take)
    }
  }
}

extension NSManagedObjectContext {
  /// Has `hasChanges` now, and whenever it becomes true or false. Other properties trap.
  public func publisher<Value>(
    for keyPath: KeyPath<NSManagedObjectContext, Value>,
    options: NSKeyValueObservingOptions = [.initial, .new]
  ) -> NSObject.KeyValueObservingPublisher<NSManagedObjectContext, Value> {
    .init(self, keyPath, options) { take in
      self.observe(keyPath, options: options.union(.new)) { _, change in
        if let value = change.newValue { take(value) }
      }
    }
  }
}
