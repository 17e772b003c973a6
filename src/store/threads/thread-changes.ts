import { pack, unpack } from '../../wire/codec.js';
import { EMPTY_VALUE, type Commit, type Store } from '../store.js';
import { keys } from '../keys.js';

/** An operation on a thread that a crash would leave incomplete. */
export type ThreadChange =
  /** A state change. Recovery undoes what it has stored so far. */
  | { kind: 'edit'; changeId: string }
  /** A run that is removed with everything it wrote. `changeId` is its id. */
  | { kind: 'rollback'; changeId: string; uid: string }
  /** A thread that no record refers to yet. Recovery removes the content under its inner id. */
  | { kind: 'new'; changeId: string; uid: string };

/**
 * Records of unfinished changes. Written no later than the first put of a change, and removed in the commit that
 * completes it. Start-up undoes the changes that it finds.
 */
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

  /** Gives up a new thread: its content is recorded for the remover. */
  abandonNew(commit: Commit, change: Extract<ThreadChange, { kind: 'new' }>): void {
    this.end(commit, change);
    commit.put(keys.leftover('thread', change.uid), EMPTY_VALUE);
  }

  /** All changes that a crash left unfinished, without access check; for start-up. */
  *unfinished(): Generator<ThreadChange> {
    for (const [, bytes] of this.#store.entries({ prefix: keys.threadChanges() })) yield unpack<ThreadChange>(bytes);
  }
}
