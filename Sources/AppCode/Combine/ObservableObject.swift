public import CoreData
import Foundation

/// An object with a publisher that announces its changes.
public protocol ObservableObject: AnyObject {
  /// The type of the publisher that announces changes.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never
  /// A publisher that sends an event before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

/// A publisher that sends an event before an object changes.
public final class ObservableObjectPublisher: Publisher {
  /// An event without a value.
  public typealias Output = Void
  /// The publisher never fails.
  public typealias Failure = Never
  private let hub = Hub<Void, Never>()

  /// Creates a publisher without subscribers.
  public init() {}

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    hub.attach(subscriber, of: self)
  }

  /// Sends an event to all subscribers.
  public func send() { hub.send(()) }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// A publisher that sends an event before each change of a `@Published` property of the object.
  public var objectWillChange: ObservableObjectPublisher {
    let storages = PublishedProperties.of(self)
    if storages.isEmpty { return LoosePublishers.current.publisher(of: self) }
    let publisher =
      storages.lazy.compactMap(\.announcer).first ?? ObservableObjectPublisher()
    for storage in storages where storage.announcer == nil { storage.announcer = publisher }
    return publisher
  }
}

/// Finds the `@Published` wrappers of an object, including those of its superclasses.
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

/// The publishers of objects without a `@Published` property that could store one. Each run has a
/// separate table, so that no other run affects when a publisher is deallocated.
private final class LoosePublishers: @unchecked Sendable {
  private struct Entry {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  /// The table for code outside of runs. Its identity is the key of the tables of runs.
  private static let outside = LoosePublishers()

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// Protects the table for code outside of runs, where code may run on several threads.
  private let lock = NSLock()

  static var current: LoosePublishers {
    RunOfCode.state(of: outside) { LoosePublishers() } ?? outside
  }

  func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    lock.withLock {
      let id = ObjectIdentifier(object)
      if let entry = entries[id], entry.object === object { return entry.publisher }
      // Another object may have had the same address. Deallocated objects need no entry.
      entries = entries.filter { $0.value.object != nil }
      let publisher = ObservableObjectPublisher()
      entries[id] = Entry(object: object, publisher: publisher)
      return publisher
    }
  }
}

extension NSManagedObject: ObservableObject {
  /// A publisher that sends an event before code changes a property. After an undo, a merge or a
  /// refresh it sends an event, too, because such changes are known only afterwards.
  public var objectWillChange: ObservableObjectPublisher {
    if let known = willChangePublisher as? ObservableObjectPublisher { return known }
    let publisher = ObservableObjectPublisher()
    willChangePublisher = publisher
    announceChanges { [unowned publisher] in publisher.send() }
    return publisher
  }
}
