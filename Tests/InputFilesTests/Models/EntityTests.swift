import ObjectModel
import TestSupport
import Testing

@Suite struct `An entity in Xcode's XML` {
  private let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  @Test func `an entity begins with what it inherits, wherever its parent stands`() throws {
    let model = try folder.model(
      """
      <entity name="C" parentEntity="B"><attribute name="c" attributeType="String"/></entity>
      <entity name="B" parentEntity="A" isAbstract="YES"><attribute name="b" attributeType="String"/></entity>
      <entity name="A"><attribute name="a2" attributeType="String"/><attribute name="a1" attributeType="String"/></entity>
      """)
    #expect(model.entities.map(\.name) == ["C", "B", "A"])
    #expect(model.entities.map(\.parent) == [EntityID(1), EntityID(2), nil])
    #expect(model.entities.map(\.isAbstract) == [false, true, false])
    #expect(model.entities[0].properties.map(\.name) == ["a2", "a1", "b", "c"])
    #expect(model.entities[1].properties.map(\.name) == ["a2", "a1", "b"])
  }

  @Test func `an entity inherits uniqueness constraints`() throws {
    let model = try folder.model(
      """
      <entity name="B" parentEntity="A"><attribute name="y" attributeType="String"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="y"/><constraint value="a"/></uniquenessConstraint>
      <uniquenessConstraint/></uniquenessConstraints></entity>
      <entity name="A"><attribute name="x" attributeType="String"/>
      <relationship name="a" maxCount="1" destinationEntity="A"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="x"/></uniquenessConstraint></uniquenessConstraints></entity>
      """)
    #expect(
      model.entities[0].uniquenessConstraints == [[PropertyID(0)], [PropertyID(2), PropertyID(1)]])
    #expect(model.entities[1].uniquenessConstraints == [[PropertyID(0)]])
  }

  @Test func `an entity keeps nothing that no simulation needs`() throws {
    let entity = try folder.thing(
      """
      <attribute name="a" attributeType="String"><userInfo><entry key="a" value="b"/></userInfo></attribute>
      <fetchedProperty name="f"><fetchRequest name="r" entity="Missing" predicateString="TRUEPREDICATE"/></fetchedProperty>
      <fetchIndex name="i"><fetchIndexElement property="nothing" type="Binary" order="ascending"/></fetchIndex>
      <compoundIndexes><compoundIndex><index value="nothing"/></compoundIndex></compoundIndexes>
      <userInfo><entry key="a" value="b"/></userInfo>
      </entity>
      <composite name="Place"><attribute name="x" attributeType="Nonsense"/></composite>
      <fetchRequest name="r" entity="Missing" predicateString="TRUEPREDICATE"/>
      <configuration name="c"><memberEntity name="Missing"/></configuration>
      <elements><element name="Missing" positionX="-63"/></elements>
      <entity name="Other">
      """)
    #expect(entity.properties.map(\.name) == ["a"])
    #expect(entity.hookActions.isEmpty)
  }
}

@Suite struct `A relationship in Xcode's XML` {
  private let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  private func relationship(_ xml: String) throws -> Relationship {
    let entity = try folder.thing("<relationship name=\"x\" destinationEntity=\"Thing\" \(xml)/>")
    return try #require(entity.properties[0].relationship)
  }

  @Test func `a relationship is mandatory, to-one and nullifies by default`() throws {
    let relationship = try relationship("")
    #expect(relationship.destination == EntityID(0))
    #expect(relationship.inverse == nil)
    #expect(!relationship.isOptional)
    #expect(!relationship.isToMany)
    #expect(!relationship.isOrdered)
    #expect(relationship.deleteRule == .nullify)
  }

