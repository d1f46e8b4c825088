/// The effect of one value in a stage.
enum Step<Output, Failure: Error> {
  case pass(Output)
  /// Drops the value, and requests another one.
  case skip
  /// Passes the value, then finishes.
  case last(Output)
  case end
  case fail(Failure)
}

/// The subscriber of an operator with one upstream that turns each value into at most one output.
///
/// Demand is passed to the upstream unchanged. For each dropped value, the stage requests one more.
final class Stage<Input, UpstreamFailure: Error, Downstream: Subscriber>: Subscriber, Subscription,
  Placed
{
  typealias Failure = UpstreamFailure

  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var isEnding = false
  private let step: (Input) -> Step<Downstream.Input, Downstream.Failure>
  private let failure: (UpstreamFailure) -> Downstream.Failure

  init(
    _ downstream: Downstream, failure: @escaping (UpstreamFailure) -> Downstream.Failure,
    step: @escaping (Input) -> Step<Downstream.Input, Downstream.Failure>
  ) {
    (self.downstream, self.failure, self.step) = (downstream, failure, step)
  }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  func receive(subscription: any Subscription) {
    guard let downstream, upstream == nil else { return subscription.cancel() }
    upstream = subscription
    downstream.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard downstream != nil, !isEnding else { return .none }
    let step = step(input)
    // The app's closure may have cancelled the subscription.
    guard let downstream, !isEnding else { return .none }
    switch step {
    case .pass(let output): return downstream.receive(output)
    case .skip: return .max(1)
    case .last(let output):
      isEnding = true
      _ = downstream.receive(output)
      end(.finished)
    case .end: end(.finished)
    case .fail(let failure): end(.failure(failure))
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<UpstreamFailure>) {
    guard let downstream, !isEnding else { return }
    (self.downstream, upstream) = (nil, nil)
    downstream.receive(completion: completion.mapFailure(failure))
  }

  private func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard let downstream else { return }
    cancel()
    downstream.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

  func cancel() {
    let upstream = upstream
    (downstream, self.upstream) = (nil, nil)
    upstream?.cancel()
  }
}

extension Stage where UpstreamFailure == Downstream.Failure {
  convenience init(
    _ downstream: Downstream, step: @escaping (Input) -> Step<Downstream.Input, UpstreamFailure>
  ) {
    self.init(downstream, failure: { $0 }, step: step)
  }
}

extension Stage where Downstream.Failure == any Error {
  /// Creates a stage whose closure may throw.
  convenience init(
    _ downstream: Downstream,
    trying step: @escaping (Input) throws -> Step<Downstream.Input, any Error>
  ) {
    self.init(downstream, failure: { $0 }) { input in
      do { return try step(input) } catch { return .fail(error) }
    }
  }
}
