import Scenario
import Testing

/// Steps about stores, batches and undo, and others that MalformedStepTests leaves out, with errors
/// and the messages about them.
extension `Malformed text` {
  @Test func `an error in a step about stores, batches or undo has its line and a sentence`() throws
  {
    try expectErrors(Self.laterSteps, atLeast: 56) { text throws(TextError) in
      let steps = Examples.inserts + "\n  " + text
      _ = try Examples.parse(Examples.scenario(steps: steps))
    }
  }

  private static let laterSteps = #"""
    edit  assign n main2
    ! 32: step names store 'main2'; the stack has 'main': did you mean 'main'?

    edit  assign n
    ! 32: expected the name of a store, but the line ends

    edit  removeStore view
    ! 32: step names store 'view'; the stack has 'main'

    edit  addStore main again
    ! 32: unexpected 'again'; the line should end before it

    edit  destroyStore main again
    ! 32: unexpected 'again'; the line should end before it

    edit  policy mine
    ! 32: no merge policy 'mine'; the policies are 'error', 'mergeByPropertyStoreTrump', \#
    'mergeByPropertyObjectTrump', 'overwrite' and 'rollback'

    edit  raise busy
    ! 32: the stack has no flags; write 'flag  busy' above the contexts

    edit  setMetadata main
    ! 32: expected a number from 0 to 2147483647, but the line ends

    edit  setMetadata main "x"
    ! 32: expected a number from 0 to 2147483647 instead of '"x"'

    edit  metadata 3
    ! 32: expected the name of a store instead of '3'

    edit  refuseWrite main
    ! 32: expected the number of a write from 1 to 2147483647, but the line ends

    edit  refuseWrite main 0
    ! 32: expected the number of a write from 1 to 2147483647 instead of '0'

    edit  refuseWrite 1
    ! 32: expected the name of a store instead of '1'

    view  suspend
    ! 32: 'view' is on the main queue, which cannot be suspended; name a queue of the app, or \#
    choose a context with a queue of its own

    view  resume
    ! 32: 'view' is on the main queue, which cannot be suspended; name a queue of the app, or \#
    choose a context with a queue of its own

    edit  suspend main
    ! 32: 'main' is not a queue of the app; steps for the main queue are enqueued by 'view  perform', \#
    for a mainQueue context

    edit  setPrimitive n.folder f
    ! 32: 'folder' is a relationship; write 'relate'

    edit  setPrimitive n.stamp 40000
    ! 32: 40000 does not fit integer16, which holds -32768 to 32767

    edit  validate n
    ! 32: expected 'forInsert', 'forUpdate' or 'forDelete', but the line ends

    edit  validate n forInsrt
    ! 32: no validation 'forInsrt'; there are 'forInsert', 'forUpdate' and 'forDelete': did you \#
    mean 'forInsert'?

    edit  changedValues n.title
    ! 32: unexpected '.title'; the line should end before it

    edit  committedValues
    ! 32: expected the name of an object, but the line ends

    edit  hasChanges n
    ! 32: unexpected 'n'; the line should end before it

    edit  uriRepresentation m
    ! 32: no step inserts 'm'; the steps bind 'n', 'f', 't' and 'u'

    edit  objectForURI edit.n as f
    ! 32: 'f' names a 'Folder' elsewhere and cannot also name a 'Note'; choose another \#
    name

    edit  objectForURI edit.b as b
    ! 32: no step inserts 'b'; the steps bind 'n', 'f', 't' and 'u'

    edit  undo 2
    ! 32: unexpected '2'; the line should end before it

    edit  mergeRemoteChanges
    ! 32: expected 'delivered', 'didSave' or 'batch', but the line ends

    edit  mergeRemoteChanges batch edit
    ! 32: expected 'latest' or the number of a batch request from 1 to 2147483647, but the line ends

    edit  mergeChanges batch edit 0
    ! 32: expected 'latest' or the number of a batch request from 1 to 2147483647 instead of '0'

    edit  mergeChanges batch edti 1
    ! 32: step names context 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?

    edit  batchUpdate Noet {title: "x"}
    ! 32: request is for entity 'Noet'; the model has 'Note', 'Thing', 'Folder' and 'Tag': did \#
    you mean 'Note'?

    edit  batchUpdate Note title "x"
    ! 32: expected '{' instead of 'title'

    edit  batchUpdate Note {title: "x"
    ! 32: expected '}', but the line ends

    edit  batchUpdate Note {title: "x" stamp: 1}
    ! 32: expected '}' instead of 'stamp:'

    edit  batchUpdate Note {title: "x", title: "y"}
    ! 32: 'title' is given twice; once is enough

    edit  batchUpdate Note {title "x"}
    ! 32: expected ':' instead of '"x"'

    edit  batchUpdate Note {folder: f}
    ! 32: a batch request sets stored attributes; 'folder' is not stored

    edit  batchUpdate Note {titel: "x"}
    ! 32: no property 'titel': did you mean 'title'?

    edit  batchUpdate Note {title: "x"} sort title
    ! 32: unexpected 'sort'; the line should end before it

    edit  batchDelete Note {title: "x"}
    ! 32: unexpected '{title:'; the line should end before it

    edit  batchDelete Note where
    ! 32: expected a property of 'Note', but the line ends

    edit  batchInsert Note
    ! 32: expected '{', but the line ends

    edit  batchInsert Thing {}
    ! 32: 'Thing' is abstract; only concrete entities can be inserted

    edit  batchInsert Note {} where title == nil
    ! 32: expected '{' instead of 'where'

    edit  fetch Note ids counting
    ! 32: a request has one result type; choose one of 'ids', 'counting' and 'dictionaries'

    edit  fetch Note ids ids
    ! 32: 'ids' is given twice; once is enough

    edit  fetch Note stores
    ! 32: expected the name of a store, but the line ends

    edit  fetch Note stores main main
    ! 32: store 'main' is given twice

    edit  fetch Note stores people
    ! 32: step names store 'people'; the stack has 'main'

    edit  fetch Note dictionaries tags
    ! 32: to-many 'tags' cannot be in a dictionary

    edit  fetch Note dictionaries title title
    ! 32: 'title' is given twice; once is enough

    edit  performBackgroundTask
    ! 32: a background task has a private queue and no parent context; write \#
    'edit  privateQueue coordinator NAME', or 'perform'

    view  performBackgroundTask
    ! 32: a background task has a private queue and no parent context; write \#
    'view  privateQueue coordinator NAME', or 'perform'

    edit  directly save
    ! 32: unexpected 'save'; the line should end before it

    edit  directly
         save
    ! 33: line is indented by 5 spaces; this block is indented by 4
    """#
}
