public import CoreData
import Foundation

/// An object that says when it is about to change.
public protocol ObservableObject: AnyObject {
  /// The type of `objectWillChange`.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never
  /// Has an event before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

/// Has an event before an object changes.
public final class ObservableObjectPublisher: Publisher {
  /// An event without a value.
  public typealias Output = Void
  /// It does not fail.
  public typealias Failure = Never
  private let hub = Hub<Void, Never>()

  /// A publisher without subscribers.
  public init() {}

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    hub.attach(subscriber, of: self)
  }

  /// Tells all subscribers.
  public func send() { hub.send(()) }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Has an event before each change of a `@Published` property of the object.
  public var objectWillChange: ObservableObjectPublisher {
    let storages = PublishedProperties.of(self)
    if storages.isEmpty { return LoosePublishers.current.publisher(of: self) }
    let publisher =
      storages.lazy.compactMap(\.announcer).first ?? ObservableObjectPublisher()
    for storage in storages where storage.announcer == nil { storage.announcer = publisher }
    return publisher
  }
}

/// Finds the wrappers of an object, superclasses included.
private enum PublishedProperties {
  static func of(_ object: AnyObject) -> [any AnyPublished] {
    var mirror: Mirror? = Mirror(reflecting: object)
    var found: [any AnyPublished] = []
    while let current = mirror {
      found += current.children.compactMap { $0.value as? any AnyPublished }
      mirror = current.superclassMirror
    }
    return found
  }
}

/// The publishers of objects that have no `@Published` property to keep one. Each run has a table,
/// so that no other run decides when a publisher goes.
private final class LoosePublishers: @unchecked Sendable {
  private struct Entry {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  /// The table of code outside of all runs, whose identity is the key of the others.
  private static let outside = LoosePublishers()

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// For the table outside of runs: there code has threads.
  private let lock = NSLock()

  static var current: LoosePublishers {
    RunOfCode.state(of: outside) { LoosePublishers() } ?? outside
  }

  func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    lock.withLock {
      let id = ObjectIdentifier(object)
      if let entry = entries[id], entry.object === object { return entry.publisher }
      // Another object may have had the address; those that have gone need no entry.
      entries = entries.filter { $0.value.object != nil }
      let publisher = ObservableObjectPublisher()
      entries[id] = Entry(object: object, publisher: publisher)
      return publisher
    }
  }
}

extension NSManagedObject: ObservableObject {
  /// Has an event before code changes a property, and when an undo, a merge or a refresh has
  /// changed one: what these change is known when they have.
  public var objectWillChange: ObservableObjectPublisher {
    if let known = willChangePublisher as? ObservableObjectPublisher { return known }
    let publisher = ObservableObjectPublisher()
    willChangePublisher = publisher
    announceChanges { [unowned publisher] in publisher.send() }
    return publisher
  }
}
