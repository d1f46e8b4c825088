import ObjectModel
import Testing

@Suite struct `An object model` {
  private let thing = EntityID(0)
  private let book = EntityID(1)
  private let novel = EntityID(2)
  private let reader = EntityID(3)

  /// Thing (abstract) ← Book ← Novel, and Reader. Books and readers are related to each other.
  private var model: ObjectModel {
    var title = Attribute(type: .string)
    title.defaultValue = .string(Symbol(literal: 0))
    var pages = Attribute(type: .integer32)
    pages.defaultValue = .integer(100)
    var owner = Relationship(destination: reader)
    owner.inverse = PropertyID(1)
    var fans = Relationship(destination: reader)
    fans.isToMany = true
    var books = Relationship(destination: book)
    books.inverse = PropertyID(2)
    books.isToMany = true

    var entities = ["Thing", "Book", "Novel", "Reader"].map { Entity(name: $0) }
    entities[0].isAbstract = true
    entities[0].properties = [Property(name: "title", kind: .attribute(title))]
    entities[1].parent = thing
    entities[1].properties =
      entities[0].properties + [
        Property(name: "fans", kind: .relationship(fans)),
        Property(name: "owner", kind: .relationship(owner)),
        Property(name: "pages", kind: .attribute(pages)),
      ]
    entities[2].parent = book
    entities[2].properties =
      entities[1].properties + [
        Property(name: "sequels", kind: .relationship(fans)),
        Property(name: "genre", kind: .attribute(Attribute(type: .string))),
      ]
    entities[3].properties = [
      Property(name: "name", kind: .attribute(Attribute(type: .string))),
      Property(name: "books", kind: .relationship(books)),
    ]
    var symbols = SymbolTable()
    _ = symbols.symbol(for: "untitled")
    return ObjectModel(entities: entities, symbols: symbols)
  }

  @Test func `a model keeps its texts without the hooks of its classes`() {
    #expect(model.without(.willSave) == model)
    var entities = model.entities
    entities[thing.index].hookActions = [
      HookAction(hook: .willSave, property: PropertyID(0), effect: .setNext, onlyIfNil: true)
    ]
    let hooked = ObjectModel(entities: entities, symbols: model.symbols)
    #expect(hooked.without(.awakeFromFetch) == hooked)
    #expect(hooked.without(.willSave) == model)
    #expect(hooked.without(.willSave).symbols == model.symbols)
  }

  @Test func `a model gives values and collections slots of their own, in order`() {
    #expect(model[thing].properties.map(\.slot) == [0])
    #expect(model[book].properties.map(\.slot) == [0, 0, 1, 2])
    #expect(model[novel].properties.map(\.slot) == [0, 0, 1, 2, 1, 3])
    #expect(model.entities.map(\.valueCount) == [1, 3, 4, 1])
    #expect(model.entities.map(\.collectionCount) == [0, 1, 2, 1])
  }

  @Test func `a model gives an inherited property the same number and slot`() {
    for property in model[book].propertyIDs {
      #expect(model[novel][property] == model[book][property])
    }
  }

  @Test func `a model has default values by slot, and nil for to-one relationships`() {
    let untitled = Value.string(Symbol(literal: 0))
    #expect(model[book].defaultValues == [untitled, .null, .integer(100)])
    #expect(model[novel].defaultValues == [untitled, .null, .integer(100), .null])
    #expect(model[reader].defaultValues == [.null])
  }

  @Test func `a model knows each entity's family`() {
    #expect(
      model.entities.map(\.family) == [[thing, book, novel], [book, novel], [novel], [reader]])
    #expect(model.entity(novel, inherits: thing) && model.entity(book, inherits: book))
    #expect(!model.entity(thing, inherits: book) && !model.entity(reader, inherits: thing))
  }

  @Test func `a model makes objects of concrete entities only`() {
    #expect(model.concreteEntities == [book, novel, reader])
  }

  @Test func `a model finds entities and properties by name`() {
    #expect(model.entity(named: "Novel") == novel && model.entity(named: "novel") == nil)
    #expect(model[novel].property(named: "pages") == PropertyID(3))
    #expect(model[reader].property(named: "pages") == nil)
  }

  @Test func `a model lists attributes and relationships, inherited ones first`() {
    #expect(model[novel].attributeIDs == [0, 3, 5].map { PropertyID($0) })
    #expect(model[novel].relationshipIDs == [1, 2, 4].map { PropertyID($0) })
    var entities = model.entities
    var draft = Attribute(type: .string)
    draft.isTransient = true
    entities[2].properties.append(Property(name: "draft", kind: .attribute(draft)))
    let changed = ObjectModel(entities: entities, symbols: model.symbols)
    #expect(changed[novel].attributeIDs == [0, 3, 5, 6].map { PropertyID($0) })
    #expect(changed[novel].storedAttributeIDs == [0, 3, 5].map { PropertyID($0) })
  }

  @Test func `a model made of another's entities equals the other`() {
    #expect(ObjectModel(entities: model.entities, symbols: model.symbols) == model)
  }

  @Test func `a model differs if anything differs`() {
    var renamed = model.entities
    renamed[2].name = "Tale"
    #expect(model == model)
    #expect(ObjectModel(entities: renamed, symbols: model.symbols) != model)
    #expect(ObjectModel(entities: model.entities) != model)
  }

  @Test func `a model refuses an inverse that is no relationship`() async {
    await #expect(processExitsWith: .failure) {
      var toOne = Relationship(destination: EntityID(0))
      toOne.inverse = PropertyID(0)
      var entity = Entity(name: "Thing")
      entity.properties = [
        Property(name: "title", kind: .attribute(Attribute(type: .string))),
        Property(name: "other", kind: .relationship(toOne)),
      ]
      _ = ObjectModel(entities: [entity])
    }
  }

  @Test func `a model refuses an entity without the properties of its parent`() async {
    await #expect(processExitsWith: .failure) {
      var parent = Entity(name: "Thing")
      parent.properties = [Property(name: "title", kind: .attribute(Attribute(type: .string)))]
      var child = Entity(name: "Book")
      child.parent = EntityID(0)
      _ = ObjectModel(entities: [parent, child])
    }
  }
}

@Suite struct `A property` {
  @Test func `a property is an attribute or a relationship`() {
    var transient = Attribute(type: .string)
    transient.isTransient = true
    var toMany = Relationship(destination: EntityID(0))
    toMany.isToMany = true
    let attribute = Property(name: "a", kind: .attribute(transient))
    let relationship = Property(name: "r", kind: .relationship(toMany))
    #expect(attribute.attribute == transient && attribute.relationship == nil)
    #expect(relationship.relationship == toMany && relationship.attribute == nil)
    #expect(attribute.isTransient && !relationship.isTransient)
    #expect(relationship.isToMany && !attribute.isToMany)
  }
}
