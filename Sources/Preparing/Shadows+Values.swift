extension Shadows {
  /// What would differ from run to run.
  static let values = """
    extension Date {
      @usableFromInline init() { self = SimulatedValues.date }
      @usableFromInline static var now: Date { SimulatedValues.date }
      @usableFromInline var timeIntervalSinceNow: TimeInterval { timeIntervalSince(SimulatedValues.date) }
      @usableFromInline init(timeIntervalSinceNow seconds: TimeInterval) {
        self = SimulatedValues.date.addingTimeInterval(seconds)
      }
    }

    extension ProcessInfo {
      var systemUptime: TimeInterval { SimulatedValues.uptime }
    }

    extension UUID {
      @usableFromInline init() { self = SimulatedValues.uuid }
    }

    func NSStringFromClass(_ type: AnyClass) -> String { SimulatedModules.name(of: type) }
    func NSClassFromString(_ name: String) -> AnyClass? {
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
      static func sleep(nanoseconds: UInt64) async throws {
        try await SimulatedTasks.sleep(for: .nanoseconds(nanoseconds))
      }
    }

    extension Bundle {
      convenience init(for type: AnyClass) { self.init(path: SimulatedBundles.path(of: type))! }
      convenience init?(identifier: String) {
        guard let path = SimulatedBundles.path(identifier: identifier, caller: __FaultlineModules.self)
        else { return nil }
        self.init(path: path)
      }
      func url(forResource name: String?, withExtension type: String?) -> URL? {
        SimulatedBundles.url(of: name, type, nil, in: self, caller: #filePath, __FaultlineModules.self)
      }
      func url(
        forResource name: String?, withExtension type: String?, subdirectory: String?
      ) -> URL? {
        SimulatedBundles.url(
          of: name, type, subdirectory, in: self, caller: #filePath, __FaultlineModules.self)
      }
      func urls(forResourcesWithExtension type: String, subdirectory: String?) -> [URL]? {
        SimulatedBundles.urls(
          type, subdirectory, in: self, caller: #filePath, __FaultlineModules.self)
      }
      func path(forResource name: String?, ofType type: String?) -> String? {
        url(forResource: name, withExtension: type)?.path
      }
      func path(
        forResource name: String?, ofType type: String?, inDirectory folder: String?
      ) -> String? {
        url(forResource: name, withExtension: type, subdirectory: folder)?.path
      }
      func paths(forResourcesOfType type: String?, inDirectory folder: String?) -> [String] {
        SimulatedBundles.urls(type, folder, in: self, caller: #filePath, __FaultlineModules.self)?
          .map { $0.path } ?? []
      }
    }

    extension FileManager {
      func fileExists(atPath path: String) -> Bool { SimulatedFiles.exist(at: path, self) }
      func removeItem(atPath path: String) throws { try SimulatedFiles.remove(path, self) }
      func removeItem(at url: URL) throws { try SimulatedFiles.remove(url.path, self) }
      func copyItem(at from: URL, to: URL) throws {
        try SimulatedFiles.copy(from.path, to: to.path, self)
      }
      func moveItem(at from: URL, to: URL) throws {
        try SimulatedFiles.move(from.path, to: to.path, self)
      }
      func copyItem(atPath from: String, toPath to: String) throws {
        try SimulatedFiles.copy(from, to: to, self)
      }
      func moveItem(atPath from: String, toPath to: String) throws {
        try SimulatedFiles.move(from, to: to, self)
      }
    }
    """
}
