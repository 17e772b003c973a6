import { filterOf, sees, type Caller } from '../base/caller.js';
import { parseJson, type JsonBytes, type JsonObject } from '../base/json.js';
import { pack, unpack } from '../wire/codec.js';
import type { Commit, Store } from './env.js';
import { keys } from './keys.js';

export interface AssistantRecord {
  assistantId: string;
  graphId: string;
  name: string;
  description: string | null;
  createdAtMs: number;
  updatedAtMs: number;
  version: number;
  config: JsonBytes;
  context: JsonBytes;
  metadata: JsonBytes;
  /** Made from a configured graph; every caller sees it. */
  system: boolean;
}

export class Assistants {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  get(caller: Caller, assistantId: string): AssistantRecord | undefined {
    const bytes = this.#store.get(keys.assistant(assistantId));
    if (bytes === undefined) return undefined;
    const record = unpack<AssistantRecord>(bytes);
    return visible(caller, record) ? record : undefined;
  }

  *all(caller: Caller): Generator<AssistantRecord> {
    for (const [, bytes] of this.#store.entries({ prefix: keys.assistants() })) {
      const record = unpack<AssistantRecord>(bytes);
      if (visible(caller, record)) yield record;
    }
  }

  put(commit: Commit, record: AssistantRecord): void {
    commit.put(keys.assistant(record.assistantId), pack(record));
  }
}

function visible(caller: Caller, record: AssistantRecord): boolean {
  // What is made from a configured graph is everyone's, as far as its caller may look at assistants at all.
  return (record.system && filterOf(caller, 'assistants') !== undefined) || sees(caller, 'assistants', () => parseJson(record.metadata) as JsonObject);
}
