package import ObjectModel
import Prose
package import Vocabulary

/// Promises of a stack, such as `promise  unique Note.title until changed edit in store view`.
extension Scope {
  /// The first words of promises that begin with neither an entry point nor a context.
  private static var promiseWords: [String] {
    DataKeyword.allCases.map(\.rawValue) + ["eventually", "clean", "no"]
  }

  mutating func readPromise(_ line: inout LineReader) throws(TextError) {
    let start = line
    let word = try line.word("a promise, such as 'unique'")
    let isKeyword = Scope.promiseWords.contains(word)
    if let entry = stack.entryPoints.firstIndex(where: { $0.name == word }),
      ["saves", "keeps"].contains(line.nextWord) || !isKeyword
    {
      return try readPromise(ofEntryPoint: entry, &line, from: start)
    }
    if let context = stack.contexts.firstIndex(where: { $0.name == word }),
      line.nextWord == "shows" || !isKeyword
    {
      try checkParts(line)
      return try readView(of: ContextID(context), &line, from: start)
    }
    switch word {
    case "no":
      try checkParts(line)
      return try readAnnouncements(&line, from: start)
    case "clean":
      try checkParts(line)
      return try readClean(isEventual: false, &line, from: start)
    case "eventually":
      if line.takes(keyword: "clean") {
        try checkParts(line)
        return try readClean(isEventual: true, &line, from: start)
      }
      let word = try line.word("a claim about data, such as 'unique'")
      return try readData(
        try dataKeyword(word, after: "eventually", line), .eventually, &line, start)
    default: break
    }
    guard let keyword = DataKeyword(rawValue: word) else {
      throw line.error(
        unknown(
          "no promise", word,
          promisesOnlyData
            ? "a promise of code begins with"
            : "a promise begins with the name of an entry point or a context, or with",
          promisesOnlyData
            ? DataKeyword.allCases.map(\.rawValue) + ["eventually"]
            : Scope.promiseWords))
    }
    try readData(keyword, .throughout, &line, start)
  }

  /// Throws an error about a promise of an entry point or a context if only data can be promised.
  private func checkParts(_ line: LineReader) throws(TextError) {
    guard promisesOnlyData else { return }
    throw line.error(
      "code is not divided into parts of a stack, so it can only promise something about its data")
  }

  private func dataKeyword(
    _ word: String, after first: String, _ line: LineReader, or others: [String] = []
  ) throws(TextError) -> DataKeyword {
    if let keyword = DataKeyword(rawValue: word) { return keyword }
    throw line.error(
      unknown(
        "no claim", word, "a claim after '\(first)' begins with",
        DataKeyword.allCases.map(\.rawValue) + others))
  }

  // MARK: Data

  /// Reads a promise about data after its first words.
  private mutating func readData(
    _ keyword: DataKeyword, _ course: Promise.Course, _ line: inout LineReader, _ start: LineReader
  ) throws(TextError) {
    var (start, course) = (start, course)
    let claim = try dataClaim(keyword, "promise", &line)
    if line.takes(keyword: "until") {
      if course == .eventually {
        throw line.error("a promise has 'eventually' or 'until', not both")
      }
      course = .until(try release(&line))
    }
    var rest = line
    let text = start.rest().dropLast(rest.rest().count)
    let places = try dataPlaces("promise", &line, before: ["after", "always", "at"])
    let occasion = try promisedOccasion(&line)
    try line.expectEnd()
    var promise = Promise(claim, course, in: places, text: spacedOnce(text))
    switch occasion {
    case .moments(let moments):
      if moments == .atRest, course == .eventually {
        throw line.error("'eventually' includes the moment at rest; leave out 'at rest'")
      }
      promise.occasion = moments
      stack.promises.append(promise)
    case .endOfCalls(let entry):
      stack.entryPoints[entry].promises.append(
        CallPromise(
          .holds(promise), text: "\(promise.text) after \(stack.entryPoints[entry].name)"))
    }
  }

  /// Reads the condition after `until`: a claim about data, `changed` or `clean` with a context.
  private mutating func release(_ line: inout LineReader) throws(TextError) -> Promise.Release {
    let word = try line.word("a claim, such as 'count' or 'changed'")
    if word == "changed" { return .changed(try promisedContext(&line)) }
    if word == "clean" { return .clean(try promisedContext(&line)) }
    let keyword = try dataKeyword(word, after: "until", line, or: ["changed", "clean"])
    return .data(try dataClaim(keyword, "promise", &line))
  }

  private enum PromisedOccasion {
    case moments(Promise.Occasion)
    /// The promise must hold at the end of each call of an entry point. The value is the index of
    /// the entry point in the stack.
    case endOfCalls(Int)
  }

  /// Reads the occasion of a promise: `after saves`, which is the default, `always`, `at rest`, or
  /// `after` with the name of an entry point.
  private func promisedOccasion(_ line: inout LineReader) throws(TextError) -> PromisedOccasion {
    if line.takes(keyword: "after") {
      if line.takes(keyword: "saves") { return .moments(.afterSaves) }
      let name = try line.identifier("'saves' or the name of an entry point")
      return .endOfCalls(try entryPoint(name, line))
    }
    if line.takes(keyword: "always") { return .moments(.always) }
    if line.takes(keyword: "at") {
      try line.expect(keyword: "rest")
      return .moments(.atRest)
    }
    return .moments(.afterSaves)
  }

  // MARK: Calls

