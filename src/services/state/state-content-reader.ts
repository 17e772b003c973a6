import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { asText, contains, isObject, joinBytes } from '../../base/json/json.js';
import { bytesAtPath } from '../../domain/thread-path.js';
import { jsonHasText } from '../../base/json/text-search.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import type { Stores } from '../../store/stores.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import { unpackContent } from '../../wire/runs/content.js';
import { directHashes, hashKey, splitHashes, type Item, type Ref, type StoredContent } from '../../wire/runs/state.js';

/** Reads the content behind references in one thread's state: completely, as JSON text, or only the needed part. */
export class StateContentReader {
  readonly stores: Stores;
  readonly caller: Caller;
  readonly thread: ThreadRecord;
  /** Cache of content that several states of the thread share. */
  readonly #texts = new Map<string, string>();
  #textChars = 0;
  /** Number of bytes read. */
  bytes = 0;

  constructor(stores: Stores, caller: Caller, thread: ThreadRecord) {
    this.stores = stores;
    this.caller = caller;
    this.thread = thread;
  }

  /** JSON of the value. The worker has serialized channel values once, so nothing is parsed here. */
  *readText(ref: Ref): Steps<string> {
    switch (ref[0]) {
      case 0:
        return this.#inlineText(ref[1]);
      case 1:
        return yield* this.#storedText(ref[1]);
      case 2:
        return `[${yield* this.#joinTexts(directHashes(ref))}]`;
      case 3: {
        const fields: string[] = [];
        for (const [name, field] of ref[1]) fields.push(`${JSON.stringify(name)}:${yield* this.readText(field)}`);
        return `{${fields.join(',')}}`;
      }
    }
  }

