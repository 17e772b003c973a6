import * as fc from 'fast-check';
import t from 'tap';
import { pack } from '../../src/wire/codec.js';
import { hashesIn } from '../../src/wire/runs/content.js';
import { packContentBlock, unpackContentBlock } from '../../src/wire/runs/content-block.js';
import { hashKey, splitHashes, type StoredContent } from '../../src/wire/runs/state.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);

t.test('returns each content of a block under its hash, in order', (t) => {
  const hash = fc.uint8Array({ minLength: 16, maxLength: 16 });
  const contents = fc.array(fc.tuple(hash, fc.uint8Array({ maxLength: 300 })), { maxLength: 20 });
  fc.assert(
    fc.property(contents, fc.nat({ max: 7 }), (list, offset) => {
      // A message brings the block as a view into its own bytes, at any offset.
      const message = Buffer.concat([Buffer.alloc(offset), packContentBlock(list)]);
      const found = [...unpackContentBlock(message.subarray(offset))].map(([key, content]) => [key, [...content]]);
      return JSON.stringify(found) === JSON.stringify(list.map(([one, content]) => [hashKey(one), [...content]]));
    }),
    { seed: 20_261_128, numRuns: 200 },
  );
  t.pass('200 blocks');
  t.end();
});

t.test('finds hashes in chunks only', (t) => {
  const hashes = Buffer.alloc(48, 'abc');
  const found = hashesIn(pack(['chunk', 0, hashes] satisfies StoredContent))!;
  t.strictSame(found.map(hashKey), splitHashes(hashes).map(hashKey));
  t.strictSame(hashesIn(pack(['chunk', 300, new Uint8Array()] satisfies StoredContent)), []);
  for (const kind of ['j', 'x', 's', 'm:HumanMessage', 'm:unk'] as const)
    for (const serde of [null, bytes('chunk')])
      t.equal(hashesIn(pack([kind, bytes('"chunk"'), serde, 1] satisfies StoredContent)), null, kind);
  t.equal(hashesIn(pack(['j', bytes('1'), null])), null, 'of an imported file: an item with a part missing');
  const longForm = Buffer.concat([Buffer.from([0xdc, 0, 3]), pack(['chunk', 0, hashes]).subarray(1)]);
  t.strictSame(hashesIn(longForm)!.map(hashKey), found.map(hashKey), 'and a chunk in a longer form');
  t.end();
});
