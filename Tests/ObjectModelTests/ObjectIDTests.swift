import ObjectModel
import Testing

@Suite struct `An object ID` {
  private let entities = [0, 1, 255, 65535].map { EntityID($0) }
  private let stores = [0, 1, 127].map { StoreID($0) }
  private let numbers = [1, 2, 255, 256, 1 << 39, (1 << 40) - 1]

  @Test func `the ID of a row gives back its entity, key and store`() {
    for entity in entities {
      for store in stores {
        for key in numbers {
          let id = ObjectID.permanent(entity, key: key, in: store)
          #expect(!id.isTemporaryID)
          #expect(id.entity == entity && id.number == key && id.store == store)
        }
      }
    }
  }

  @Test func `the ID of an insertion gives back its entity and serial, and no store`() {
    for entity in entities {
      for serial in numbers {
        let id = ObjectID.temporary(entity, serial: serial)
        #expect(id.isTemporaryID)
        #expect(id.entity == entity && id.number == serial && id.store == nil)
      }
    }
  }

  @Test func `two IDs differ in their words as soon as they differ in anything`() {
    var ids: [ObjectID] = []
    for entity in entities {
      for number in numbers {
        ids.append(.temporary(entity, serial: number))
        ids += stores.map { .permanent(entity, key: number, in: $0) }
      }
    }
    #expect(Set(ids).count == ids.count && Set(ids.map(\.word)).count == ids.count)
  }

  @Test func `permanent IDs sort before temporary ones, and then by number alone`() {
    let (low, high) = (EntityID(0), EntityID(9))
    let (first, second) = (StoreID(0), StoreID(1))
    let ascending: [ObjectID] = [
      .permanent(low, key: 1, in: first), .permanent(high, key: 1, in: first),
      .permanent(low, key: 1, in: second), .permanent(high, key: 2, in: second),
      .permanent(low, key: 3, in: first), .permanent(low, key: (1 << 40) - 1, in: first),
      .temporary(low, serial: 1), .temporary(high, serial: 2), .temporary(low, serial: 3),
    ]
    for (i, a) in ascending.enumerated() {
      for (j, b) in ascending.enumerated() { #expect((a < b) == (i < j), "\(i) and \(j)") }
    }
  }
}

@Suite struct `The numbers of a model` {
  @Test func `the numbers of a model sort by index`() {
    #expect(EntityID(1) < EntityID(2) && !(EntityID(2) < EntityID(2)))
    #expect(PropertyID(1) < PropertyID(2) && !(PropertyID(2) < PropertyID(2)))
    #expect(StoreID(1) < StoreID(2) && !(StoreID(2) < StoreID(2)))
  }
}
