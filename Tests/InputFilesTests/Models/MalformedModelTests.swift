import Foundation
import TestSupport
import Testing

@Suite struct `A malformed model` {
  private let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  private func expect(_ text: String, _ complaint: String) throws {
    try folder.write(text, to: "M.xcdatamodel/contents")
    let found = TestSupport.complaint(about: "M.xcdatamodel", in: folder)
    #expect(found == "M.xcdatamodel/contents:" + complaint)
  }

  @Test(arguments: entities + properties + attributes + relationships + constraints)
  func `a malformed model is refused with line and correction`(model: MalformedModel) throws {
    try expect(xcodeModel(model.body), model.complaint)
  }

  @Test(arguments: [
    ("", " empty; it should hold the XML of a model"),
    ("\n\nNote\n", "3: not well-formed XML; it should begin with '<?xml' or '<model'"),
    (
      "<model>\n<entity name=\"A\">\n</model>",
      "3: not well-formed XML; an end tag should name the element that was opened last"
    ),
    (
      "<model>\n<entity name=\"A\"/>\n",
      "2: not well-formed XML; every element should be closed, and nothing follow '</model>'"
    ),
    (
      "<model>\n</model>\n<model/>",
      "3: not well-formed XML; every element should be closed, and nothing follow '</model>'"
    ),
    (
      "<model>\n<entity name=A/></model>",
      "2: not well-formed XML; every value should be in quotation marks"
    ),
    (
      "<model>\n<entity name=\"A\" name=\"B\"/></model>",
      "2: not well-formed XML; an element should name each of its attributes once"
    ),
    (
      "<model>\n<entity name=\"A & B\"/></model>",
      "2: not well-formed XML; '&' and '<' in a text are written '&amp;' and '&lt;'"
    ),
    (
      "<model>\n\n<entity name=\"\u{1}\"/></model>",
      "3: not well-formed XML; it should be UTF-8 without control characters"
    ),
    (
      "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict/></plist>",
      "2: the outermost element is 'plist', not a model as Xcode writes it; it should be 'model'"
    ),
    (
      "<database>\n<object type=\"ENTITY\"/></database>",
      "1: the outermost element is 'database', not a model as Xcode writes it; it should be 'model'"
    ),
  ])
  func `a model with malformed XML is refused`(text: String, complaint: String) throws {
    try expect(text, complaint)
  }

