import Testing

/// Programs of two or three lanes. Each kind of order matters in some of them.
package enum Programs {
  package struct Named: Sendable, CustomTestStringConvertible {
    package let name: String
    package let stack: String
    package let steps: String
    package var testDescription: String { name }
  }

  /// The steps of one lane, with an object `n` that all contexts have.
  private static let acts: [(name: String, steps: [String])] = [
    ("set and save", ["set n.title \"NEW\"", "save"]),
    ("delete and save", ["delete n", "save"]),
    ("read", ["get n.title"]),
    ("fetch", ["fetch Note where title == \"old\""]),
    ("insert and save", ["insert Note as LANE", "save"]),
    ("refresh and read", ["refresh n", "get n.title"]),
    ("give up", ["set n.title \"NEW\"", "rollback"]),
    ("let go", ["release n"]),
    ("batch update", ["batchUpdate Note {title: \"NEW\"}"]),
    ("history", ["mergeHistory"]),
  ]

  private static let roots = """
      store  main
      a  mainQueue coordinator store
      b  privateQueue coordinator store
    """
  private static let family = """
      store  main
      a  mainQueue coordinator store autoMerge
      b  privateQueue parent a policy mergeByPropertyObjectTrump
    """
  private static let coordinators = """
      store  main
      coordinator  first main
      coordinator  second main
      a  privateQueue coordinator first
      b  privateQueue coordinator second
    """
  private static let slow = """
      time  read 3 write 5
      store  main
      a  mainQueue coordinator store
      b  privateQueue coordinator store
    """

  private static let before = """
      a  insert Note as n
      a  set n.title "old"
      a  save
      b  existingObject a.n
    """

  private static func act(_ index: Int, in lane: String) -> String {
    let steps = acts[index].steps.map {
      "    "
        + $0.replacing("NEW", with: "new \(lane)").replacing("LANE", with: "new\(lane)")
    }
    return (["  \(lane)  perform"] + steps).joined(separator: "\n")
  }

  /// Each pair of acts in some stack, and blocks that wait for each other.
  package static let all: [Named] = {
    let stacks = [("roots", roots), ("family", family), ("coordinators", coordinators)]
    var programs: [Named] = []
    for first in acts.indices {
      for second in first..<acts.count {
        let (label, stack) = stacks[(first + second) % stacks.count]
        programs.append(
          Named(
            name: "\(acts[first].name), \(acts[second].name), \(label)", stack: stack,
            steps: [before, act(first, in: "a"), act(second, in: "b")].joined(separator: "\n")))
      }
    }
    return programs + waiting + designs
  }()

  private static let listed = """
      time  read 3 write 5 budget 4
      store  main
      a  mainQueue coordinator store autoMerge
      b  privateQueue coordinator store autoMerge
      controller  list a Note sort title
    """
  private static let twoNotes =
    before + """

        a  insert Note as m
        a  set m.title "old"
        a  save
        b  existingObject a.m
      """

  /// Programs in which an invariant about designs fails in some order.
  private static let designs: [Named] = [
    Named(
      name: "units of work that may cross", stack: roots,
      steps: twoNotes + """

          a  perform
            get n.title
            set m.title "a"
            save
          b  perform
            get m.title
            set n.title "b"
            save
        """),
    Named(
      name: "a unit of work that begins with something else", stack: roots,
      steps: twoNotes + """

          b  insert Note as o
          b  save
          a  perform
            get n.title
            set m.title "a"
            save
          b  perform
            get o.title
            fetch Note where title == "none"
            get m.title
            set n.title "b"
            save
        """),
    Named(
      name: "reads that may not repeat, on a stack that takes its time", stack: listed,
      steps: before + """

          a  performFetch list
          a  perform
            get n.title
            fetch Note where title == "none"
            get n.title
          b  perform
            set n.title "b"
            save
        """),
    Named(
      name: "what a child was told", stack: family,
      steps: before + """

          b  perform
            set n.title "b"
            save
          a  perform
            save
          a  kill
        """),
    Named(
      name: "a child that is given up, and its parent's changes", stack: family,
      steps: before + """

          b  perform
            set n.title "b"
            save
            set n.title "more"
          a  perform
            discard
          b  perform
            discard
        """),
    Named(
      name: "a context on the wrong queue", stack: roots,
      steps: before + """

          b  perform
            directly
              a  get n.title
          a  performAndWait
            b  perform
              get n.title
            directly
              b  get n.title
        """),
  ]

  private static let waiting: [Named] = [
    Named(
      name: "two blocks wait for each other", stack: roots,
      steps: """
          a  perform
            insert Note as x
            b  performAndWait
              insert Note as y
          b  perform
            insert Note as z
            a  performAndWait
              insert Note as w
        """),
    Named(
      name: "a child saves while its parent waits", stack: family,
      steps: before + """

          b  perform
            set n.title "b"
            save
          a  perform
            b  performAndWait
              get n.title
            set n.title "a"
            save
        """),
    Named(
      name: "a deadlock, and a lane that has nothing to do with it",
      stack: roots + """

          c  privateQueue coordinator store
        """,
      steps: """
          a  perform
            b  performAndWait
              insert Note as y
          b  perform
            a  performAndWait
              insert Note as w
          c  perform
            insert Note as z
            save
        """),
    Named(
      name: "a merge of what may have been posted", stack: roots,
      steps: before + """

          b  perform
            set n.title "b"
            save
          a  perform
            mergeChanges didSave b 1
            get n.title
        """),
    Named(
      name: "stores that take their time", stack: slow,
      steps: before + """

          a  perform
            set n.title "a"
            save
          b  perform
            fetch Note
        """),
    Named(
      name: "lanes that sleep and wake together", stack: roots,
      steps: """
          a  perform
            sleep 5
            insert Note as x
          b  perform
            sleep 5
            insert Note as y
            save
        """),
  ]
}
