public import CoreData
public import Foundation

extension NSObject {
  /// A publisher of the values of an object's property.
  public struct KeyValueObservingPublisher<Subject: NSObject, Value>: Combine.Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Value
    /// The publisher never fails.
    public typealias Failure = Never
    /// The observed object.
    public let object: Subject
    /// The key path of the observed property.
    public let keyPath: KeyPath<Subject, Value>
    /// The moments at which the publisher publishes a value.
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

    /// Attaches a subscriber. Keeps the newest value until the subscriber requests it.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Value, S.Failure == Never {
      let subscription = ClosureSubscription(subscriber, keepsNewest: true)
      let observation = observe { subscription.offer($0) }
      subscription.end = { observation.invalidate() }
      subscriber.receive(subscription: subscription)
    }
  }
}

extension SimulatedObservable {
  /// Publishes the value of a property, and the new value after each change, on the context's
  /// queue.
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
  ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
    .init(self, keyPath, options) { take in
      self.observeValue(of: keyPath, options: options, take)
    }
  }
}

extension NSManagedObjectContext {
  /// Publishes the value of `hasChanges`, and each change of it. Traps for other properties.
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
