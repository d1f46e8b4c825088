import Campaigns
import Execution
import Foundation
import Generation
import InputFiles
import ObjectModel
import Reporting
import Scenario
import TestSupport
import Testing

@Suite struct `A model as Xcode writes it` {
  static let names = ["Ledger.xcdatamodel", "Chat.xcdatamodeld", "Shop.xcdatamodel"]

  private func path(_ name: String) -> String { "\(Repository.root)/Fixtures/XcodeModels/\(name)" }

  private func read(_ name: String) throws -> (model: ObjectModel, notes: ModelNotes) {
    try ModelFile.readNoting(path: path(name))
  }

  @Test(arguments: names)
  func `a model by Xcode is read, printed as text and read again`(name: String) throws {
    let text = ModelText.print(try read(name).model)
    #expect(ModelText.print(try ModelText.parse(text)) == text)
  }

  @Test(arguments: names)
  func `a model by Xcode runs without a disagreement, with all its entities`(name: String) throws {
    let (model, notes) = try read(name)
    var settings = CampaignSettings(models: [.file(path: path(name), model, notes)])
    settings.runs = 150
    let report = FuzzCampaign(settings).survey()
    #expect(report.disagreementCount == 0 && report.firstDefect == nil)
    for entity in model.concreteEntities {
      #expect(report.insertionCounts[0][entity.index] > 0, "\(model[entity].name)")
    }
  }

  @Test func `a model of Xcode 4 has defaults of other types, and their meaning`() throws {
    let (model, notes) = try read("Ledger.xcdatamodel")
    let text = ModelText.print(model)
    #expect(
      text == """
        Account
          balance  decimal? = 0 min -1000000 max 1000000
          closed  boolean? = false
          color  transformable?
          kind  integer16? = 0
          hidden  boolean? = false
          name  string = "" min 1 max 60
          opened  date? = @331084800 min @0
          rank  integer32? = 0
          rate  float? = 0.0
          shared  boolean? = true
          starred  integer? = 1
          total  transformable? transient
          entries  Entry* ordered inverse account cascade min 1
        Entry
          amount  decimal = 0
          receipt  data?
          account  Account? inverse entries

        """)
    #expect(
      notes.text
        == "ignored: 1 fetched property (Entry.similar), 1 fetch request template (LargeEntries), "
        + "2 indexes (Account.name, Account.entries), 1 external storage (Entry.receipt); simulated "
        + "as transformable: 1 transient attribute without a type (Account.total)")
  }

  @Test func `a model of Xcode 9 is the current one of three versions`() throws {
    let (model, notes) = try read("Chat.xcdatamodeld")
    #expect(notes.version?.name == "Chat 2.xcdatamodel" && notes.version?.count == 3)
    #expect(
      model.entities.map { $0.properties.map(\.name) } == [
        ["cachedTitle", "isMuted", "remoteIdentifier", "remoteIdentifier_data", "messages"],
        ["serverTimestamp", "conversation", "sender"],
        ["serverTimestamp", "conversation", "sender", "text"],
        ["accentColor", "name", "missedMessages", "sentMessages"],
      ])
    #expect(
      notes.text
        == "Chat 2.xcdatamodel, the current of 3 versions; ignored: 2 indexes "
        + "(Conversation.remoteIdentifier_data, Conversation), 1 configuration (Drafts), 1 regular "
        + "expression (TextMessage.text), 4 transient relationships (Conversation.lastMessage, "
        + "Conversation.typingUsers, Message.missingRecipients, …), 1 fraction of a second "
        + "(Message.serverTimestamp); simulated without an inverse: 1 relationship with a transient "
        + "inverse (User.missedMessages); simulated as transformable: 2 transient attributes without "
        + "a type (Conversation.cachedTitle, Conversation.remoteIdentifier)")
  }

  @Test func `a model of Xcode 16 has an entity with more than 64 properties`() throws {
    let (model, notes) = try read("Shop.xcdatamodel")
    let product = try #require(model.entity(named: "Product"))
    #expect(model[product].properties.count == 81)
    #expect(model[product].uniquenessConstraints == [[PropertyID(80)]])
    #expect(
      notes.text
        == "ignored: 1 index (Category.byTitle), 1 configuration (Cloud), 2 derivation expressions "
        + "(Category.productCount, Item.modified), 1 regular expression (Product.sku), 2 Spotlight "
        + "settings (Category, Category.title), 1 value preserved after deletion (Category.title), "
        + "1 cloud encryption (Item.notes); simulated as one value: 1 composite attribute "
        + "(Item.location)")
  }

  @Test func `a campaign's report says once what was passed over in a model`() throws {
    let (model, notes) = try read("Chat.xcdatamodeld")
    var settings = CampaignSettings(models: [.file(path: path("Chat.xcdatamodeld"), model, notes)])
    settings.runs = 3
    let report = FuzzCampaign(settings).survey()
    let human = HumanReport(report, tool: "faultline", options: "", detail: .verbose).text
    #expect(
      human.components(separatedBy: "Chat.xcdatamodeld: Chat 2.xcdatamodel, the current of 3")
        .count == 2)
    #expect(human.contains("\nobjects inserted: "))
    let json = MachineReport(report) { $0.seed.text }.json()
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let models = try #require(object["models"] as? [[String: Any]])
    #expect(models.count == 1)
    #expect(models[0]["version"] as? String == "Chat 2.xcdatamodel")
    #expect(models[0]["versionCount"] as? Int == 3)
    let counts = try #require(models[0]["insertedObjects"] as? [String: Int])
    #expect(counts.keys.sorted() == ["Conversation", "TextMessage", "User"])
    #expect(counts.values.reduce(0, +) == report.insertionCounts[0].reduce(0, +))
    let passedOver = try #require(models[0]["passedOver"] as? [[String: Any]])
    let transient = try #require(
      passedOver.first { $0["kind"] as? String == "transient relationships" })
    #expect((transient["names"] as? [String])?.count == 4 && transient["simulated"] == nil)
    let untyped = try #require(
      passedOver.first { $0["kind"] as? String == "transient attributes without a type" })
    #expect(untyped["simulated"] as? String == "as transformable")
  }
}

