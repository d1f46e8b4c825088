import ObjectModel
import Scenario
import Testing
import Vocabulary

@Suite struct `The text of a request` {
  private static let start = """
    scenario  test
    evidence  observed

    model
      Note
        title  string?
        stars  integer?
        count  integer?
        group  string?
        photo  data?
        folder  Folder? inverse notes
      Folder
        name  string?
        limit  integer?
        parent  Folder? inverse folders
        folders  Folder* inverse parent
        notes  Note* inverse folder

    stack
      store  main
      view  mainQueue coordinator store

    steps
      view  fetch Note\u{20}
    """

  @Test(arguments: [
    "sort folder.name", "sort -folder.parent.name title limit 2", "sort folder.limit +group -count",
    "dictionaries title +count count count(count) sum(stars) group title count",
    "sort title dictionaries min(title) max(stars) average(stars)", "dictionaries folder distinct",
    "dictionaries title count group title +group distinct",
  ])
  func `a request round-trips with key paths and computed dictionaries`(words: String) throws {
    // The properties by which a request groups stand beside an aggregate.
    let words = words.replacing("group title count", with: "group title +count")
    let text = Self.start + words + "\n"
    #expect(ScenarioText.print(try Examples.parse(text)) == text)
  }

  @Test func `a request is read as it is written`() throws {
    let scenario = try Examples.parse(
      Self.start + "sort -folder.parent.name dictionaries title count sum(stars) group title\n")
    guard case .fetch(let request, as: nil)? = scenario.items.first?.step.step else {
      Issue.record("no fetch")
      return
    }
    #expect(
      request.sortDescriptors == [
        .init(
          property: PropertyID(5), furtherKeys: [PropertyID(2), PropertyID(0)], ascending: false)
      ])
    #expect(request.propertiesToFetch == [PropertyID(0)])
    #expect(
      request.aggregates == [Aggregate(.count, of: nil), Aggregate(.sum, of: PropertyID(1))])
    #expect(request.propertiesToGroupBy == [PropertyID(0)])
  }

  @Test(arguments: [
    ("sort title, stars", "write sort descriptors without commas, as in sort title -stamp"),
    (
      "sort title DESC",
      "no 'DESC' in a sort: -title sorts by title in descending order, title ascending"
    ),
    ("sort folder.notes", "cannot sort by to-many 'notes'"),
    (
      "sort title.name",
      "'title' is an attribute; a key path continues only through to-one relationships"
    ),
    (
      "sort folder.nmae",
      "no property 'nmae'; 'Folder' has 'name', 'limit', 'parent', 'folders' and 'notes': "
        + "did you mean 'name'?"
    ),
    ("dictionaries sum(title)", "'title' is not a number; sum needs numbers"),
    (
      "dictionaries sum(folder)",
      "'folder' is not a stored attribute; functions need a stored attribute"
    ),
    (
      "dictionaries median(stars)",
      "no function 'median'; a dictionary can have 'count', 'sum', 'min', 'max' and 'average'"
    ),
    (
      "dictionaries title count",
      "'title' is not the same for all rows of a group; write 'group title'"
    ),
    (
      "dictionaries group title",
      "a grouped request must name the properties of its dictionaries"
    ),
    ("distinct", "'group' and 'distinct' are for dictionaries; write 'dictionaries' too"),
    ("dictionaries group", "expected a property of 'Note' to group by, but the line ends"),
  ])
  func `a wrong request is refused with the correction`(words: String, message: String) {
    #expect(throws: TextError(line: 24, message: message)) {
      try Examples.parse(Self.start + words + "\n")
    }
  }
}
