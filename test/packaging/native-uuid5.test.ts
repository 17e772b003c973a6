import { v5 as original } from '@langchain/core/utils/uuid';
import t from 'tap';
import { importBundled } from '../helpers/bundled-module.js';

const TEXT = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
const BYTES = new Uint8Array(Buffer.from(TEXT.replaceAll('-', ''), 'hex'));

async function bundled(): Promise<typeof original> {
  return (await importBundled<{ v5: typeof original }>('@langchain/core/dist/utils/uuid/index.js')).v5;
}

t.test('makes the same ids as LangChain', async (t) => {
  const v5 = await bundled();
  t.match(String(v5), 'isWellFormed', 'it is ours');
  t.equal(v5.DNS, original.DNS);
  t.equal(v5.URL, original.URL);
  // SHA-1 works in blocks of 64 bytes.
  for (let length = 0; length <= 200; length += 1) {
    const name = `${'x'.repeat(length)}ä€😀`;
    t.equal(v5(name, BYTES), original(name, BYTES), name);
  }
});

t.test('leaves other arguments to LangChain', async (t) => {
  const v5 = await bundled();
  const name = Buffer.from('a name');
  for (const namespace of [TEXT, BYTES]) {
    t.equal(v5('a name', namespace), original('a name', namespace));
    t.equal(v5(name, namespace), original(name, namespace));
    t.same(v5('a name', namespace, new Uint8Array(18), 2), original('a name', namespace, new Uint8Array(18), 2));
  }
  for (const make of [v5, original]) {
    t.throws(() => make('a name', BYTES.subarray(1)), { message: /16/ });
    t.throws(() => make('a name', 'no namespace'), { message: 'Invalid UUID' });
    t.throws(() => make('a lone surrogate: \ud800', BYTES), { name: 'URIError' });
  }
});
