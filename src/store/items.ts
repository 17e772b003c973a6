import type { Caller } from '../base/caller.js';
import type { JsonBytes } from '../base/json.js';
import { pack, unpack } from '../wire/codec.js';
import type { MemoryItem } from '../wire/messages.js';
import type { Commit, Store } from './env.js';
import { keys } from './keys.js';

/** Parts of a namespace in one key part; labels hold no NUL. */
const SEPARATOR = '\u0000';
/** lmdb takes 1978 bytes for a whole key. */
export const ITEM_KEY_BYTES_MAX = 1_600;

/** Long-term memory. A caller reaches the items of its own scope, nothing else. */
export class Items {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  get(caller: Caller, namespace: readonly string[], key: string): MemoryItem | undefined {
    const bytes = this.#store.get(keys.item(caller.itemScope, namespace.join(SEPARATOR), key));
    return bytes === undefined ? undefined : unpack<MemoryItem>(bytes);
  }

  /** Items whose namespace starts with `prefix`, whole labels, in key order. */
  *under(caller: Caller, prefix: readonly string[]): Generator<MemoryItem> {
    const joined = prefix.join(SEPARATOR);
    const start = prefix.length === 0 ? {} : { start: [...keys.itemScope(caller.itemScope), joined] };
    for (const [key, bytes] of this.#store.entries({ prefix: keys.itemScope(caller.itemScope), ...start })) {
      const namespace = key[2] as string;
      if (prefix.length > 0 && namespace !== joined && !namespace.startsWith(joined + SEPARATOR)) {
        if (namespace.startsWith(joined)) continue;
        return;
      }
      yield unpack<MemoryItem>(bytes);
    }
  }

  put(commit: Commit, caller: Caller, namespace: readonly string[], key: string, value: JsonBytes, nowMs: number): void {
    const before = this.get(caller, namespace, key);
    const item: MemoryItem = {
      namespace: [...namespace],
      key,
      value,
      createdAtMs: before?.createdAtMs ?? nowMs,
      updatedAtMs: before === undefined ? nowMs : Math.max(nowMs, before.updatedAtMs + 1),
    };
    commit.put(keys.item(caller.itemScope, namespace.join(SEPARATOR), key), pack(item));
  }

  remove(commit: Commit, caller: Caller, namespace: readonly string[], key: string): void {
    commit.remove(keys.item(caller.itemScope, namespace.join(SEPARATOR), key));
  }
}
