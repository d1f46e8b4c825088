import Scenario
import Testing

/// Claims with errors, and the messages about them.
extension `Malformed text` {
  @Test func `an error in a claim has its line and a sentence`() throws {
    try expectErrors(Self.claims, atLeast: 38) { text throws(TextError) in
      let claims = "  " + text
      _ = try Examples.parse(Examples.scenario(steps: Examples.inserts, claims: claims))
    }
  }

  private static let claims = #"""
    cuont  set n == 1
    ! 34: no claim 'cuont': did you mean 'count'?

    count  sett n == 1
    ! 34: no event 'sett': did you mean 'set'?

    count  set m == 1
    ! 34: no step inserts 'm'; the steps bind 'n', 'f', 't' and 'u'

    count  set n = 1
    ! 34: expected '==', '>=' or '<=' instead of '='

    count  didSave n == 1
    ! 34: claim names context 'n'; the stack has 'view' and 'edit'

    equal  n {}
    ! 34: 'n' lacks its context; write 'CONTEXT.n'

    equal  edit.n {titel: nil}
    ! 34: no property 'titel': did you mean 'title'?

    equal  edit.n {title: nil, title: nil}
    ! 34: 'title' is given twice; once is enough

    equal  edit.n {title nil}
    ! 34: expected ':' instead of 'nil'

    equal  edit.n {title: nil
    ! 34: expected '}', but the line ends

    equal  edit.n {tags: t}
    ! 34: expected '[' instead of 't'

    equal  edit.n {folder: Folder/5}
    ! 34: 'Folder/' lacks a number; write 'Folder/p3' or 'Folder/t5'

    equal  store.Noet [n]
    ! 34: claim names entity 'Noet'; the model has 'Note', 'Thing', 'Folder' and 'Tag': did you \#
    mean 'Note'?

    equal  store.n [n]
    ! 34: claim names entity 'n'; the model has 'Note', 'Thing', 'Folder' and 'Tag'

    equal  store.n
    ! 34: expected '{', but the line ends

    temporary  n
    ! 34: 'n' lacks its context; write 'CONTEXT.n'

    failed  managedObjectMerg
    ! 34: no failure 'managedObjectMerg': did you mean 'managedObjectMerge'?

    failed  merge
    ! 34: no failure 'merge'; those that contain it are 'managedObjectMerge' and 'managedObjectConstraintMerge'

    no  failure
    ! 34: no violation is called 'failure'; the documentation's article Invariants has the names

    count  didSaveObjectIDs store == 1
    ! 34: claim names context 'store'; the stack has 'view' and 'edit'

    count  saveRequest view == 1
    ! 34: claim names coordinator 'view'; the stack has 'store'

    count  storesDidChange
    ! 34: expected the name of a coordinator, or 'store', but the line ends

    count  awakeFromSnapshotEvents edit == 1
    ! 34: 'edit' is a context, not an object; write the object's name alone

    count  failed == 1
    ! 34: expected the name of a failure instead of '=='

    count  failed managedObjectMerge
    ! 34: expected '==', '>=' or '<=', but the line ends

    answered  edti counted 2
    ! 34: claim names context 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?

    answered  edit
    ! 34: expected an answer, such as 'counted 2', but the line ends

    answered  edit cuonted 2
    ! 34: no answer 'cuonted': did you mean 'counted'?

    answered  edit saved
    ! 34: no answer 'saved'; the answers are 'read', 'found', 'counted', 'object', 'nothing', \#
    'failed', 'values', 'yes', 'no', 'uri', 'batched' and 'valid'

    answered  edit didSave inserted n
    ! 34: no answer 'didSave'; the answers are 'read', 'found', 'counted', 'object', 'nothing', \#
    'failed', 'values', 'yes', 'no', 'uri', 'batched' and 'valid'

    shows
    ! 34: expected a violation, such as 'lost update', but the line ends

    shows  lost updates
    ! 34: no violation is called 'lost updates': did you mean 'lost update'?

    shows  nonsense
    ! 34: no violation is called 'nonsense'; the documentation's article Invariants \#
    has the names

    shows  skew
    ! 34: no violation is called 'skew'; those that contain it are 'write skew' and \#
    'write skew in the store'

    changed  edti
    ! 34: claim names context 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?

    always
    ! 34: expected a claim, but the line ends

    count
    ! 34: expected an event, but the line ends

    failed
    ! 34: expected the name of a failure, but the line ends

    succeeded really
    ! 34: unexpected 'really'; the line should end before it

    equal  store.Note [Note/p0]
    ! 34: expected a key from 1 to 2147483647 instead of '0'
    """#
}