  @Test func `a model is refused where FoundationXML would trap`() throws {
    try expect(
      "<!DOCTYPE model [<!NOTATION n SYSTEM \"x\">]>\n<model/>",
      " has a document type declaration, which models do not have")
    try folder.write(
      Data("<model>\n<entity na".utf8) + [0xF9] + Data("me=\"A\"/></model>".utf8),
      to: "M.xcdatamodel/contents")
    #expect(
      TestSupport.complaint(about: "M.xcdatamodel", in: folder)
        == "M.xcdatamodel/contents: not a text file; Xcode writes models in UTF-8")
  }

  @Test func `a model without a concrete entity is refused`() throws {
    try expect(xcodeModel(""), " declares no entity; a model needs at least one")
    try folder.write(
      xcodeModel("<entity name=\"A\" isAbstract=\"YES\"/>"), to: "M.xcdatamodel/contents")
    #expect(
      TestSupport.complaint(about: "M.xcdatamodel", in: folder)
        == "M.xcdatamodel: has no concrete entity; a model needs an entity that is not abstract")
  }

  @Test func `a refusal is on one line, whatever it quotes`() throws {
    let name = "a&#10;b&#x2028;" + String(repeating: "x", count: 10_000)
    try expect(
      xcodeModel("<entity name=\"\(name)\"/>"),
      "3: 'a\u{FFFD}b\u{FFFD}\(String(repeating: "x", count: 56))…' cannot name an entity; a name "
        + "consists of a to z, digits and _, and does not begin with a digit")
  }

  static let entities = [
    MalformedModel(
      "<entity name=\"A\"/>\n<entity/>", "4: an entity without a name; add name=\"…\""),
    MalformedModel(
      "<entity name=\"2A\"/>",
      "3: '2A' cannot name an entity; a name consists of a to z, digits and _, and does not begin with a digit"
    ),
    MalformedModel(
      "<entity name=\"\"/>",
      "3: '' cannot name an entity; a name consists of a to z, digits and _, and does not begin with a digit"
    ),
    MalformedModel(
      "<entity name=\"A\"/>\n<entity name=\"B\"/>\n<entity name=\"A\"/>",
      "5: a second entity 'A'; the first is on line 3, rename one"),
    MalformedModel(
      "<entity name=\"Person\"/>\n<entity name=\"A\" parentEntity=\"Persom\"/>",
      "4: parentEntity is 'Persom', which is not an entity; did you mean 'Person'?"),
    MalformedModel(
      "<entity name=\"A\" parentEntity=\"Missing\"/>\n<entity name=\"B\"/>",
      "3: parentEntity is 'Missing', which is not an entity; there are 'A', 'B'"),
    MalformedModel(
      "<entity name=\"A\" parentEntity=\"A\"/>",
      "3: 'A' inherits from itself; remove one parentEntity of the cycle"),
    MalformedModel(
      "<entity name=\"X\" parentEntity=\"A\"/>\n<entity name=\"A\" parentEntity=\"B\"/>\n<entity name=\"B\" parentEntity=\"C\"/>\n<entity name=\"C\" parentEntity=\"A\"/>",
      "4: 'A' inherits from itself; remove one parentEntity of the cycle"),
    MalformedModel(
      "<entity name=\"A\" isAbstract=\"yes\"/>", "3: isAbstract is 'yes'; write YES or NO"),
  ]

  static let properties = [
    MalformedModel(
      "<entity name=\"A\">\n<attribute attributeType=\"String\"/></entity>",
      "4: an attribute of 'A' without a name; add name=\"…\""),
    MalformedModel(
      "<entity name=\"A\">\n<relationship name=\"to-b\" destinationEntity=\"A\"/></entity>",
      "4: 'to-b' cannot name a relationship of 'A'; a name consists of a to z, digits and _, "
        + "and does not begin with a digit"),
    MalformedModel(
      "<entity name=\"A\">\n<attribute name=\"x\" attributeType=\"String\"/>\n<relationship name=\"x\" destinationEntity=\"A\"/></entity>",
      "5: 'A' has 'x' already, from line 4; rename one"),
    MalformedModel(
      "<entity name=\"B\" parentEntity=\"A\">\n<attribute name=\"x\" attributeType=\"String\"/></entity>\n<entity name=\"A\">\n<attribute name=\"x\" attributeType=\"String\"/></entity>",
      "4: 'B' has 'x' already, from line 6; rename one"),
  ]

  static let attributes = [
    (
      #"attributeType="Integer 15""#,
      "attributeType is 'Integer 15', which is unknown; did you mean 'Integer 16'?"
    ),
    (
      #"attributeType="string""#,
      "attributeType is 'string', which is unknown; did you mean 'String'?"
    ),
    (
      #"attributeType="Object ID""#,
      "attributeType is 'Object ID', which is unknown; there are 'Integer 16', 'Integer 32', "
        + "'Integer 64', 'Decimal', 'Double', …"
    ),
    (
      "",
      "a stored attribute without a type; choose a type in Xcode, or make the attribute transient"
    ),
    (
      #"attributeType="Undefined" transient="NO""#,
      "a stored attribute without a type; choose a type in Xcode, or make the attribute transient"
    ),
    (#"attributeType="String" optional="1""#, "optional is '1'; write YES or NO"),
    (#"attributeType="String" transient="true""#, "transient is 'true'; write YES or NO"),
    (
      #"attributeType="Integer 16" defaultValueString="32768""#,
      "defaultValueString is '32768'; an Integer 16 is a whole number from -32768 to 32767"
    ),
    (
      #"attributeType="Integer 32" minValueString="-2147483649""#,
      "minValueString is '-2147483649'; an Integer 32 is a whole number from -2147483648 to "
        + "2147483647"
    ),
    (
      #"attributeType="Integer 64" maxValueString="9223372036854775808""#,
      "maxValueString is '9223372036854775808'; an Integer 64 is a whole number of 64 bits"
    ),
    (
      #"attributeType="Integer 64" defaultValueString="1.5""#,
      "defaultValueString is '1.5'; an Integer 64 is a whole number of 64 bits"
    ),
    (
      #"attributeType="Decimal" defaultValueString="12,50""#,
      "defaultValueString is '12,50'; a Decimal is a number like 12.50, of 18 digits at most"
    ),
    (
      #"attributeType="Decimal" defaultValueString="12345678901234567890""#,
      "defaultValueString is '12345678901234567890'; a Decimal is a number like 12.50, of 18 digits "
        + "at most"
    ),
    (
      #"attributeType="Double" defaultValueString="nan""#,
      "defaultValueString is 'nan'; a number like 12.5 is expected"
    ),
    (
      #"attributeType="Float" defaultValueString="1e39""#,
      "defaultValueString is '1e39'; a number like 12.5 is expected"
    ),
    (
      #"attributeType="Boolean" defaultValueString="maybe""#,
      "defaultValueString is 'maybe'; a Boolean is YES or NO"
    ),
    (
      #"attributeType="Date" defaultDateTimeInterval="1e30""#,
      "defaultDateTimeInterval is '1e30'; a Date is a number of seconds since 2001"
    ),
    (
      #"attributeType="Date" minDateTimeInterval="yesterday""#,
      "minDateTimeInterval is 'yesterday'; a Date is a number of seconds since 2001"
    ),
    (
      #"attributeType="UUID" defaultValueString="E621E1F8-C36C-495A-93FC-0C247A3E6E5G""#,
      "defaultValueString is 'E621E1F8-C36C-495A-93FC-0C247A3E6E5G'; a UUID is 32 hexadecimal "
        + "digits, grouped 8-4-4-4-12"
    ),
    (
      #"attributeType="String" maxValueString="-1""#,
      "maxValueString is '-1'; a length is a number from 0 to 1000000000"
    ),
    (
      #"attributeType="String" defaultValueString="s2147483648""#,
      "defaultValueString is 's2147483648', a generated text; these end at s2147483647"
    ),
    (
      #"attributeType="Decimal" minValueString="1.1" maxValueString="1""#,
      "the minimum is above the maximum; swap them"
    ),
  ].map { xml, complaint in
    MalformedModel(
      "<entity name=\"A\">\n<attribute name=\"x\" \(xml)/></entity>", "4: " + complaint)
  }

  static let relationships =
    [
      ("", "'x' has no destinationEntity; there are 'Alpha', 'Beta'"),
      (
        #"destinationEntity="Bata""#,
        "destinationEntity is 'Bata', which is not an entity; did you mean 'Beta'?"
      ),
      (
        #"destinationEntity="Beta" deletionRule="Delete""#,
        "deletionRule is 'Delete', which is unknown; there are 'No Action', 'Nullify', 'Cascade', 'Deny'"
      ),
      (#"destinationEntity="Beta" toMany="1""#, "toMany is '1'; write YES or NO"),
      (#"destinationEntity="Beta" transient="1""#, "transient is '1'; write YES or NO"),
      (
        #"destinationEntity="Gamma" transient="YES""#,
        "destinationEntity is 'Gamma', which is not an entity; there are 'Alpha', 'Beta'"
      ),
      (
        #"destinationEntity="Beta" toMany="YES" maxCount="many""#,
        "maxCount is 'many'; a count is a number from 0 to 1000000000"
      ),
      (
        #"destinationEntity="Beta" minCount="-1""#,
        "minCount is '-1'; a count is a number from 0 to 1000000000"
      ),
      (
        #"destinationEntity="Beta" toMany="YES" minCount="3" maxCount="2""#,
        "minCount is above maxCount; swap them"
      ),
      (
        #"destinationEntity="Beta" inverseName="alpa""#,
        "'Beta' has no relationship 'alpa'; did you mean 'alpha'?"
      ),
      (
        #"destinationEntity="Alpha" inverseName="y""#,
        "'Alpha' has no relationship 'y'; there is 'x'"
      ),
      (
        #"destinationEntity="Beta" inverseName="label""#,
        "the inverse 'Beta.label' is an attribute; there are 'alpha', 'owner', 'friend'"
      ),
      (
        #"destinationEntity="Beta" inverseName="alpha""#,
        "'Alpha.x' names the inverse 'Beta.alpha', which names no inverse; it should name 'x'"
      ),
      (
        #"destinationEntity="Beta" inverseName="owner""#,
        "'Alpha.x' names the inverse 'Beta.owner', which names 'friend'; it should name 'x'"
      ),
      (
        #"destinationEntity="Beta" inverseName="friend" inverseEntity="Alpha""#,
        "inverseEntity is 'Alpha'; it should be the destination, 'Beta'"
      ),
      (
        #"destinationEntity="Beta" inverseName="friend" inverseEntity="Gamma""#,
        "inverseEntity is 'Gamma', which is not an entity; there are 'Alpha', 'Beta'"
      ),
    ].map { xml, complaint in
      MalformedModel(
        """
        <entity name="Alpha">
        <relationship name="x" \(xml)/></entity>
        <entity name="Beta">
        <attribute name="label" attributeType="String"/>
        <relationship name="alpha" destinationEntity="Alpha"/>
        <relationship name="owner" destinationEntity="Beta" inverseName="friend"/>
        <relationship name="friend" destinationEntity="Beta" inverseName="owner"/></entity>
        """, "4: " + complaint)
    } + [
      MalformedModel(
        """
        <entity name="A"><relationship name="x" destinationEntity="B" inverseName="y"/></entity>
        <entity name="B"><relationship name="y" destinationEntity="A" inverseName="x"/></entity>
        <entity name="C">
        <relationship name="x" destinationEntity="B" inverseName="y"/></entity>
        """,
        "6: 'C.x' names the inverse 'B.y', which leads to 'A'; it should lead to 'C'")
    ]

  static let constraints = [
    ("<constraint/>", "a constraint without a value; it should name a property"),
    (#"<constraint value="titel"/>"#, "'A' has no property 'titel'; did you mean 'title'?"),
    (
      #"<constraint value="others"/>"#,
      "'others' is to-many, which cannot be unique; name a stored attribute or a to-one "
        + "relationship"
    ),
    (
      #"<constraint value="cached"/>"#,
      "'cached' is transient, which cannot be unique; name a stored attribute or a to-one "
        + "relationship"
    ),
    (
      #"<constraint value="shown"/>"#,
      "'shown' is transient, which cannot be unique; name a stored attribute or a to-one "
        + "relationship"
    ),
    (
      #"<constraint value="title"/><constraint value="title"/>"#,
      "'title' is given twice in one constraint; once is enough"
    ),
  ].map { xml, complaint in
    MalformedModel(
      """
      <entity name="A">
      <attribute name="title" attributeType="String"/>
      <attribute name="cached" transient="YES" attributeType="String"/>
      <relationship name="others" toMany="YES" destinationEntity="A"/>
      <relationship name="shown" transient="YES" destinationEntity="A"/>
      <uniquenessConstraints><uniquenessConstraint>
      \(xml)
      </uniquenessConstraint></uniquenessConstraints></entity>
      """, "9: " + complaint)
  }
}