  @Test func `a relationship is to-one even if it states how many`() throws {
    let relationship = try relationship(#"optional="YES" minCount="1" maxCount="1" ordered="YES""#)
    #expect(relationship.isOptional)
    #expect(!relationship.isToMany)
    #expect(!relationship.isOrdered)
    #expect(relationship.minimumCount == 0)
    #expect(relationship.maximumCount == 0)
  }

  /// RD-A1
  @Test(arguments: [("0", true), ("1", false), ("2", true), ("", true)])
  func `a relationship is to-many unless limited to 1`(maximum: String, isToMany: Bool) throws {
    let relationship = try relationship("toMany=\"YES\" maxCount=\"\(maximum)\"")
    #expect(relationship.isToMany == isToMany)
    #expect(relationship.maximumCount == (maximum == "2" ? 2 : 0))
  }

  @Test func `a relationship may be to-many, ordered and limited`() throws {
    let relationship = try relationship(#"toMany="YES" ordered="YES" minCount="2" maxCount="9""#)
    #expect(relationship.isToMany)
    #expect(relationship.isOrdered)
    #expect(relationship.minimumCount == 2)
    #expect(relationship.maximumCount == 9)
  }

  @Test func `a relationship may have no upper limit`() throws {
    let relationship = try relationship(#"toMany="YES" minCount="2""#)
    #expect(relationship.minimumCount == 2)
    #expect(relationship.maximumCount == 0)
  }

  @Test(
    arguments: zip(
      ["No Action", "Nullify", "Cascade", "Deny"],
      [.noAction, .nullify, .cascade, .deny] as [DeleteRule]))
  func `a relationship has Xcode's delete rule`(name: String, rule: DeleteRule) throws {
    #expect(try relationship("deletionRule=\"\(name)\"").deleteRule == rule)
  }

  @Test func `a relationship finds its inverse by number`() throws {
    let model = try folder.model(
      """
      <entity name="A"><attribute name="a" attributeType="String"/>
      <relationship name="bs" toMany="YES" destinationEntity="B" inverseName="a" inverseEntity="B"/></entity>
      <entity name="B"><attribute name="x" attributeType="String"/><attribute name="y" attributeType="String"/>
      <relationship name="a" maxCount="1" destinationEntity="A" inverseName="bs" inverseEntity="A"/></entity>
      """)
    #expect(model.entities[0].properties[1].relationship?.inverse == PropertyID(2))
    #expect(model.entities[1].properties[2].relationship?.inverse == PropertyID(1))
  }

  @Test func `a relationship may be its own inverse`() throws {
    let relationship = try relationship(#"toMany="YES" inverseName="x" inverseEntity="Thing""#)
    #expect(relationship.inverse == PropertyID(0))
  }

  @Test func `a relationship is inherited together with its inverse`() throws {
    let model = try folder.model(
      """
      <entity name="Dog" parentEntity="Animal"><attribute name="tricks" attributeType="String"/></entity>
      <entity name="Animal"><attribute name="name" attributeType="String"/>
      <relationship name="owner" destinationEntity="Owner" inverseName="animals" inverseEntity="Owner"/></entity>
      <entity name="Owner">
      <relationship name="animals" toMany="YES" destinationEntity="Animal" inverseName="owner" inverseEntity="Animal"/></entity>
      """)
    #expect(model.entities[0].properties[1].relationship?.inverse == PropertyID(0))
    #expect(model.entities[1].properties[1].relationship?.inverse == PropertyID(0))
    #expect(model.entities[2].properties[0].relationship?.inverse == PropertyID(1))
  }

  @Test(arguments: ["Dog", "Animal"])
  func `a subentity may inherit the inverse of a relationship`(inverseEntity: String) throws {
    let model = try folder.model(
      """
      <entity name="Dog" parentEntity="Animal"/>
      <entity name="Animal"><attribute name="name" attributeType="String"/>
      <relationship name="owner" destinationEntity="Owner" inverseName="dogs" inverseEntity="Owner"/></entity>
      <entity name="Owner">
      <relationship name="dogs" toMany="YES" destinationEntity="Dog" inverseName="owner" inverseEntity="\(inverseEntity)"/></entity>
      """)
    #expect(model.entities[2].properties[0].relationship?.inverse == PropertyID(1))
    #expect(model.entities[1].properties[1].relationship?.inverse == PropertyID(0))
  }
}
