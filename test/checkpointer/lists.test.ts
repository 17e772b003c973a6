import * as fc from 'fast-check';
import t from 'tap';
import { jsonBytes, parseJson } from '../../src/base/json/json.js';
import { pack } from '../../src/wire/codec.js';
import type { Ref } from '../../src/wire/runs/state.js';
import { Values, type Parcel } from '../../workers/graph/values.js';
import { WireJson } from '../../workers/graph/wire-json.js';
import { library } from './bound-savers.js';

/** State of objects that only the serializer can see. */
const hidden = new WeakMap<object, number>();

/** Keeps what it gets, and stores its number and its hidden state. */
const objects: unknown[] = [];
const serde = {
  dumpsTyped: (value: unknown): Promise<[string, Uint8Array]> => {
    if (!objects.includes(value)) objects.push(value);
    return Promise.resolve(['number', jsonBytes([objects.indexOf(value), hidden.get(value as object) ?? 0])]);
  },
  loadsTyped: (_type: string, data: Uint8Array | string): Promise<unknown> =>
    Promise.resolve(objects[(parseJson(data as Uint8Array) as [number, number])[0]]),
};

type Item = { content: string };
type Change = { kind: 'append' | 'insert' | 'remove' | 'edit' | 'thread'; at: number; count: number };

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('append', 'append', 'append', 'insert', 'remove', 'edit', 'thread'),
  at: fc.nat(),
  count: fc.integer({ min: 1, max: 30 }),
});

async function encoded(values: Values, value: unknown, known: Set<string>): Promise<{ parcel: Parcel; ref: Ref }> {
  let ref: Ref | null = null;
  const parcel = await values.fillParcel(known, (one) => {
    ref = values.encode(value, one);
  });
  return { parcel, ref: ref! };
}

t.test('stores a changing list as one that is seen for the first time', async (t) => {
  const found = await library;
  const newValues = (): Values => new Values(found, serde, new WireJson());
  const { HumanMessage } = found.messages;
  /** A class that only the serializer can store. */
  class OwnMessage extends HumanMessage {}
  let made = 0;
  const newItem = (): Item => {
    made += 1;
    const content = `${made} ${'long '.repeat(made % 90)}`;
    if (made % 3 === 0) return { content };
    return new (made % 7 === 0 ? OwnMessage : HumanMessage)(content) as unknown as Item;
  };

  const edit = (item: Item): void => {
    if (item instanceof OwnMessage) hidden.set(item, (hidden.get(item) ?? 0) + 1);
    else item.content += ' edited';
  };

  const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
    const kept = newValues();
    const list: Item[] = [];
    let stored = { content: new Map<string, Uint8Array>(), known: new Set<string>() };
    for (const { kind, at, count } of changes) {
      const place = list.length === 0 ? 0 : at % list.length;
      if (kind === 'append') list.push(...Array.from({ length: count }, newItem));
      else if (kind === 'insert') list.splice(place, 0, newItem());
      else if (kind === 'remove') list.splice(place, count);
      else if (kind === 'edit') for (const item of list.slice(place, place + 1)) edit(item);
      // The same objects in another thread, which has none of their content.
      else stored = { content: new Map(), known: new Set() };
      if (list.length === 0) continue;

      const { parcel, ref } = await encoded(kept, list, stored.known);
      for (const [hash, bytes] of parcel.content) stored.content.set(Buffer.from(hash).toString('base64url'), bytes);
      parcel.markSent();
      const fresh = newValues();
      const expected = await encoded(fresh, list, new Set());
      if (Buffer.compare(pack(ref), pack(expected.ref)) !== 0) throw new Error(`another reference after ${kind}`);

      // A start that reads all from the store knows its chunks, too.
      const revived = await fresh.decode(ref, stored.content);
      if (JSON.stringify(revived) !== JSON.stringify(list)) throw new Error(`another list after ${kind}`);
      const again = await encoded(fresh, revived, stored.known);
      if (Buffer.compare(pack(again.ref), pack(ref)) !== 0 || again.parcel.content.length > 0)
        throw new Error(`another reference of the list that was read, after ${kind}`);
    }
  });
  await fc.assert(property, { seed: 20_261_128, numRuns: 60 });
  t.pass('60 histories of a list');
});
