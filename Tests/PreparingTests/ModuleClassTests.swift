import Preparing
import Testing

@Suite struct `An override in an extension` {
  @Test func `an override in an extension is called by its class`() throws {
    let source = try PreparedSource(
      """
      public class Note: NSManagedObject {
        var a = 1
      }
      extension Note {
        public override func awakeFromInsert() {
          super.awakeFromInsert()
        }
        override public class func entity() -> NSEntityDescription { super.entity() }
        override func validateForInsert() throws { try super.validateForInsert() }
        func other() {}
      }
      """)
    #expect(
      source.body == """
        public class Note: NSManagedObject { public override func awakeFromInsert() { __extended_Note_awakeFromInsert() }; \
        public class override func entity() -> NSEntityDescription { __extended_Note_entity() }; \
        override func validateForInsert() throws { try __extended_Note_validateForInsert() };
          var a = 1
        }
        extension Note {
          public  func __extended_Note_awakeFromInsert() {
            super.awakeFromInsert()
          }
           public class func __extended_Note_entity() -> NSEntityDescription { super.entity() }
           func __extended_Note_validateForInsert() throws { try super.validateForInsert() }
          func other() {}
        }
        """)
  }

  @Test func `an override is left alone for a foreign class or an inout parameter`() throws {
    for text in [
      "extension Foreign {\n  override func willSave() {}\n}",
      "class A {\n  override func willSave() {}\n}",
      "class A {}\nextension A {\n  override func f(_ x: inout Int) {}\n}",
      "protocol P: class {}\nextension P {\n  class func f() {}\n}",
      "class A {}\n#if DEBUG\nextension A {\n  override func willSave() {}\n}\n#endif",
      "enum B { class A {} }\nenum C { class A {} }\nextension A {\n  override func f() {}\n}",
      "class A {}\nextension A.Inner {\n  override func willSave() {}\n}",
    ] {
      #expect(try PreparedSource(text).body == text)
    }
  }

  @Test func `an override hands its parameters on`() throws {
    let source = try PreparedSource(
      "class A: B {}\nextension A {\n  override func f(_ x: [Int: String], for key: String, by n: (Int, Int)) {}\n}"
    )
    #expect(
      source.body.hasPrefix(
        "class A: B { override func f(_ x: [Int: String], for key: String, by n: (Int, Int)) "
          + "{ __extended_A_f(x, for: key, by: n) };}"))
    #expect(source.body.contains(" func __extended_A_f(_ x: [Int: String], for key: String"))
  }

  @Test func `an override has the access and the result of its extension`() throws {
    let source = try PreparedSource(
      "public class A: B {}\npublic extension A {\n  override func f() async throws -> [String]? { nil }\n}"
    )
    #expect(
      source.body.hasPrefix(
        "public class A: B { public override func f() async throws -> [String]? "
          + "{ try __extended_A_f() };}"))
  }

  @Test func `an override for a generated class is called by that class`() throws {
    let folder = try PreparedFolder()
    try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Note" representedClassName="Note" syncable="YES" codeGenerationType="class">
          <attribute name="title" optional="YES" attributeType="String"/>
        </entity>
      </model>
      """, to: "Notes.xcdatamodel/contents")
    try folder.write(
      "extension Note {\n  public override func willSave() {}\n}", to: "Note+Saving.swift")
    let outputs = try Preparation(paths: [folder.path]).outputs()
    let classes = try #require(outputs.first { $0.name == "Notes+CoreDataClasses.swift" }).text
    #expect(classes.contains("{ public override func willSave() { __extended_Note_willSave() }"))
  }
}

@Suite struct `A computed property of a managed object` {
  @Test func `a computed property is found by its name`() throws {
    let source = try PreparedSource(
      """
      class Base: NSManagedObject {}
      class Note: Base {
        @objc var initial: String { "a" }
        @objc public var upper: String? {
          get { nil }
        }
        @objc var stored = 1
        @objc static var shared: Int { 1 }
        @objc(short) var `default`: Int { let a = 1; return a }
        var plain: Int { 1 }
      }
      extension Note {
        @objc var length: Int { 3 }
        @objc private var hidden: Int { 3 }
      }
      class Other: NSObject {
        @objc var initial: String { "a" }
      }
      """)
    let lines = source.body.split(separator: "\n").map(String.init)
    #expect(
      lines[1]
        == "class Note: Base { public override func computedValue(forKey key: String) -> Any?? "
        + "{ switch key { case \"initial\": return .some(initial); case \"upper\": return .some(upper); "
        + "case \"default\": return .some(`default`); case \"length\": return .some(length); default: return super.computedValue(forKey: key) } };"
    )
    #expect(lines[0] == "class Base: NSManagedObject {}")
    #expect(lines.contains("class Other: NSObject {"))
  }
}

@Suite struct `A method that validates a property` {
  @Test func `a validating method is called by the name of its property`() throws {
    let source = try PreparedSource(
      """
      class Note: NSManagedObject {
        @objc func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        func validateOther(_ text: String) throws {}
      }
      extension Note {
        @objc func validateViews(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      }
      class Plain {
        func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      }
      """)
    let lines = source.body.split(separator: "\n").map(String.init)
    #expect(
      lines[0]
        == "class Note: NSManagedObject { public override class var validatedKeys: [String] "
        + "{ super.validatedKeys + [\"title\", \"views\"] }; public override func validateProperty("
        + "_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws "
        + "{ switch key { case \"title\": try validateTitle(value); case \"views\": "
        + "try validateViews(value); default: try super.validateProperty(value, forKey: key) } };")
    #expect(lines.contains("class Plain {"))
  }

  @Test func `a validating method overrides the one for all properties`() throws {
    let source = try PreparedSource(
      """
      class Note: NSManagedObject {
        override func validateValue(
          _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
        ) throws { try super.validateValue(value, forKey: key) }
      }
      """)
    #expect(
      source.body.hasPrefix(
        "class Note: NSManagedObject { public override class var validatesAllKeys: Bool { true };"))
  }
}