  /** True if the value contains `wanted`. Reads only as many items of a list as needed. */
  *contains(ref: Ref, wanted: unknown): Steps<boolean> {
    if (ref[0] === 3) {
      if (!isObject(wanted)) return false;
      const fields = new Map(ref[1]);
      for (const [name, value] of Object.entries(wanted)) {
        const field = fields.get(name);
        if (field === undefined || !(yield* this.contains(field, value))) return false;
      }
      return true;
    }
    yield;
    if (ref[0] !== 2) return contains(this.#parse(ref[0] === 0 ? ref[1] : this.#item(ref[1]))[0], wanted);
    if (!Array.isArray(wanted)) return false;
    let missing: unknown[] = wanted;
    const next = this.#itemIterator(ref, false);
    while (missing.length > 0) {
      const item = next();
      if (item === undefined) return false;
      for (const value of this.#parse(item)) missing = missing.filter((one) => !contains(value, one));
      yield;
    }
    return true;
  }

  /**
   * True if a case-folded text occurs in a string of the value. Lists are searched from the end, because recent
   * messages are searched most often.
   */
  *containsText(ref: Ref, text: string): Steps<boolean> {
    if (ref[0] === 3) {
      for (const [, field] of ref[1]) if (yield* this.containsText(field, text)) return true;
      return false;
    }
    yield;
    if (ref[0] !== 2) return yield* jsonHasText((ref[0] === 0 ? ref[1] : this.#item(ref[1]))[1], text);
    const next = this.#itemIterator(ref, true);
    for (let item = next(); item !== undefined; item = next()) {
      if (yield* jsonHasText(item[1], text)) return true;
      if (this.bytes > LIMITS.searchedBytesMax)
        throw fail('INVALID_REQUEST', {
          problems: `text: the values of thread ${this.thread.threadId} alone are over ${LIMITS.searchedBytesMax} bytes; exclude it with not`,
        });
      yield;
    }
    return false;
  }

  /**
   * JSON of a part of the value. With `wanted: 'whether'`, an empty string instead. Undefined if the part does
   * not exist.
   */
  *readPart(ref: Ref, steps: readonly (string | number)[], wanted: 'json' | 'whether'): Steps<string | undefined> {
    const [first, ...rest] = steps;
    if (first === undefined) return wanted === 'whether' ? '' : yield* this.readText(ref);
    if (ref[0] === 3) {
      const field = ref[1].find(([name]) => name === first)?.[1];
      return field === undefined ? undefined : yield* this.readPart(field, rest, wanted);
    }
    yield;
    if (ref[0] !== 2) return this.#partOf(ref[0] === 0 ? ref[1] : this.#item(ref[1]), steps);
    if (typeof first !== 'number') return undefined;
    const next = this.#itemIterator(ref, first < 0);
    for (let left = first < 0 ? -first - 1 : first; ;) {
      const item = next();
      if (item === undefined) return undefined;
      const count = item[3];
      if (left < count)
        return this.#partOf(item, item[0] === 's' ? [first < 0 ? count - 1 - left : left, ...rest] : rest);
      left -= count;
      yield;
    }
  }

  #inlineText(item: Item): string {
    this.bytes += item[1].byteLength;
    return asText(item[1]);
  }

  *#joinTexts(hashes: readonly Uint8Array[]): Steps<string> {
    const parts: string[] = [];
    for (const hash of hashes) parts.push(yield* this.#storedText(hash));
    return parts.join(',');
  }

  /** JSON of an item. For a segment or chunk, the JSON of its items, joined by commas. */
  *#storedText(hash: Uint8Array): Steps<string> {
    const key = hashKey(hash);
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    yield;
    const text = this.#cachedText(key) ?? (yield* this.#loadedText(hash, key));
    if (this.bytes > LIMITS.stateBytesMax)
      throw fail('INVALID_REQUEST', {
        problems: `select: the state is over ${LIMITS.stateBytesMax} bytes; select a part of it`,
      });
    this.#textChars += text.length;
    if (this.#textChars <= LIMITS.sharedContentCharsMax) this.#texts.set(key, text);
    return text;
  }

  /** Text that an earlier response has read. It counts as read here, too. */
  #cachedText(key: string): string | undefined {
    const text = this.stores.contentTexts.get(this.thread.uid, key);
    if (text !== undefined) this.bytes += text.length;
    return text;
  }

  *#loadedText(hash: Uint8Array, key: string): Steps<string> {
    const stored = this.#load(hash);
    if (stored[0] === 'chunk') return yield* this.#joinTexts(splitHashes(stored[2]));
    const text = asText(stored[1]);
    this.stores.contentTexts.set(this.thread.uid, key, text);
    return text;
  }

  /**
   * Returns a function that reads the items of a list one by one, from the front or the back. It returns
   * undefined after the last one.
   */
  #itemIterator(ref: Ref, fromBack: boolean): () => Item | undefined {
    const toCome = (hashes: readonly Uint8Array[]): Uint8Array[] => (fromBack ? [...hashes] : hashes.toReversed());
    const open = [toCome(directHashes(ref))];
    return () => {
      for (let list = open.at(-1); list !== undefined; list = open.at(-1)) {
        const hash = list.pop();
        const stored = hash === undefined ? undefined : this.#load(hash);
        if (stored === undefined) open.pop();
        else if (stored[0] === 'chunk') open.push(toCome(splitHashes(stored[2])));
        else return stored;
      }
      return undefined;
    };
  }

  #item(hash: Uint8Array): Item {
    const stored = this.#load(hash);
    return stored[0] === 'chunk' ? ['s', Buffer.from(''), null, 0] : stored;
  }

  #load(hash: Uint8Array): StoredContent {
    const bytes = this.stores.checkpoints.content(this.caller, this.thread, hash);
    if (bytes === undefined)
      throw fail('STORE_DAMAGED', { key: `content ${hashKey(hash)} of thread ${this.thread.threadId}` });
    const stored = unpackContent(bytes);
    this.bytes += stored[0] === 'chunk' ? bytes.byteLength : stored[1].byteLength;
    return stored;
  }

  /** The values of an item. A segment has several. */
  #parse(item: Item): unknown[] {
    return JSON.parse(`[${asText(this.#searchableJson(item))}]`) as unknown[];
  }

  #partOf(item: Item, steps: readonly (string | number)[]): string | undefined {
    const json = this.#searchableJson(item);
    const part = bytesAtPath(item[0] === 's' ? joinBytes(['[', json, ']']) : json, steps);
    return part === undefined ? undefined : asText(part);
  }

  /** A value is searched without yielding, so large ones are refused. */
  #searchableJson([, json]: Item): Uint8Array {
    if (json.byteLength <= LIMITS.searchedValueBytesMax) return json;
    throw fail('INVALID_REQUEST', {
      problems: `values: thread ${this.thread.threadId} holds a value of ${json.byteLength} bytes there; values over ${LIMITS.searchedValueBytesMax} bytes are not searched`,
    });
  }
}
