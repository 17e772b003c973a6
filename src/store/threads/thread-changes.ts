import { pack, unpack } from '../../wire/codec.js';
import { EMPTY, type Commit, type Store } from '../env.js';
import { keys } from '../keys.js';

/** What is under way on a thread and would be left half done by a crash. */
export type ThreadChange =
  /** A change of state: what it has stored so far is undone. */
  | { kind: 'edit'; changeId: string }
  /** A run that goes with all it wrote; `changeId` is its id. */
  | { kind: 'rollback'; changeId: string; uid: string }
  /** A thread that nothing names yet: what lies under its inner id is removed. */
  | { kind: 'new'; changeId: string; uid: string };

/** Written no later than the first put of a change, gone in the commit that completes it. Start-up undoes what it finds. */
export class ThreadChanges {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  begin(commit: Commit, change: ThreadChange): void {
    commit.put(keys.threadChange(change.changeId), pack(change));
  }

  end(commit: Commit, { changeId }: ThreadChange): void {
    commit.remove(keys.threadChange(changeId));
  }

  /** What is made under this inner id will never be named: the remover takes it. */
  abandon(commit: Commit, change: Extract<ThreadChange, { kind: 'new' }>): void {
    this.end(commit, change);
    commit.put(keys.leftover('thread', change.uid), EMPTY);
  }

  /** All that a crash left; the server itself asks, at start-up. */
  *unfinished(): Generator<ThreadChange> {
    for (const [, bytes] of this.#store.entries({ prefix: keys.threadChanges() })) yield unpack<ThreadChange>(bytes);
  }
}