@Suite struct `The objects that a campaign inserts` {
  @Test func `an object is counted once, though parents awaken it again`() throws {
    let model = try ModelText.parse("Note\n  title  string?\nabstract Thing\nFolder : Thing\n")
    var settings = CampaignSettings(models: [.file(path: "N.model", model), .generated])
    settings.runs = 200
    settings.stepFilter.only = [.insert, .save]
    settings.stepFilter.without = [.illegal]
    let report = FuzzCampaign(settings).survey()
    let counts = report.insertionCounts
    #expect(counts[0].map { $0 > 0 } == [true, false, true] && counts[1].isEmpty)
    // The other half of the runs is not counted, because each of those has a model of its own.
    let alone = FuzzCampaign(
      {
        var settings = settings
        settings.models.removeLast()
        return settings
      }()
    ).survey()
    let steps = alone.stepCounts.first { $0.verb == "insert" }?.count ?? 0
    #expect(steps > 0 && alone.insertionCounts[0].reduce(0, +) == steps)
  }
}

@Suite struct `An entity with hundreds of properties` {
  /// Half of the properties are attributes. The rest are relationships with inverses, some of them
  /// to-many.
  private func model(_ count: Int) throws -> ObjectModel {
    var lines = ["Thing"]
    for number in 1...(count / 2) { lines.append("  a\(number)  integer?") }
    for number in 1...(count - count / 2) {
      let isToMany = number.isMultiple(of: 2)
      lines.append("  r\(number)  Thing\(isToMany ? "*" : "?") inverse r\(number)")
    }
    return try ModelText.parse(lines.map { $0 + "\n" }.joined())
  }

  /// Engine and reference model store sets of properties in different ways.
  @Test(arguments: [64, 65, 129, 512])
  func `an entity with hundreds of properties runs without a disagreement`(count: Int) throws {
    let model = try model(count)
    #expect(model.oversizedEntities.isEmpty)
    var settings = CampaignSettings(models: [.file(path: "Thing.model", model)])
    settings.runs = count < 500 ? 150 : 40
    let report = FuzzCampaign(settings).survey()
    #expect(report.disagreementCount == 0 && report.firstDefect == nil)
  }

  @Test func `an entity has at most 512 properties`() throws {
    #expect(try model(513).oversizedEntities.map(\.name) == ["Thing"])
  }
}
