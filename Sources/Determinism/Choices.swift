/// The one door for everything undetermined: each decision is an integer below a bound.
///
/// A run is a pure function of its choices. They come from a seed, or from a recording that is
/// being replayed or shrunk; what was drawn is recorded either way, so a random run and its replay
/// differ only in what stands behind the door. Each kind of decision has a stream of its own: one
/// more draw in one never shifts another. A recording that ends early goes on with zeros, the
/// simplest choice.
///
/// Not copyable: a copied source of chance would silently repeat itself.
package struct Choices: ~Copyable {
  /// A kind of decision.
  package enum Stream: Int, CaseIterable, Sendable {
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
    private let (shape, workload, schedule): (Int, Int, Int)

    fileprivate init(_ count: (Stream) -> Int) {
      (shape, workload, schedule) = (count(.shape), count(.workload), count(.schedule))
    }

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

  private struct Draw {
    var value: UInt32
    var bound: UInt32
  }

  /// By stream.
  private var drawn: [[Draw]] = Stream.allCases.map { _ in [] }
  /// All that was decided. Costs a walk over it.
  package var recording: Recording {
    Recording(streams: drawn.map { stream in stream.map(\.value) })
  }
  /// What was decided in one stream. Costs a walk over it.
  package func recording(of stream: Stream) -> [UInt32] { drawn[stream.rawValue].map(\.value) }
  /// Below what each of these numbers was drawn: how many alternatives there were. Costs likewise.
  package func bounds(of stream: Stream) -> [UInt32] { drawn[stream.rawValue].map(\.bound) }
  package private(set) var spans: [Span] = []
  private var generators: [Generator]
  /// Comes before what chance decides.
  private var replayed: Recording?
  /// What another fuzzer decides, the next byte last.
  private var bytes: [UInt8] = []

  package init(seed: UInt64) {
    generators = Stream.allCases.map {
      Generator(seed: Generator.derive(seed, UInt64($0.rawValue)))
    }
    // A kilobyte: a run from a seed draws much.
    for stream in drawn.indices { drawn[stream].reserveCapacity(124) }
    replayed = nil
  }

  package init(replaying recording: Recording) {
    generators = []
    replayed = recording
  }

  /// The beginning of one run and then chance of its own: each stream is replayed as far as
  /// `beginning` has it, and goes on as a run of `seed` begins.
  package init(beginning: Recording, seed: UInt64) {
    self.init(seed: seed)
    replayed = beginning
  }

  /// Choices that a fuzzer makes: each takes as many of the next bytes as its bound has. Unlike in
  /// a recording the streams share them, in the order of the run, so that neighbours decide about
  /// neighbours. When there are no more, the rest is as simple as can be.
  package init(reading bytes: [UInt8]) {
    self.init(replaying: Recording())
    self.bytes = bytes.reversed()
  }

  private mutating func read(below bound: Int) -> Int {
    var (number, range) = (0, 1)
    while range < bound, let byte = bytes.popLast() {
      number = number << 8 | Int(byte)
      range <<= 8
    }
    return number % bound
  }

  /// A number in `0..<bound`; 0 is the simplest. A replayed choice that is out of bounds, because
  /// the recording was edited, is lowered to the largest that is allowed.
  package mutating func draw(below bound: Int, from stream: Stream) -> Int {
    precondition(bound > 0, "a choice among \(bound) alternatives")
    let index = stream.rawValue
    let position = drawn[index].count
    let value: Int
    if let source = replayed?.streams[index], position < source.count {
      value = min(Int(source[position]), bound - 1)
    } else {
      value =
        bound == 1
        ? 0 : generators.isEmpty ? read(below: bound) : generators[index].next(below: bound)
    }
    drawn[index].append(Draw(value: UInt32(value), bound: UInt32(bound)))
    return value
  }

  /// A number in `0..<bound` that `choose` comes to by rules of its own and with the chance of this
  /// stream. It is recorded as if it had been drawn, so a replay needs neither: there, `choose` is
  /// not asked.
  package mutating func decide(
    below bound: Int, from stream: Stream, by choose: (inout Generator) -> Int
  ) -> Int {
    if isReplayed || bound == 1 { return draw(below: bound, from: stream) }
    let value = choose(&generators[stream.rawValue])
    precondition(0..<bound ~= value, "\(value) was chosen of \(bound) alternatives")
    drawn[stream.rawValue].append(Draw(value: UInt32(value), bound: UInt32(bound)))
    return value
  }

  /// Whether all choices come from a recording.
  package var isReplayed: Bool { replayed != nil }

  /// True in `numerator` of `denominator` cases; false is the simplest.
  package mutating func chance(
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
  package func position(in stream: Stream) -> Int { drawn[stream.rawValue].count }

  package var positions: Positions { Positions { drawn[$0.rawValue].count } }

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
