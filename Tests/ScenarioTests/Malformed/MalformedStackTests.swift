import Scenario
import Testing
import Vocabulary

/// Contexts and observers with errors, and the messages about them.
extension `Malformed text` {
  @Test func `an error in a stack has its line and a sentence`() throws {
    try expectErrors(Self.stacks, atLeast: 25) { text throws(TextError) in
      _ = try Examples.parse(Examples.scenario(stack: "\n" + text))
    }
  }

  private static let stacks = #"""
     store  x
    ! 26: line is indented by 1 space; a section is indented by 2
    ! 26: store is below the first context; the order is time, stores, queues, flags, \#
    groups, ids, coordinators, contexts, controllers, entries, observers, promises

      store  more
    ! 26: store is below the first context; the order is time, stores, queues, flags, \#
    groups, ids, coordinators, contexts, controllers, entries, observers, promises

      edit  mainQueue parent view
    ! 26: the stack has a context 'edit' already; choose another name

      more  confinement main parent view
    ! 26: 'more' is confined to a thread and cannot have a parent; write 'privateQueue' or \#
    'mainQueue', or 'coordinator NAME'

      more  backgroundQueue parent view
    ! 26: no queue type 'backgroundQueue'; there are 'mainQueue', 'privateQueue' and \#
    'confinement'

      entri  saveAll
    ! 26: no declaration 'entri': did you mean 'entry'?

      entri  mainQeue parent view
    ! 26: no queue type 'mainQeue'; there are 'mainQueue', 'privateQueue' and 'confinement': did \#
    you mean 'mainQueue'?

      more  mainQueue
    ! 26: expected 'coordinator' or 'parent', but the line ends

      more
    ! 26: expected the type of its queue, but the line ends

      observe
    ! 26: expected a notification, but the line ends

      more  mainQueue parent view policy
    ! 26: expected a merge policy, but the line ends

      more  mainQueue parent veiw
    ! 26: context has parent 'veiw'; the stack has 'view' and 'edit': did you mean 'view'?

      more  mainQueue coordinator psc
    ! 26: context has coordinator 'psc'; the stack has 'store'

      more  mainQueue parent view policy overwite
    ! 26: no merge policy 'overwite'; the policies are 'error', 'mergeByPropertyStoreTrump', \#
    'mergeByPropertyObjectTrump', 'overwrite' and 'rollback': did you mean 'overwrite'?

      more  mainQueue parent view automerge
    ! 26: no word 'automerge': did you mean 'autoMerge'?

      more  mainQueue parent view undoManager undoManager
    ! 26: 'undoManager' is given twice; once is enough

      more  mainQueue parent view autoMerge policy overwrite
    ! 26: the policy must precede the context's other settings

      undo  mainQueue parent view
    ! 26: 'undo' cannot be a context's name; it has another meaning in steps: \#(Step.Kind.reservedContextNamesText)

      save  mainQueue parent view
    ! 26: 'save' cannot be a context's name; it has another meaning in steps: \#(Step.Kind.reservedContextNamesText)

      observe  didsave edit
    ! 26: no notification 'didsave'; contexts post 'objectsDidChange', 'contextWillSave', \#
    'didSave' and 'didSaveObjectIDs': did you mean 'didSave'?

      observe  saveRequest edit
    ! 26: no notification 'saveRequest'; contexts post 'objectsDidChange', 'contextWillSave', \#
    'didSave' and 'didSaveObjectIDs'

      observe  didSave edti
    ! 26: observer names context 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?

      observe  didSave edit
        > edit  x
    ! 27: transcript below an observer; write transcripts below steps

      observe  didSave edit
          save
    ! 27: line is indented by 6 spaces; this block is indented by 4

      coordinator  c main
    ! 26: coordinator is below the first context; the order is time, stores, queues, flags, \#
    groups, ids, coordinators, contexts, controllers, entries, observers, promises
    """#
}