  /// Reads a promise about an entry point after its name, such as `saves only work` or
  /// `keeps Folder.notes`.
  private mutating func readPromise(
    ofEntryPoint entry: Int, _ line: inout LineReader, from start: LineReader
  ) throws(TextError) {
    if line.takes(keyword: "keeps") {
      let name = try line.identifier("the name of an entity")
      let entity = try entity(name, "promise names", line)
      let properties = try properties(of: entity, "the property that is kept", &line)
      try line.expectEnd()
      return try add(.keeps(entity, properties), toEntryPoint: entry, from: start)
    }
    guard line.takes(keyword: "saves") else {
      throw line.missing("'saves only' or 'keeps' after the name of an entry point")
    }
    try line.expect(keyword: "only")
    var contexts: [ContextID] = []
    repeat {
      let name = try line.identifier("the name of a context")
      let context = try context(name, "promise names context", line)
      if contexts.contains(context) { throw line.error("'\(name)' is given twice") }
      contexts.append(context)
    } while !line.isAtEnd
    try add(.savesOnly(contexts), toEntryPoint: entry, from: start)
  }

  /// Reads a promise about the calls of an entry point, such as `clean work after finish` and
  /// `clean work after finish or failure`, after the word `clean`.
  private mutating func readClean(
    isEventual: Bool, _ line: inout LineReader, from start: LineReader
  ) throws(TextError) {
    let context = try promisedContext(&line)
    try line.expect(keyword: "after")
    let entryName = try line.identifier("the name of an entry point")
    let entry = try entryPoint(entryName, line)
    var occasion = isEventual ? CallPromise.Occasion.atRest : .success
    if !isEventual, line.takes(keyword: "or") {
      try line.expect(keyword: "failure")
      occasion = .always
    }
    try line.expectEnd()
    try add(.leavesClean(context, occasion), toEntryPoint: entry, from: start)
  }

  private func entryPoint(_ name: String, _ line: LineReader) throws(TextError) -> Int {
    if let entry = stack.entryPoints.firstIndex(where: { $0.name == name }) { return entry }
    throw line.error(
      unknown("no entry point", name, "the stack has", stack.entryPoints.map(\.name)))
  }

  private mutating func add(
    _ statement: CallPromise.Statement, toEntryPoint entry: Int, from start: LineReader
  ) throws(TextError) {
    var start = start
    stack.entryPoints[entry].promises.append(
      CallPromise(statement, text: spacedOnce(Substring(start.rest()))))
  }

  // MARK: Contexts

  private func promisedContext(_ line: inout LineReader) throws(TextError) -> ContextID {
    let name = try line.identifier("the name of a context")
    return try context(name, "promise names context", line)
  }

  /// Reads `shows the store at rest` after the name of a context.
  private mutating func readView(
    of context: ContextID, _ line: inout LineReader, from start: LineReader
  ) throws(TextError) {
    for word in ["shows", "the", "store", "at", "rest"] { try line.expect(keyword: word) }
    try line.expectEnd()
    add(.showsStore, of: context, from: start)
  }

  /// Reads `no objectsDidChange in view twice for one change` after its first word.
  private mutating func readAnnouncements(
    _ line: inout LineReader, from start: LineReader
  ) throws(TextError) {
    try line.expect(keyword: Stack.NotificationName.objectsDidChange.rawValue)
    try line.expect(keyword: "in")
    let context = try promisedContext(&line)
    for word in ["twice", "for", "one", "change"] { try line.expect(keyword: word) }
    try line.expectEnd()
    add(.announcesOnce, of: context, from: start)
  }

  private mutating func add(
    _ statement: ContextPromise.Statement, of context: ContextID, from start: LineReader
  ) {
    var start = start
    stack.contextPromises.append(
      ContextPromise(statement, of: context, text: spacedOnce(Substring(start.rest()))))
  }
}

extension StackDesignText {
  /// Adds a promise to a stack.
  ///
  /// - Parameters:
  ///   - promise: A line of a stack without its first word, such as `unique Record.remoteID`.
  ///   - model: The model with the entities of the promise.
  ///   - isOfCode: A Boolean value that indicates whether the stack stands for code, which can only
  ///     promise something about its data.
  /// - Returns: The stack, and the model with the texts of the promise among its symbols.
  package static func adding(
    _ promise: String, to stack: Stack, of model: ObjectModel, isOfCode: Bool = false
  ) throws(TextError) -> (stack: Stack, model: ObjectModel) {
    var scope = Scope(ofDesignWith: model)
    scope.promisesOnlyData = isOfCode
    scope.stack = stack
    var errors = TextErrors()
    let lines = lines(of: promise, &errors)
    try errors.throwIfAny(upTo: 1)
    guard lines.count == 1, let line = lines.first else {
      throw TextError(line: 1, message: "a promise is one line, such as 'unique Record.remoteID'")
    }
    var reader = LineReader(line)
    try scope.readPromise(&reader)
    return (scope.stack, scope.model)
  }
}

extension Spelling {
  /// Returns the lines of all promises, in the order of `Stack.promiseTexts`.
  func promiseLines() -> [String] {
    stack.promises.map(line) + stack.contextPromises.map { "promise  \($0.text)" }
      + stack.entryPoints.flatMap { entryPoint in
        entryPoint.promises.map { line($0, of: entryPoint) }
      }
  }

  private func line(_ promise: CallPromise, of entryPoint: Stack.EntryPoint) -> String {
    guard let data = promise.data else { return "promise  \(promise.text)" }
    return "\(line(data)) after \(entryPoint.name)"
  }

  private func line(_ promise: Promise) -> String {
    let line = "promise  \(promise.text)\(text(promise.places))"
    return switch promise.occasion {
    case .afterSaves: line
    case .always: line + " always"
    case .atRest: line + " at rest"
    }
  }
}
