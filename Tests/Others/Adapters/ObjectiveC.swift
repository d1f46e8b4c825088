import Glibc

/// GNUstep's runtime of Objective-C, called from Swift, which cannot import its headers on Linux.
/// All arguments and results are pointers. No method that is called here takes or returns a
/// floating-point number or a structure.
struct ObjectiveC {
  typealias ID = UnsafeMutableRawPointer?

  private typealias Lookup = @convention(c) (ID, ID) -> ID
  private typealias ByName = @convention(c) (UnsafePointer<CChar>) -> ID
  private typealias Method0 = @convention(c) (ID, ID) -> ID
  private typealias Method1 = @convention(c) (ID, ID, ID) -> ID
  private typealias Method2 = @convention(c) (ID, ID, ID, ID) -> ID
  private typealias Method5 = @convention(c) (ID, ID, ID, ID, ID, ID, ID) -> ID
  typealias Observation = @convention(c) (ID, ID, ID) -> Void
  typealias ExceptionHandler = @convention(c) (ID) -> Void

  private let lookup: Lookup
  private let classNamed: ByName
  private let selectorNamed: ByName

  /// Loads the libraries at `paths`, in this order.
  init(loading paths: [String]) {
    for path in paths {
      guard dlopen(path, RTLD_NOW | RTLD_GLOBAL) != nil else {
        fatalError("cannot load \(path): \(String(cString: dlerror()))")
      }
    }
    lookup = unsafeBitCast(ObjectiveC.symbol("objc_msg_lookup"), to: Lookup.self)
    classNamed = unsafeBitCast(ObjectiveC.symbol("objc_getClass"), to: ByName.self)
    selectorNamed = unsafeBitCast(ObjectiveC.symbol("sel_registerName"), to: ByName.self)
  }

  /// Returns the address of a symbol that a loaded library exports.
  static func symbol(_ name: String) -> UnsafeMutableRawPointer {
    guard let address = dlsym(nil, name) else { fatalError("no library exports \(name)") }
    return address
  }

  /// Returns the object in a global variable.
  static func global(_ name: String) -> ID { symbol(name).load(as: ID.self) }

  func classObject(_ name: String) -> ID {
    guard let found = classNamed(name) else { fatalError("no class is called \(name)") }
    return found
  }

  @discardableResult
  func send(_ receiver: ID, _ name: String, _ arguments: ID...) -> ID {
    let selector = selectorNamed(name)
    let method = lookup(receiver, selector)
    func argument(_ index: Int) -> ID { index < arguments.count ? arguments[index] : nil }
    switch arguments.count {
    case 0: return unsafeBitCast(method, to: Method0.self)(receiver, selector)
    case 1: return unsafeBitCast(method, to: Method1.self)(receiver, selector, arguments[0])
    case 2:
      return unsafeBitCast(method, to: Method2.self)(
        receiver, selector, arguments[0], arguments[1])
    default:
      return unsafeBitCast(method, to: Method5.self)(
        receiver, selector, argument(0), argument(1), argument(2), argument(3), argument(4))
    }
  }

  func send(_ name: String, toClass className: String, _ argument: ID = nil) -> ID {
    send(classObject(className), name, argument)
  }

  func make(_ className: String) -> ID { send(send(classObject(className), "alloc"), "init") }

  /// Calls a method that returns `BOOL`, of which only the lowest byte counts.
  func flag(_ receiver: ID, _ name: String, _ argument: ID = nil) -> Bool {
    UInt(bitPattern: send(receiver, name, argument)) & 0xFF != 0
  }

  func number(_ value: Int) -> ID { UnsafeMutableRawPointer(bitPattern: value) }

  // MARK: Foundation

  func string(_ text: String) -> ID {
    text.withCString { bytes in
      send(
        classObject("NSString"), "stringWithUTF8String:",
        UnsafeMutableRawPointer(mutating: bytes))
    }
  }

  func text(_ string: ID) -> String {
    guard let bytes = send(string, "UTF8String") else { return "" }
    return String(cString: bytes.assumingMemoryBound(to: CChar.self))
  }

  func array(_ objects: [ID]) -> ID {
    let array = send(classObject("NSMutableArray"), "array")
    for object in objects { send(array, "addObject:", object) }
    return array
  }

  func set(_ objects: [ID]) -> ID { send(classObject("NSSet"), "setWithArray:", array(objects)) }

  /// Returns the elements of an `NSArray`.
  func elements(_ array: ID) -> [ID] {
    (0..<Int(bitPattern: send(array, "count"))).map { send(array, "objectAtIndex:", number($0)) }
  }

  func isKind(_ object: ID, of className: String) -> Bool {
    flag(object, "isKindOfClass:", classObject(className))
  }

  /// Returns an object of a new class, whose method `name` is `body`.
  func observer(_ name: String, _ body: Observation) -> ID {
    typealias Allocate = @convention(c) (ID, UnsafePointer<CChar>, Int) -> ID
    typealias Add = @convention(c) (ID, ID, Observation, UnsafePointer<CChar>) -> ID
    typealias Register = @convention(c) (ID) -> Void
    let made = unsafeBitCast(
      ObjectiveC.symbol("objc_allocateClassPair"), to: Allocate.self)(
        classObject("NSObject"), "AdapterObserver", 0)
    _ = unsafeBitCast(ObjectiveC.symbol("class_addMethod"), to: Add.self)(
      made, selectorNamed(name), body, "v@:@")
    unsafeBitCast(ObjectiveC.symbol("objc_registerClassPair"), to: Register.self)(made)
    return send(send(made, "alloc"), "init")
  }

  func selector(_ name: String) -> ID { selectorNamed(name) }
}
