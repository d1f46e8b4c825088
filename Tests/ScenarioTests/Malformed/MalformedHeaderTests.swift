import Scenario
import Testing

/// Lines of the header with errors, and the messages about them.
extension `Malformed text` {
  @Test func `an error in a header has its line and a sentence`() throws {
    try expectErrors(Self.headers, atLeast: 17) { text throws(TextError) in
      _ = try Examples.parse(Examples.scenario(header: "\n" + text))
    }
  }

  private static let headers = #"""
    quirk  rowHasTwoInstance
    ! 3: no quirk 'rowHasTwoInstance': did you mean 'rowHasTwoInstances'?

    quirk
    ! 3: expected a quirk, but the line ends

    quirk  rowHasTwoInstances rowHasTwoInstances
    ! 3: 'rowHasTwoInstances' is given twice; once is enough

    profile  new
    ! 3: no profile 'new'; there are 'documented', 'legacy' and 'current'

    watch  didsave
    ! 3: no event 'didsave': did you mean 'didSave'?

    watch  set set
    ! 3: 'set' is given twice; once is enough

    interleave  seed 3
    ! 3: no interleaving 'seed'; there are 'every' and 'choices'

    watch
    ! 3: expected an event, but the line ends

    profile
    ! 3: expected a profile, but the line ends

    interleave
    ! 3: expected 'every' or 'choices', but the line ends

    interleave  choices -1
    ! 3: expected a choice from 0 to 2147483647 instead of '-1'

    contradict  x
    ! 3: no key 'contradict': did you mean 'contradicts'?

    contradicts
    ! 3: expected the sentence that does not hold, but the line ends

      watch  set
    ! 3: 'watch' is indented; do not indent the header

    # late
    ! 3: unexpected comment; only the description at the top can begin with #

    scenario  again
    ! 3: 'scenario' is given twice; once is enough

    modle
    ! 3: no key 'modle': did you mean 'model'?
    """#
}
