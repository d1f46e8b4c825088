/// A property with a publisher of its values. The publisher sends a new value before the property
/// changes: a subscriber that reads the property sees the old value.
@propertyWrapper public struct Published<Value> {
  private let storage: PublishedStorage<Value>

  /// A property with a first value.
  public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }
  /// A property with a first value.
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// The publisher of the values.
  public var projectedValue: Publisher {
    get { Publisher(storage) }
    set { self = Published(newValue.storage) }
  }

  private init(_ storage: PublishedStorage<Value>) { self.storage = storage }

  /// Not used: the property is one of an object.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.set(newValue) }
  }

  /// The property of an object. `objectWillChange` of the object comes first.
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set { object[keyPath: storageKeyPath].storage.set(newValue) }
  }

  /// Has the value of the property, and each that it is set to.
  public struct Publisher: Combine.Publisher {
    /// The values.
    public typealias Output = Value
    /// It does not fail.
    public typealias Failure = Never
    fileprivate let storage: PublishedStorage<Value>

    fileprivate init(_ storage: PublishedStorage<Value>) { self.storage = storage }

    /// Attaches a subscriber, which gets the value first.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      storage.attach(subscriber)
    }
  }
}

extension Published: AnyPublished {
  var announcer: ObservableObjectPublisher? {
    get { storage.willChange }
    nonmutating set { storage.willChange = newValue }
  }
}

/// A property that can tell an object's publisher of its changes.
protocol AnyPublished {
  /// The object's publisher.
  var announcer: ObservableObjectPublisher? { get nonmutating set }
}

/// The value of a property, shared by all copies of the wrapper.
final class PublishedStorage<Value> {
  private(set) var value: Value
  var willChange: ObservableObjectPublisher?
  /// Made for the first subscriber.
  private var hub: Hub<Value, Never>?
  /// The assignments to the property, which end with it.
  fileprivate var assignments: [AnyCancellable] = []

  init(_ value: Value) { self.value = value }

  deinit { for assignment in assignments { assignment.cancel() } }

  func set(_ new: Value) {
    willChange?.send()
    hub?.send(new)
    value = new
  }

  fileprivate func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Value, S.Failure == Never {
    let hub = hub ?? Hub()
    if self.hub == nil {
      self.hub = hub
      hub.current = { [unowned self] in value }
    }
    hub.attach(subscriber, of: self)
  }
}

extension Publisher where Failure == Never {
  /// Sets a published property to each value, as long as the property exists. Neither keeps the
  /// object alive, nor has to be cancelled.
  public func assign(
    to published: inout Published<Output>.Publisher, file: String = #fileID, line: Int = #line
  ) {
    let storage = published.storage
    let assignment = sink(
      receiveValue: { [weak storage] in storage?.set($0) }, file: file, line: line)
    storage.assignments.append(assignment)
  }
}
