import Foundation
import InputFiles
import ObjectModel
import TestSupport
import Testing

@Suite struct `Model features that are passed over` {
  private let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  private func notes(_ body: String) throws -> ModelNotes {
    try folder.write(xcodeModel(body), to: "M.xcdatamodel/contents")
    return try ModelFile.readNoting(path: folder.path + "/M.xcdatamodel").notes
  }

  /// Each case has a kind of feature and the names of its features.
  @Test(
    arguments: [
      (
        #"<fetchedProperty name="f"><fetchRequest name="r" entity="E"/></fetchedProperty>"#,
        "ignored: 1 fetched property (E.f)"
      ),
      (
        #"<fetchIndex name="i"><fetchIndexElement property="a" order="ascending"/></fetchIndex>"#,
        "ignored: 1 index (E.i)"
      ),
      (
        #"<compoundIndexes><compoundIndex><index value="a"/></compoundIndex></compoundIndexes>"#,
        "ignored: 1 index (E)"
      ),
      (
        #"<attribute name="a" attributeType="String" indexed="YES"/>"#, "ignored: 1 index (E.a)"
      ),
      (
        #"<attribute name="a" attributeType="Composite" composite="C"/>"#,
        "simulated as one value: 1 composite attribute (E.a)"
      ),
      (
        #"<attribute name="a" attributeType="Integer 64" derived="YES" derivationExpression="b.@count"/>"#,
        "ignored: 1 derivation expression (E.a)"
      ),
      (
        #"<attribute name="a" attributeType="String" regularExpressionString="[a-z]+"/>"#,
        "ignored: 1 regular expression (E.a)"
      ),
      (
        #"<relationship name="r" transient="YES" maxCount="1" destinationEntity="E"/>"#,
        "ignored: 1 transient relationship (E.r)"
      ),
      (
        #"<attribute name="a" transient="YES" optional="YES"/>"#,
        "simulated as transformable: 1 transient attribute without a type (E.a)"
      ),
      (
        #"<attribute name="a" attributeType="UUID" optional="YES" defaultValueString="none"/>"#,
        "ignored: 1 default that is no UUID (E.a)"
      ),
      (
        #"<attribute name="a" attributeType="Date" minDateTimeInterval="0.5"/>"#,
        "ignored: 1 fraction of a second (E.a)"
      ),
      (
        #"<attribute name="a" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>"#,
        "ignored: 1 external storage (E.a)"
      ),
      (
        #"<attribute name="a" attributeType="String" spotlightIndexingEnabled="YES"/>"#,
        "ignored: 1 Spotlight setting (E.a)"
      ),
      (
        #"<attribute name="a" attributeType="String" preserveAfterDeletion="YES"/>"#,
        "ignored: 1 value preserved after deletion (E.a)"
      ),
      (
        #"<attribute name="a" attributeType="String" allowsCloudEncryption="YES"/>"#,
        "ignored: 1 cloud encryption (E.a)"
      ),
      (
        #"<attribute name="a" attributeType="String" inventedLater="YES"/>"#,
        "ignored: 1 unknown part (inventedLater of E.a)"
      ),
      (#"<laterElement name="x"/>"#, "ignored: 1 unknown part (element laterElement)"),
    ])
  func `a feature is named after its entity`(xml: String, text: String) throws {
    #expect(try notes("<entity name=\"E\">\(xml)</entity>").text == text)
  }

  @Test func `a feature may belong to the whole model`() throws {
    let notes = try notes(
      """
      <entity name="E"/>
      <fetchRequest name="Recent" entity="E" predicateString="TRUEPREDICATE"/>
      <configuration name="Cloud"><memberEntity name="E"/></configuration>
      <configuration name="Local"><memberEntity name="E"/></configuration>
      """)
    #expect(
      notes.text
        == "ignored: 1 fetch request template (Recent), 2 configurations (Cloud, Local)")
  }

  @Test func `features are counted, and up to three are named`() throws {
    let properties = (1...4).map { "<fetchedProperty name=\"f\($0)\"/>" }.joined()
    let notes = try notes("<entity name=\"E\">\(properties)</entity>")
    #expect(notes.text == "ignored: 4 fetched properties (E.f1, E.f2, E.f3, …)")
    #expect(notes.passedOver.map(\.names) == [["E.f1", "E.f2", "E.f3", "E.f4"]])
  }

  @Test func `a feature without effect on contexts is not mentioned`() throws {
    let notes = try notes(
      """
      <entity name="E" representedClassName=".E" syncable="YES" codeGenerationType="class"
        elementID="Old" versionHashModifier="2">
      <attribute name="a" attributeType="Transformable" valueTransformerName="T" customClassName="C"
        renamingIdentifier="b" usesScalarValueType="NO" syncable="YES" indexed="NO"
        allowsExternalBinaryDataStorage="NO"><userInfo><entry key="k" value="v"/></userInfo></attribute>
      <userInfo><entry key="k" value="v"/></userInfo></entity>
      <composite name="C"><attribute name="x" attributeType="Double" invented="YES"/></composite>
      <elements><element name="E" positionX="1" positionY="1" width="1" height="1"/></elements>
      """)
    #expect(notes == ModelNotes())
    #expect(notes.text == nil)
  }

  @Test func `the note is on one line, whatever it quotes`() throws {
    let notes = try notes(
      "<entity name=\"E\"/><fetchRequest name=\"a&#10;\(String(repeating: "x", count: 500))\"/>")
    let text = try #require(notes.text)
    #expect(text.split(whereSeparator: \.isNewline).count == 1 && text.count < 120)
  }
}

@Suite struct `A transient relationship` {
  private let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  @Test func `a transient relationship is left out with its transient inverse`() throws {
    let model = try folder.model(
      """
      <entity name="A"><relationship name="x" transient="YES" toMany="YES" destinationEntity="B" inverseName="y"/>
      <attribute name="a" attributeType="String"/>
      <relationship name="b" maxCount="1" destinationEntity="B" inverseName="a"/></entity>
      <entity name="B"><relationship name="y" transient="YES" maxCount="1" destinationEntity="A" inverseName="x"/>
      <relationship name="a" maxCount="1" destinationEntity="A" inverseName="b"/></entity>
      """)
    #expect(model.entities.map { $0.properties.map(\.name) } == [["a", "b"], ["a"]])
    #expect(model.entities[0].properties[1].relationship?.inverse == PropertyID(0))
  }

  @Test func `a transient relationship leaves its stored inverse without one`() throws {
    let body = """
      <entity name="A"><relationship name="x" transient="YES" toMany="YES" destinationEntity="B" inverseName="y"/></entity>
      <entity name="B"><relationship name="y" maxCount="1" destinationEntity="A" inverseName="x"/></entity>
      """
    let model = try folder.model(body)
    #expect(model.entities[1].properties[0].relationship?.inverse == nil)
    let notes = try ModelFile.readNoting(path: folder.path + "/Test.xcdatamodel").notes
    #expect(
      notes.text
        == "ignored: 1 transient relationship (A.x); simulated without an inverse: 1 relationship "
        + "with a transient inverse (B.y)")
  }
}
