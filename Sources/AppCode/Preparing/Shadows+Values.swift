extension Shadows {
  /// Declarations that replace nondeterministic functions, and functions that Linux lacks.
  ///
  /// A declaration of the module hides a declaration of Foundation with the same signature. A
  /// module that imports this module with `@testable` sees both. `@_disfavoredOverload` makes that
  /// module use Foundation's, which would otherwise be ambiguous.
  static let values = """
    extension Date {
      @_disfavoredOverload @usableFromInline init() { self = SimulatedValues.date }
      @_disfavoredOverload @usableFromInline static var now: Date { SimulatedValues.date }
      @_disfavoredOverload @usableFromInline var timeIntervalSinceNow: TimeInterval { timeIntervalSince(SimulatedValues.date) }
      @_disfavoredOverload @usableFromInline init(timeIntervalSinceNow seconds: TimeInterval) {
        self = SimulatedValues.date.addingTimeInterval(seconds)
      }
    }

    extension ProcessInfo {
      @_disfavoredOverload var systemUptime: TimeInterval { SimulatedValues.uptime }
    }

    extension UUID {
      @_disfavoredOverload @usableFromInline init() { self = SimulatedValues.uuid }
    }

    @_disfavoredOverload func NSStringFromClass(_ type: AnyClass) -> String { SimulatedModules.name(of: type) }
    @_disfavoredOverload func NSClassFromString(_ name: String) -> AnyClass? {
      SimulatedModules.anyClass(named: name, for: __FaultlineModules.self)
    }

    func withVaList<Result>(
      _ arguments: [CVarArg], _ body: (SimulatedCVaListPointer) -> Result
    ) -> Result { body(SimulatedCVaListPointer(arguments)) }
    func getVaList(_ arguments: [CVarArg]) -> SimulatedCVaListPointer {
      SimulatedCVaListPointer(arguments)
    }

    extension FixedWidthInteger {
      static func random(in range: Range<Self>) -> Self {
        var generator = SimulatedValues.Generator()
        return random(in: range, using: &generator)
      }
      static func random(in range: ClosedRange<Self>) -> Self {
        var generator = SimulatedValues.Generator()
        return random(in: range, using: &generator)
      }
    }

    extension BinaryFloatingPoint where RawSignificand: FixedWidthInteger {
      static func random(in range: Range<Self>) -> Self {
        var generator = SimulatedValues.Generator()
        return random(in: range, using: &generator)
      }
      static func random(in range: ClosedRange<Self>) -> Self {
        var generator = SimulatedValues.Generator()
        return random(in: range, using: &generator)
      }
    }

    extension Bool {
      static func random() -> Bool {
        var generator = SimulatedValues.Generator()
        return random(using: &generator)
      }
    }

    extension Collection {
      func randomElement() -> Element? {
        var generator = SimulatedValues.Generator()
        return randomElement(using: &generator)
      }
    }

    extension Sequence {
      func shuffled() -> [Element] {
        var generator = SimulatedValues.Generator()
        return shuffled(using: &generator)
      }
    }

    extension MutableCollection where Self: RandomAccessCollection {
      mutating func shuffle() {
        var generator = SimulatedValues.Generator()
        shuffle(using: &generator)
      }
    }

    func arc4random() -> UInt32 { UInt32.random(in: 0...UInt32.max) }
    func arc4random_uniform(_ bound: UInt32) -> UInt32 {
      bound == 0 ? 0 : UInt32.random(in: 0..<bound)
    }

    extension _Concurrency.Task where Success == Never, Failure == Never {
      static func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
        try await SimulatedTasks.sleep(for: duration)
      }
      @_disfavoredOverload static func sleep(nanoseconds: UInt64) async throws {
        try await SimulatedTasks.sleep(for: .nanoseconds(nanoseconds))
      }
    }

    extension Bundle {
      @_disfavoredOverload static var allBundles: [Bundle] { [.main] }
      @_disfavoredOverload var bundleIdentifier: String? { SimulatedBundles.identifier(of: self) }
      @_disfavoredOverload convenience init(for type: AnyClass) { self.init(path: SimulatedBundles.path(of: type))! }
      @_disfavoredOverload convenience init?(identifier: String) {
        guard let path = SimulatedBundles.path(identifier: identifier, caller: __FaultlineModules.self)
        else { return nil }
        self.init(path: path)
      }
      @_disfavoredOverload func url(forResource name: String?, withExtension type: String?) -> URL? {
        SimulatedBundles.url(of: name, type, nil, in: self, caller: #filePath, __FaultlineModules.self)
      }
      @_disfavoredOverload func url(
        forResource name: String?, withExtension type: String?, subdirectory: String?
      ) -> URL? {
        SimulatedBundles.url(
          of: name, type, subdirectory, in: self, caller: #filePath, __FaultlineModules.self)
      }
      func urls(forResourcesWithExtension type: String, subdirectory: String?) -> [URL]? {
        SimulatedBundles.urls(
          type, subdirectory, in: self, caller: #filePath, __FaultlineModules.self)
      }
      @_disfavoredOverload func path(forResource name: String?, ofType type: String?) -> String? {
        url(forResource: name, withExtension: type)?.path
      }
      @_disfavoredOverload func path(
        forResource name: String?, ofType type: String?, inDirectory folder: String?
      ) -> String? {
        url(forResource: name, withExtension: type, subdirectory: folder)?.path
      }
      @_disfavoredOverload func paths(forResourcesOfType type: String?, inDirectory folder: String?) -> [String] {
        SimulatedBundles.urls(type, folder, in: self, caller: #filePath, __FaultlineModules.self)?
          .map { $0.path } ?? []
      }
    }

    extension Data {
      init(contentsOf url: URL) throws { self = try SimulatedFiles.data(contentsOf: url) }
    }

    extension NSDictionary {
      @_disfavoredOverload convenience init?(contentsOf url: URL) {
        guard let entries = SimulatedFiles.dictionary(contentsOf: url) else { return nil }
        self.init(dictionary: entries)
      }
      @_disfavoredOverload convenience init?(contentsOfFile path: String) {
        self.init(contentsOf: URL(fileURLWithPath: path))
      }
      convenience init(contentsOf url: URL, error: ()) throws {
        guard let entries = SimulatedFiles.dictionary(contentsOf: url) else {
          throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        self.init(dictionary: entries)
      }
    }

    extension FileManager {
      @_disfavoredOverload func urls(
        for directory: FileManager.SearchPathDirectory, in mask: FileManager.SearchPathDomainMask
      ) -> [URL] {
        SimulatedFiles.folders(directory, mask, self)
      }
      @_disfavoredOverload func contents(atPath path: String) -> Data? {
        try? SimulatedFiles.data(contentsOf: URL(fileURLWithPath: path))
      }
      @_disfavoredOverload func contentsOfDirectory(atPath path: String) throws -> [String] {
        try SimulatedFiles.names(in: path, self)
      }
      @_disfavoredOverload func contentsOfDirectory(
        at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?,
        options: FileManager.DirectoryEnumerationOptions = []
      ) throws -> [URL] {
        try SimulatedFiles.urls(in: url, keys, options, self)
      }
      @_disfavoredOverload func fileExists(atPath path: String) -> Bool { SimulatedFiles.exist(at: path, self) }
      @_disfavoredOverload func fileExists(
        atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?
      ) -> Bool {
        SimulatedFiles.exist(at: path, isDirectory, self)
      }
      @_disfavoredOverload func removeItem(atPath path: String) throws { try SimulatedFiles.remove(path, self) }
      @_disfavoredOverload func removeItem(at url: URL) throws { try SimulatedFiles.remove(url.path, self) }
      @_disfavoredOverload func copyItem(at from: URL, to: URL) throws {
        try SimulatedFiles.copy(from.path, to: to.path, self)
      }
      @_disfavoredOverload func moveItem(at from: URL, to: URL) throws {
        try SimulatedFiles.move(from.path, to: to.path, self)
      }
      @_disfavoredOverload func copyItem(atPath from: String, toPath to: String) throws {
        try SimulatedFiles.copy(from, to: to, self)
      }
      @_disfavoredOverload func moveItem(atPath from: String, toPath to: String) throws {
        try SimulatedFiles.move(from, to: to, self)
      }
    }
    """
}
