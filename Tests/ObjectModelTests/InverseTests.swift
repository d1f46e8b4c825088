import ObjectModel
import Testing

@Suite struct `Relationships without an inverse` {
  private func model(hasHeir: Bool) -> ObjectModel {
    let toTag = Relationship(destination: EntityID(1))
    var note = Entity(name: "Note")
    note.properties = [Property(name: "tag", kind: .relationship(toTag))]
    var tag = Entity(name: "Tag")
    tag.properties = [Property(name: "name", kind: .attribute(Attribute(type: .string)))]
    var heir = note
    heir.name = "Letter"
    heir.parent = EntityID(0)
    return ObjectModel(entities: [note, tag] + (hasHeir ? [heir] : []))
  }

  @Test(arguments: [false, true])
  func `relationships without an inverse are given one, in heirs too`(hasHeir: Bool) throws {
    let model = model(hasHeir: hasHeir).givingInverses()
    let back = try #require(model.entities[1].properties.last?.relationship)
    #expect(model.entities[1].properties.map(\.name) == ["name", "tagOfNote"])
    #expect(back.isToMany && back.destination == EntityID(0) && back.inverse == PropertyID(0))
    for index in model.entities.indices where index != 1 {
      let tag = try #require(model.entities[index].properties[0].relationship)
      #expect(tag.inverse == PropertyID(1))
    }
    model.checkInvariants()
    #expect(model.givingInverses() == model)
  }

  /// The new property would have to precede those of the heirs.
  @Test func `relationships stay as they are if others inherit from the destination`() {
    let original = model(hasHeir: true)
    var entities = original.entities
    entities[0].properties = [
      Property(name: "next", kind: .relationship(Relationship(destination: EntityID(0))))
    ]
    entities[2].properties = entities[0].properties
    let model = ObjectModel(entities: entities)
    #expect(model.givingInverses() == model)
  }
}
