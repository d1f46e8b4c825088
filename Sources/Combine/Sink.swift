extension Subscribers {
  /// Asks for all values, and calls closures with them.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, Placed {
    private var subscription: (any Subscription)?
    private var value: ((Input) -> Void)?
    private var completion: ((Subscribers.Completion<Failure>) -> Void)?
    let place: SourcePlace?

    /// A subscriber that calls closures.
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void, file: String = #fileID, line: Int = #line
    ) {
      (completion, value) = (receiveCompletion, receiveValue)
      place = SourcePlace(file: file, line: line)
    }

    /// Asks for all values.
    public func receive(subscription: any Subscription) {
      guard self.subscription == nil, value != nil else { return subscription.cancel() }
      self.subscription = subscription
      subscription.request(.unlimited)
    }

    /// Calls the closure.
    public func receive(_ input: Input) -> Subscribers.Demand {
      value?(input)
      return .none
    }

    /// Calls the closure, once.
    public func receive(completion: Subscribers.Completion<Failure>) {
      let last = (self.completion, value)
      (self.completion, value, subscription) = (nil, nil, nil)
      last.0?(completion)
    }

    /// Lets the closures go, too.
    public func cancel() {
      let last = (subscription, value, completion)
      (subscription, value, completion) = (nil, nil, nil)
      last.0?.cancel()
    }
  }

  /// Asks for all values, and sets a property to each.
  public final class Assign<Root, Input>: Subscriber, Cancellable, Placed {
    /// Its publisher does not fail.
    public typealias Failure = Never
    private var subscription: (any Subscription)?
    /// The object, until the publisher ends.
    public private(set) var object: Root?
    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>
    let place: SourcePlace?

    /// A subscriber that sets a property, and keeps its object alive.
    public init(
      object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>, file: String = #fileID,
      line: Int = #line
    ) {
      (self.object, self.keyPath) = (object, keyPath)
      place = SourcePlace(file: file, line: line)
    }

    /// Asks for all values.
    public func receive(subscription: any Subscription) {
      guard self.subscription == nil, object != nil else { return subscription.cancel() }
      self.subscription = subscription
      subscription.request(.unlimited)
    }

    /// Sets the property.
    public func receive(_ input: Input) -> Subscribers.Demand {
      object?[keyPath: keyPath] = input
      return .none
    }

    /// Lets the object go.
    public func receive(completion: Subscribers.Completion<Never>) { cancel() }

    /// Lets the object go.
    public func cancel() {
      let last = (subscription, object)
      (subscription, object) = (nil, nil)
      last.0?.cancel()
    }
  }
}

extension Publisher {
  /// Calls closures with all values and the completion, until what this answers is let go. Reports
  /// name blocks that end here by this place.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void, file: String = #fileID, line: Int = #line
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue, file: file, line: line)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Calls a closure with all values, until what this answers is let go. Reports name blocks that
  /// end here by this place.
  public func sink(
    receiveValue: @escaping (Output) -> Void, file: String = #fileID, line: Int = #line
  ) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue, file: file, line: line)
  }

  /// Sets a property to each value, until what this answers is let go. Keeps the object alive.
  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, file: String = #fileID,
    line: Int = #line
  ) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath, file: file, line: line)
    subscribe(assign)
    return AnyCancellable(assign)
  }
}
