/// The page that `faultline guide` prints. Tests run its commands and stacks, and verify its mends.
enum Guide {
  static let text = """
    # Faultline: read this before the first campaign

    Faultline runs generated programs on a simulated Core Data, in generated orders of the queues.
    It reports which data a design of contexts can lose, and shrinks each failure to a minimal run.
    It needs two text files and no app code: a stack (the contexts) and a model (the entities).

    ## A stack

    ```stack
    stack  App

      store  main
      root  privateQueue coordinator store hidden
      viewContext  mainQueue parent root
      exporter  privateQueue coordinator store policy mergeByPropertyObjectTrump autoMerge readOnly
      entry  commit
        viewContext  try
          save
          root  save
      observe  didSave root
        exporter  perform
          refreshAllObjects
    ```

    - A context is `NAME  QUEUE coordinator store` or `NAME  QUEUE parent NAME`; QUEUE is `mainQueue` or
      `privateQueue`. Then `policy P` (without it `error`; others are
      `mergeByPropertyStoreTrump`, `mergeByPropertyObjectTrump`, `overwrite`, `rollback`), and any of
      `autoMerge` (automaticallyMergesChangesFromParent), `readOnly` and `hidden`.
    - Programs insert, change, fetch and save in every context as they like. `readOnly`: they only read.
      `hidden`: they never use it. Without `entry`, a design fails by uses that the app never makes.
    - `entry` is a function of the app, `observe` the handler of a notification: `didSave`,
      `objectsDidChange`, `contextWillSave`. Both have steps, two spaces deeper. A name at the beginning
      of a step is its context; a step without a name has the context of the block around it.
    - `perform` enqueues a block, `performAndWait` waits for it, `try` ends at the first error. `discard`
      drops a context with its unsaved changes, and a new context takes its place.
    - Other steps: `rollback`, `reset`, `refreshAllObjects` (keeps unsaved changes), `fetch Note`,
      `batchDelete Note`, `mergeChanges delivered`, `mergeRemoteChanges batch importer latest`. Below
      `when hasChanges` are steps that depend on it. `raise busy` sets a `flag  busy`, `lower busy` clears
      it, and `when busy` and `unless busy` ask for it. Steps after a `try` run even if it has failed.
    - If two contexts change one property, `mergeByPropertyStoreTrump` keeps the stored value, and
      `mergeByPropertyObjectTrump` that of the context that saves. `rollback` keeps all stored values of the
      object, `overwrite` all values of the context.
    - Programs edit a context, call entry points and roll back, in any order. But if an entry point saves and
      discards a context, in `try` with `save` and `discard`, programs use that context only in blocks that
      end with the call. Write a background task in this way.
    - `worker*3  privateQueue …` is a pool. Declare names above the lines that use them.

    Fixtures/Stacks/README.md of Faultline describes the whole language. `faultline stacks --list` lists
    ready stacks, and `--stack proxy` uses one by name.

    ## A model

    An .xcdatamodeld, or text. `?` means optional, `*` to-many. Write defaults, `unique` and delete rules
    as here:

    ```model
    Note
      title  string?
      views  integer = 0
      folder  Folder? inverse notes
    Folder
      name  string
      notes  Note* inverse folder cascade
      unique  name
    ```

    ## The loop

    ```
    faultline init Notes --editor
    faultline fuzz --stack Notes/Notes.stack --model Notes/Notes.model --runs 300 --format brief
    faultline replay Notes/failed-save-by-the-stack
    faultline fuzz --stack Notes/Notes.stack --model Notes/Notes.model --runs 300 --format brief
    ```

    1. `init` writes a stack, a model, a test and a workflow. Make the stack describe the app: its contexts,
       and its functions as `entry`. `init --model` takes the app's own .xcdatamodeld.
    2. `fuzz` keeps an example of each failure. Its first line is the verdict. Take the first failure: `at`
       is the line of the stack that declares the part at fault, `repeat` the command of step 3.
    3. `replay NAME` shows the run as a diagram, a column for each queue. A cause such as
       `quirk childSaveIgnoresMergePolicy` is a behaviour of Core Data that the design has to avoid;
       `faultline facts MP-02` explains a fact. With `--failures none`, no short run is kept for replays.
    4. Change the stack in a way that the app can adopt. `replay NAME --stack Notes/Notes.stack` shows
       whether the change prevents the failure. Then run `fuzz` again, which first replays all kept
       examples. Repeat until PASS, then with `--runs 5000`, and change the app in the same way.

    ## How to fix failures

    | failure | line of the stack | line of Swift |
    |---|---|---|
    | lost update in the store | `viewContext  mainQueue coordinator store autoMerge readOnly` | `importer.perform { note.title = title; try? importer.save() }`, the only context that writes |
    | lost update through a merge in the store | the same | the same |
    | write skew in the store | the same | the same |
    | failed save | the same | the same |
    | failed save by the stack | the same | the same |
    | silently ignored save in the store | the same | the same |
    | stale copy | the same | `viewContext.automaticallyMergesChangesFromParent = true` |
    | lost update | `editor  mainQueue coordinator store`, for `parent viewContext` | `editor.persistentStoreCoordinator = container.persistentStoreCoordinator`: its save now meets conflicts |
    | unsaved changes discarded by the stack | `importer  try` | `do { try importer.save(); importer = container.newBackgroundContext() } catch { report(error) }` |
    | poisoned context | `importer  rollback`, after its `save` | `do { try importer.save() } catch { importer.rollback(); report(error) }` |
    | save left in a parent | `viewContext  save` | `try editor.save(); try viewContext.save()` |
    | deadlock by the stack | `viewContext  perform` | `viewContext.perform { viewContext.mergeChanges(fromContextDidSave: saved) }` |
    | wrong-queue access by the stack | the same | the same |
    | stale list in a following context | `forEach deliveredUpdates touch`, before `mergeChanges delivered` | `for id in ids { viewContext.object(with: id).willAccessValue(forKey: nil) }` |
    | endless reaction | `forEach delivered mark`, for `edit`; `when hasChanges` above `save` | `if !note.isSynced { note.isSynced = true }` |

    A single writing context prevents most failures. If two must write, keep the policy `error`, catch the
    error in Swift, refresh the objects, apply the edit again and save; then accept the kind with
    `--allow 'failed save by the stack'`. A merge policy resolves the conflict, but loses one of the changes.
    A design without the function that fails passes, too. If the app needs the function, write a promise.
    For a broken promise, let one context check and write, or declare `unique` in the model.

    ## What counts

    Exit code 0: no new failure. 1: a failure. 2: bad input, with file and line. 3: a defect of Faultline.
    Failures that stop the app, lose data or refuse a save fail a campaign; old data, mistaken objects
    and delays are warnings. `--strict` makes warnings fail. `--only 'lost update'` counts only this kind,
    `--allow 'stale copy'` ignores it; both may be repeated. Never allow a whole group. If fewer than
    one program of ten saves, the verdict is FAIL, too, because almost nothing was tested.

    Promises are conditions that you define, in the last lines of a stack or with an option:

    ```
    faultline fuzz --stack Notes/Notes.stack --model Notes/Notes.model --runs 300 --promise 'unique Note.title' --only 'broken promise' --format brief
    ```

    Others: `every Note has views >= 0`, `count Note <= 100`, `eventually unique Note.title`,
    `view shows the store at rest`. A stack with promises names its model in its
    second line: `model  Notes.model`. Faultline also runs an app's own Swift code in many schedules; the
    article FuzzingYourCode.md explains it. `faultline mcp` offers these commands as tools of an assistant.
    """
}
