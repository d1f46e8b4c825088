/// The only source of undetermined decisions. Each decision is an integer below a bound.
///
/// A run is a pure function of its choices, which come from a seed or from a recording. A recording
/// is replayed or shrunk. Every choice is recorded in either case, so a random run and its replay
/// differ only in the source of the choices.
///
/// Each kind of decision has its own stream, so that an additional draw in one stream never shifts
/// another stream. A recording that ends early continues with zeros, the simplest choice.
///
/// Not copyable, because a copied generator would silently repeat itself.
@usableFromInline package struct Choices: ~Copyable {
  /// A kind of decision.
  @usableFromInline package enum Stream: Int, CaseIterable, Sendable {
    /// Choices of the model, the tree of contexts and the merge policies, made before the first
    /// step.
    case shape
    /// Choices of the next step and its arguments.
    case workload
    /// Choices of the next runnable lane. 0 keeps the present lane.
    case schedule
  }

  /// The choices of a run, by stream in the order of `Stream`.
  package struct Recording: Hashable, Sendable {
    package var streams: [[UInt32]]

    package init(streams: [[UInt32]] = []) {
      self.streams = streams
      while self.streams.count < Stream.allCases.count { self.streams.append([]) }
    }

    /// Returns the choices before `positions`.
    package func prefix(_ positions: Positions) -> Recording {
      Recording(streams: Stream.allCases.map { Array(self[$0].prefix(positions[$0])) })
    }

    package subscript(stream: Stream) -> [UInt32] {
      get { streams[stream.rawValue] }
      set { streams[stream.rawValue] = newValue }
    }
  }

  /// The number of draws from each stream at one moment. Not an array, because positions are taken
  /// after every step.
  package struct Positions: Hashable, Sendable {
    fileprivate let shape: Int
    fileprivate let workload: Int
    fileprivate let schedule: Int

    package subscript(stream: Stream) -> Int {
      switch stream {
      case .shape: shape
      case .workload: workload
      case .schedule: schedule
      }
    }
  }

  /// Consecutive draws from one stream that belong together, such as all draws for one step.
  package struct Span: Hashable, Sendable {
    package var stream: Stream
    package var range: Range<Int>
  }

  // Not an array, which would check that it is uniquely referenced before each draw.
  @usableFromInline var shape: ChoiceStream
  @usableFromInline var workload: ChoiceStream
  @usableFromInline var schedule: ChoiceStream
  /// Bytes from another fuzzer. Unlike a recording, they are shared by all streams in the order of
  /// the run, so that neighbouring bytes affect neighbouring decisions.
  @usableFromInline var bytes: ChoiceBytes
  /// A Boolean value that indicates whether the choices replay a recording or read bytes. A
  /// recording may be only the beginning of a run. False if all choices come from a seed.
  package let isReplayed: Bool
  package private(set) var spans: [Span] = []
  // Avoids a copy of a quarter of a kilobyte at each query of a position.
  private let inPlace = HeldInPlace()

  package init(seed: UInt64) { self.init(replaying: nil, then: seed) }

  package init(replaying recording: Recording) { self.init(replaying: recording, then: nil) }

  /// Replays each stream as far as `beginning` goes. Then continues with the numbers with which a
  /// run of `seed` begins.
  package init(beginning: Recording, seed: UInt64) { self.init(replaying: beginning, then: seed) }

  /// Creates choices that a fuzzer decides by its bytes.
  package init(reading bytes: [UInt8]) {
    self.init(replaying: Recording(), then: nil, ChoiceBytes(bytes))
  }

  private init(
    replaying recording: Recording?, then seed: UInt64?, _ bytes: ChoiceBytes = ChoiceBytes()
  ) {
    func stream(_ stream: Stream) -> ChoiceStream {
      ChoiceStream(
        replaying: recording?[stream] ?? [],
        then: seed.map { Choices.generator(of: stream, seed: $0) })
    }
    (shape, workload, schedule) = (stream(.shape), stream(.workload), stream(.schedule))
    self.bytes = bytes
    isReplayed = recording != nil
  }

  private static func generator(of stream: Stream, seed: UInt64) -> Generator {
    Generator(seed: Generator.derive(seed, UInt64(stream.rawValue)))
  }

  /// Begins the run of another seed in the memory of this run, which must not be a replay.
  package mutating func restart(seed: UInt64) {
    precondition(!isReplayed, "a replay is restarted with a seed")
    shape.restart(with: Choices.generator(of: .shape, seed: seed))
    workload.restart(with: Choices.generator(of: .workload, seed: seed))
    schedule.restart(with: Choices.generator(of: .schedule, seed: seed))
    spans.removeAll(keepingCapacity: true)
  }

  private func draws(from stream: Stream) -> [ChoiceStream.Draw] {
    switch stream {
    case .shape: shape.draws
    case .workload: workload.draws
    case .schedule: schedule.draws
    }
  }

  /// All choices so far.
  ///
  /// - Complexity: O(*n*) in the number of draws.
  package var recording: Recording {
    Recording(streams: Stream.allCases.map { recording(of: $0) })
  }
  /// Returns the choices of one stream in O(*n*), where *n* is the number of draws.
  package func recording(of stream: Stream) -> [UInt32] { draws(from: stream).map { $0.value } }
  /// Returns the number of alternatives of each draw from `stream`, in O(*n*).
  package func bounds(of stream: Stream) -> [UInt32] { draws(from: stream).map { $0.bound } }

  /// Returns a number in `0..<bound`, of which 0 is the simplest. A replayed number that is out of
  /// bounds, because the recording was edited, is lowered to the largest allowed number.
  @inlinable package mutating func draw(below bound: Int, from stream: Stream) -> Int {
    switch stream {
    case .shape: shape.draw(below: bound, orReading: &bytes)
    case .workload: workload.draw(below: bound, orReading: &bytes)
    case .schedule: schedule.draw(below: bound, orReading: &bytes)
    }
  }

  /// Records the number in `0..<bound` that `choose` returns when called with the stream's
  /// generator. The number is recorded as if it had been drawn. A replay does not call `choose`.
  package mutating func decide(
    below bound: Int, from stream: Stream, by choose: (inout Generator) -> Int
  ) -> Int {
    if isReplayed || bound == 1 { return draw(below: bound, from: stream) }
    return switch stream {
    case .shape: shape.decide(below: bound, by: choose)
    case .workload: workload.decide(below: bound, by: choose)
    case .schedule: schedule.decide(below: bound, by: choose)
    }
  }

  /// Returns `true` in `numerator` of `denominator` cases. `false` is the simplest result.
  @inlinable package mutating func chance(
    _ numerator: Int, in denominator: Int, from stream: Stream
  ) -> Bool {
    precondition(0...denominator ~= numerator, "\(numerator) in \(denominator)")
    return draw(below: denominator, from: stream) >= denominator - numerator
  }

  /// Returns the index of one of `weights`, in proportion to its weight. A weight of zero is never
  /// chosen.
  package mutating func pick(weights: [Int], from stream: Stream) -> Int {
    var rest = draw(below: weights.reduce(0, +), from: stream)
    for (index, weight) in weights.enumerated() {
      if rest < weight { return index }
      rest -= weight
    }
    preconditionFailure("weights changed while they were summed")
  }

  /// Returns the number of draws from `stream`, which is where a span begins.
  package func position(in stream: Stream) -> Int {
    switch stream {
    case .shape: shape.draws.count
    case .workload: workload.draws.count
    case .schedule: schedule.draws.count
    }
  }

  /// Returns the number of draws from `stream` up to the last draw that is not 0.
  package func positionAfterLast(in stream: Stream) -> Int {
    let draws = draws(from: stream)
    var count = draws.count
    while count > 0, draws[count - 1].value == 0 { count -= 1 }
    return count
  }

  package var positions: Positions {
    Positions(
      shape: position(in: .shape), workload: position(in: .workload),
      schedule: position(in: .schedule))
  }

  /// Makes a span of all draws from `stream` since `start`. A shrinker may delete a span as a
  /// whole.
  package mutating func closeSpan(from start: Int, in stream: Stream) {
    spans.append(Span(stream: stream, range: start..<position(in: stream)))
  }

  /// Makes a span of the draws from `stream` in `body`.
  package mutating func span<Result>(
    in stream: Stream, _ body: (inout Choices) -> Result
  ) -> Result {
    let start = position(in: stream)
    let result = body(&self)
    closeSpan(from: start, in: stream)
    return result
  }
}
