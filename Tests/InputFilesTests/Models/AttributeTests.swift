import Foundation
import ObjectModel
import TestSupport
import Testing

@Suite struct `An attribute in Xcode's XML` {
  private let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  private func attribute(_ xml: String) throws -> Attribute {
    let entity = try folder.thing("<attribute name=\"x\" \(xml)/>")
    return try #require(entity.properties[0].attribute)
  }

  @Test(
    arguments: zip(
      [
        "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean",
        "Date", "Binary", "UUID", "URI", "Transformable",
      ],
      [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
        .binaryData, .uuid, .uri, .transformable,
      ] as [AttributeType]))
  func `an attribute has the type that Xcode names`(name: String, type: AttributeType) throws {
    let attribute = try attribute("attributeType=\"\(name)\"")
    #expect(attribute.type == type)
    #expect(!attribute.isOptional)
    #expect(!attribute.isTransient)
    #expect(attribute.defaultValue == .null)
    #expect(attribute.minimum == nil)
    #expect(attribute.maximum == nil)
  }

  @Test func `an attribute may be optional and transient`() throws {
    let attribute = try attribute(
      #"attributeType="String" optional="YES" transient="YES" syncable="YES""#)
    #expect(attribute.isOptional)
    #expect(attribute.isTransient)
  }

  /// NSUndefinedAttributeType holds any object and is never stored.
  @Test(arguments: ["", #"attributeType="Undefined""#, #"attributeType="""#])
  func `an attribute may have no type if it is transient`(type: String) throws {
    let attribute = try attribute(
      "\(type) transient=\"YES\" optional=\"YES\" defaultValueString=\"0\" minValueString=\"x\"")
    #expect(attribute.type == .transformable && attribute.isTransient && attribute.isOptional)
    #expect(attribute.defaultValue == .null && attribute.minimum == nil)
  }

  @Test(
    arguments: [
      ("Integer 16", "-32768", .integer(-32768)),
      ("Integer 32", "2147483647", .integer(2_147_483_647)),
      ("Integer 64", "-9223372036854775808", .integer(.min)),
      // Xcode keeps this text from a time when the attribute was a Double.
      ("Integer 16", "5.0", .integer(5)),
      ("Decimal", "0.0", .decimal(significand: 0, exponent: 0)),
      ("Decimal", "-12.50", .decimal(significand: -125, exponent: -1)),
      ("Decimal", "100", .decimal(significand: 100, exponent: 0)),
      ("Decimal", "1e3", .decimal(significand: 1000, exponent: 0)),
      ("Decimal", "7e30", .decimal(significand: 7_000_000_000_000_000_000, exponent: 12)),
      ("Decimal", "0.000000000000000000000000000000", .decimal(significand: 0, exponent: 0)),
      ("Double", "0.0", .number(0)),
      ("Double", "-1.5e300", .number(-1.5e300)),
      ("Float", "0.5", .number(0.5)),
      ("Boolean", "YES", .boolean(true)),
      ("Boolean", "NO", .boolean(false)),
      ("Boolean", "0", .boolean(false)),
      ("Boolean", "1", .boolean(true)),
      // Xcode keeps these texts from a time when the attribute was a number, or a Boolean.
      ("Boolean", "0.0", .boolean(false)),
      ("Boolean", "1.0", .boolean(true)),
      ("Boolean", "2", .boolean(true)),
      ("Boolean", "No", .boolean(false)),
      ("Integer 16", "NO", .integer(0)),
      ("Integer 32", "NO", .integer(0)),
      ("Integer 64", "YES", .integer(1)),
      ("Integer 32", "0.0", .integer(0)),
      ("Integer 64", "1.00", .integer(1)),
      ("Decimal", "NO", .decimal(significand: 0, exponent: 0)),
      ("Double", "YES", .number(1)),
      ("Float", "NO", .number(0)),
      (
        "UUID", "E621E1F8-c36c-495a-93fc-0c247a3e6e5f",
        .uuid(0xE621_E1F8_C36C_495A, 0x93FC_0C24_7A3E_6E5F)
      ),
      // Xcode leaves an empty text when the field is cleared.
      ("UUID", "", .null),
      ("Integer 64", "", .null),
      ("Date", "now", .null),
    ] as [(String, String, Value)])
  func `an attribute has Xcode's default value`(type: String, text: String, value: Value) throws {
    let attribute = try attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
    #expect(attribute.defaultValue == value)
  }

  @Test(arguments: ["String", "URI", "Binary", "Transformable"])
  func `an attribute keeps a default text as a symbol`(type: String) throws {
    let model = try folder.model(
      """
      <entity name="Thing">
      <attribute name="a" attributeType="\(type)" defaultValueString="first"/>
      <attribute name="b" attributeType="\(type)" defaultValueString="a &lt; b &#10; c"/>
      <attribute name="c" attributeType="\(type)" defaultValueString="first"/>
      </entity>
      """)
    #expect(model.symbols.texts == ["first", "a < b \n c"])
    let symbols = [0, 1, 0].map { Symbol(literal: $0) }
    #expect(
      model.entities[0].defaultValues
        == symbols.map { type == "String" ? .string($0) : .opaque($0) })
  }

  @Test func `a String attribute may be empty by default`() throws {
    let model = try folder.model(
      #"<entity name="A"><attribute name="a" attributeType="String" defaultValueString=""/></entity>"#
    )
    #expect(model.symbols.texts == [""])
    #expect(model.entities[0].defaultValues == [.string(Symbol(literal: 0))])
  }

  @Test(arguments: [
    ("0", 0), ("399873600", 399_873_600), ("-0.5", -1), ("362848762.79173", 362_848_762),
  ])
  func `a Date attribute counts whole seconds since 2001`(text: String, seconds: Int64) throws {
    let attribute = try attribute("attributeType=\"Date\" defaultDateTimeInterval=\"\(text)\"")
    #expect(attribute.defaultValue == .date(seconds))
  }

  @Test(
    arguments: [
      ("Integer 16", .integer(-2), .integer(3)),
      ("Integer 64", .integer(-2), .integer(3)),
      ("Decimal", .decimal(significand: -2, exponent: 0), .decimal(significand: 3, exponent: 0)),
      ("Double", .number(-2), .number(3)),
      ("Float", .number(-2), .number(3)),
    ] as [(String, Value, Value)])
  func `an attribute has typed limits`(type: String, minimum: Value, maximum: Value) throws {
    let attribute = try attribute(
      "attributeType=\"\(type)\" minValueString=\"-2\" maxValueString=\"3\"")
    #expect(attribute.minimum == minimum)
    #expect(attribute.maximum == maximum)
  }

  @Test func `a String attribute has limits of length`() throws {
    let attribute = try attribute(
      #"attributeType="String" minValueString="1" maxValueString="80""#)
    #expect(attribute.minimum == .integer(1))
    #expect(attribute.maximum == .integer(80))
  }

  @Test func `a Date attribute has limits in seconds`() throws {
    let attribute = try attribute(
      #"attributeType="Date" minDateTimeInterval="-60" maxDateTimeInterval="60""#)
    #expect(attribute.minimum == .date(-60))
    #expect(attribute.maximum == .date(60))
  }

  @Test(arguments: ["Boolean", "Binary", "UUID", "URI", "Transformable"])
  func `an attribute of a type without order has no limits`(type: String) throws {
    let attribute = try attribute(
      "attributeType=\"\(type)\" minValueString=\"1\" maxValueString=\"2\"")
    #expect(attribute.minimum == nil)
    #expect(attribute.maximum == nil)
  }
}
