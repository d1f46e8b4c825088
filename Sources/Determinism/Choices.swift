/// The one door for everything undetermined: each decision is an integer below a bound.
///
/// A run is a pure function of its choices. They come from a seed, or from a recording that is
/// being replayed or shrunk; what was drawn is recorded either way, so a random run and its replay
/// differ only in what stands behind the door. Each kind of decision has a stream of its own: one
/// more draw in one never shifts another. A recording that ends early goes on with zeros, the
/// simplest choice.
///
/// Not copyable: a copied source of chance would silently repeat itself.
@usableFromInline package struct Choices: ~Copyable {
  /// A kind of decision.
  @usableFromInline package enum Stream: Int, CaseIterable, Sendable {
    /// Which model, tree of contexts, merge policies: made before the first step.
    case shape
    /// Which step comes next, with which arguments.
    case workload
    /// Which runnable lane goes next: 0 keeps the present one.
    case schedule
  }

  /// What was decided, per stream in the order of `Stream`.
  package struct Recording: Hashable, Sendable {
    package var streams: [[UInt32]]

    package init(streams: [[UInt32]] = []) {
      self.streams = streams
      while self.streams.count < Stream.allCases.count { self.streams.append([]) }
    }

    /// What was decided before `positions`.
    package func prefix(_ positions: Positions) -> Recording {
      Recording(streams: Stream.allCases.map { Array(self[$0].prefix(positions[$0])) })
    }

    package subscript(stream: Stream) -> [UInt32] {
      get { streams[stream.rawValue] }
      set { streams[stream.rawValue] = newValue }
    }
  }

  /// How many draws each stream had seen at some moment. No array: one is taken after every step.
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

  /// A run of draws in one stream that belong together, such as all that decided one step.
  package struct Span: Hashable, Sendable {
    package var stream: Stream
    package var range: Range<Int>
  }

  // No array: one would have to be asked for its only owner before each draw.
  @usableFromInline var shape: ChoiceStream
  @usableFromInline var workload: ChoiceStream
  @usableFromInline var schedule: ChoiceStream
  /// Unlike a recording, bytes are shared by the streams, in the order of the run, so that
  /// neighbours decide about neighbours.
  @usableFromInline var bytes: ChoiceBytes
  /// Whether all choices come from a recording.
  package let isReplayed: Bool
  package private(set) var spans: [Span] = []
  // A quarter of a kilobyte would be copied to ask for a position.
  private let inPlace = HeldInPlace()

  package init(seed: UInt64) { self.init(replaying: nil, then: seed) }

  package init(replaying recording: Recording) { self.init(replaying: recording, then: nil) }

  /// The beginning of one run and then chance of its own: each stream is replayed as far as
  /// `beginning` has it, and goes on as a run of `seed` begins.
  package init(beginning: Recording, seed: UInt64) { self.init(replaying: beginning, then: seed) }

  /// Choices that a fuzzer makes.
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

  /// Begins the run of another seed in the space of this one, which replays nothing.
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

  /// All that was decided. Costs a walk over it.
  package var recording: Recording {
    Recording(streams: Stream.allCases.map { recording(of: $0) })
  }
  /// What was decided in one stream. Costs a walk over it.
  package func recording(of stream: Stream) -> [UInt32] { draws(from: stream).map { $0.value } }
  /// Below what each of these numbers was drawn: how many alternatives there were. Costs likewise.
  package func bounds(of stream: Stream) -> [UInt32] { draws(from: stream).map { $0.bound } }

  /// A number in `0..<bound`; 0 is the simplest. A replayed choice that is out of bounds, because
  /// the recording was edited, is lowered to the largest that is allowed.
  @inlinable package mutating func draw(below bound: Int, from stream: Stream) -> Int {
    switch stream {
    case .shape: shape.draw(below: bound, orReading: &bytes)
    case .workload: workload.draw(below: bound, orReading: &bytes)
    case .schedule: schedule.draw(below: bound, orReading: &bytes)
    }
  }

  /// A number in `0..<bound` that `choose` comes to by rules of its own and with the chance of this
  /// stream. It is recorded as if it had been drawn, so a replay needs neither: there, `choose` is
  /// not asked.
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

  /// True in `numerator` of `denominator` cases; false is the simplest.
  @inlinable package mutating func chance(
    _ numerator: Int, in denominator: Int, from stream: Stream
  ) -> Bool {
    precondition(0...denominator ~= numerator, "\(numerator) in \(denominator)")
    return draw(below: denominator, from: stream) >= denominator - numerator
  }

  /// The index of one of `weights`, in proportion to its weight. Zero weights are never chosen.
  package mutating func pick(weights: [Int], from stream: Stream) -> Int {
    var rest = draw(below: weights.reduce(0, +), from: stream)
    for (index, weight) in weights.enumerated() {
      if rest < weight { return index }
      rest -= weight
    }
    preconditionFailure("weights changed while they were summed")
  }

  /// How many draws `stream` has seen: where a span begins.
  package func position(in stream: Stream) -> Int {
    switch stream {
    case .shape: shape.draws.count
    case .workload: workload.draws.count
    case .schedule: schedule.draws.count
    }
  }

  /// How many draws `stream` has seen up to the last that is not 0.
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

  /// All draws from `stream` since `start` form a span, which a shrinker may delete as a whole.
  package mutating func closeSpan(from start: Int, in stream: Stream) {
    spans.append(Span(stream: stream, range: start..<position(in: stream)))
  }

  /// Draws in `body` from `stream` form a span.
  package mutating func span<Result>(
    in stream: Stream, _ body: (inout Choices) -> Result
  ) -> Result {
    let start = position(in: stream)
    let result = body(&self)
    closeSpan(from: start, in: stream)
    return result
  }
}
