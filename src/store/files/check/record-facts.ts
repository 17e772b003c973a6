import { unpack } from '../../../wire/codec.js';
import type { Key } from '../../keys.js';
import type { ThreadChange } from '../../threads/thread-changes.js';
import type { ThreadRecord } from '../../threads/threads.js';
import type { OutboxDelivery } from '../../webhooks.js';

/** Facts about all records that the checks of references need. Collected in the first pass. */
export class RecordFacts {
  /** Inner ids of existing threads. */
  readonly threadUids = new Set<string>();
  /** Inner ids of threads that are being removed, created or held for a webhook: their content may be incomplete. */
  readonly incompleteThreadUids = new Set<string>();
  /** Published block lists. */
  readonly exampleLists = new Set<number>([]);
  readonly experimentLists = new Set<number>([0]);
  /** Block lists and groups of attachments that are being written or removed. */
  readonly incompleteLists = new Set<number>();
  /** Runs and assistants that are being removed, as `<kind> <id>`. */
  readonly leftovers = new Set<string>();
  /** The index of threads by creation time exists. */
  hasCreatedIndex = false;
  buildsCreatedIndex = false;

  add(key: Key, value: Uint8Array): void {
    const [kind, first, second] = key;
    switch (kind) {
      case '!':
        if (first === 'entering threads by creation') this.buildsCreatedIndex = true;
        break;
      case 't':
        this.threadUids.add(unpack<ThreadRecord>(value).uid);
        break;
      case 'tc':
        this.hasCreatedIndex = true;
        break;
      case 'tu': {
        const change = unpack<ThreadChange>(value);
        if (change.kind === 'new') this.incompleteThreadUids.add(change.uid);
        break;
      }
      case 'wo': {
        const { held, uid } = unpack<OutboxDelivery>(value);
        if (held) this.incompleteThreadUids.add(uid);
        break;
      }
      case 'EL':
        this.exampleLists.add(first as number);
        break;
      case 'SL':
        this.experimentLists.add(first as number);
        break;
      case 'U':
        for (const [name, list] of Object.entries(unpack<Record<string, number | null>>(value)))
          if (typeof list === 'number' && name !== 'attachmentsFrom') this.incompleteLists.add(list);
        break;
      case 'x':
        if (first === 'thread') this.incompleteThreadUids.add(second as string);
        else if (first === 'examples' || first === 'experiment' || first === 'attachments')
          this.incompleteLists.add(Number.parseInt(second as string, 10));
        else this.leftovers.add(`${first} ${second}`);
        break;
      default:
    }
  }
}
