import { unpack } from '../../../wire/codec.js';
import type { Key } from '../../keys.js';
import type { ThreadChange } from '../../threads/thread-changes.js';
import type { ThreadRecord } from '../../threads/threads.js';
import type { OwedDelivery } from '../../webhooks.js';

/** What must be known of all records before references can be judged. */
export class Facts {
  /** Inner ids of threads that are there. */
  readonly living = new Set<string>();
  /** Inner ids of threads that are being removed, made, or held for a webhook: what lies under them may be incomplete. */
  readonly passing = new Set<string>();
  /** Lists that are published. */
  readonly exampleLists = new Set<number>([]);
  readonly experimentLists = new Set<number>([0]);
  /** Lists that are being written or removed. */
  readonly passingLists = new Set<number>();
  /** Ids of runs and assistants that are being removed, and whether there is anything of the kind. */
  readonly leftovers = new Set<string>();
  /** Threads are entered into the order of creation. */
  byCreation = false;
  enteringByCreation = false;

  note(key: Key, value: Uint8Array): void {
    const [kind, first, second] = key;
    switch (kind) {
      case '!':
        if (first === 'entering threads by creation') this.enteringByCreation = true;
        break;
      case 't':
        this.living.add(unpack<ThreadRecord>(value).uid);
        break;
      case 'tc':
        this.byCreation = true;
        break;
      case 'tu': {
        const change = unpack<ThreadChange>(value);
        if (change.kind === 'new') this.passing.add(change.uid);
        break;
      }
      case 'wo': {
        const { held, uid } = unpack<OwedDelivery>(value);
        if (held) this.passing.add(uid);
        break;
      }
      case 'EL':
        this.exampleLists.add(first as number);
        break;
      case 'SL':
        this.experimentLists.add(first as number);
        break;
      case 'U':
        for (const list of Object.values(unpack<Record<string, number | null>>(value)))
          if (typeof list === 'number') this.passingLists.add(list);
        break;
      case 'x':
        if (first === 'thread') this.passing.add(second as string);
        else if (first === 'examples' || first === 'experiment') this.passingLists.add(Number(second));
        else this.leftovers.add(`${first} ${second}`);
        break;
      default:
    }
  }
}
