import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import t from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import { StateContentReader } from '../../src/services/state/state-content-reader.js';
import { keys } from '../../src/store/keys.js';
import { openStores } from '../../src/store/stores.js';
import { ContentTexts } from '../../src/store/threads/content-texts.js';
import { unpackBody } from '../../src/wire/runs/state.js';
import { compress, decompress, isCompressed } from '../../src/wire/compression.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const { compressedBytesMin, compressedBytesMax } = LIMITS;
const QUESTION =
  'Could you check whether the contract says anything about moving in winter? Last year the road was closed for nine ' +
  'days, and the driver waited at the wrong bridge with our only kettle. I have attached both lists.';

const ANSWER = {
  content: QUESTION,
  id: 'chatcmpl-DHc4o2ExzYcYr3bSX5KWy8DVJS4Q2',
  additional_kwargs: {},
  response_metadata: {
    tokenUsage: { promptTokens: 812, completionTokens: 64, totalTokens: 876 },
    finish_reason: 'stop',
    model_name: 'gpt-4.1-mini-2025-04-14',
    system_fingerprint: 'fp_3502f4eb73',
  },
  tool_calls: [],
  invalid_tool_calls: [],
  usage_metadata: { output_tokens: 64, input_tokens: 812, total_tokens: 876 },
  type: 'ai',
};

const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

t.test('returns what was compressed, of any length', async (t) => {
  const word = fc.constantFrom('message ', '"type":"human"', 'é', '漢字', '🙂', '\u0000', '{"a":1},');
  const texts = fc.tuple(fc.array(word, { maxLength: 400 }), fc.nat({ max: 6_000 }));
  fc.assert(
    fc.property(texts, ([words, chars]) => {
      const bytes = Buffer.from(words.join('').padEnd(chars, words.at(-1) ?? '-'));
      return same(decompress(compress(bytes)), bytes);
    }),
    { seed: 20_261_128, numRuns: 300 },
  );
  for (const length of [compressedBytesMin, 2_047, 2_048, 2_049, 40_000, compressedBytesMax]) {
    const bytes = Buffer.alloc(length, QUESTION);
    const compressed = compress(bytes);
    t.ok(isCompressed(compressed) && compressed.byteLength <= length * LIMITS.compressedShareMax, `${length} bytes`);
    const view = Buffer.concat([Buffer.alloc(3), compressed]).subarray(3);
    t.ok(same(decompress(view), bytes), `${length} bytes, as a view`);
  }
});

t.test('leaves alone what is short, long or does not get smaller', async (t) => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(compressedBytesMin - 1, 'a'),
    Buffer.alloc(compressedBytesMax + 1, 'a'),
    randomBytes(4_000),
  ])
    t.equal(compress(bytes), bytes, `${bytes.byteLength} bytes`);
  t.equal(compress(Buffer.alloc(5_000, 'a'), 4_999).byteLength, 5_000, 'longer than the caller allows');
});

t.test('makes single messages smaller, which hardly repeat anything themselves', async (t) => {
  const human = { content: QUESTION, id: 'u524', additional_kwargs: {}, response_metadata: {}, type: 'human' };
  const share = (message: object): number => {
    const bytes = Buffer.from(JSON.stringify(message));
    return compress(bytes).byteLength / bytes.byteLength;
  };
  t.ok(share(human) < 0.62, `a question: ${share(human)}`);
  t.ok(share(ANSWER) < 0.5, `an answer of a model: ${share(ANSWER)}`);
});

t.test('reads what releases with this format have stored', async (t) => {
  // Another dictionary would make these unreadable.
  const short =
    'wWkCAJWVT0vDQBDFv8rDsxRN0jZ48WAF/12koPY4yU6zS+Mu7E4a108vSY1EIVaPMzA7vGHf742fvHJNrRBdg1JzuUOrWTR7iGZ0' +
    'iz2VgkAxgGwUbWwFKlwjeHX7rjAWrbHC/hIPFASR6TDsHSm0FFDWLrDC1nlYYxmKYjgFWdXvUN7s2aMlI6xA0jdb72yFwhtVMVoj' +
    'Gq7xcLaO2LFIzTPcQtOeQSI9WFE40ahNkDAbrvRl0tVNmbnk+u19U258Wqxf5vfPMV893a2zx+R/t/w1xfLzZAzxIbcW2afjhka+' +
    'XEyj9o9RNUXkdH6WbDMulmn3tX+aa8p0RynSaRhBIpxc9GK/g+Sga2TJDw==';
  const long =
    'wakJAO2XS2vDMBCE/8rQcwit4zzopYem0NelBNqG0sPa2kQirgTSOq7764udOjgB93Guj1qQlhUz30gv7TMvXZ4plC5HqjndoNAs' +
    'mj1EM6rOnlJBoDKAbCna2DUocbngzW2rhbEojBX2F7inICiZdpu9I4WCAtLMBVZYOQ9rLENRGQYgq+oeypstexRkhBVI6mLhnV0j' +
    '8UatGYURDZd7OJuV2LBIxkPcQNOWQSI1WZE40chMkDBsrmnv0vl1Grvo6v1jmS79KFk8j++eytn88XYRP0R/u8xvY2x2FrUp3gTX' +
    'JP6yXFOYTSfdrP1lVnUheTQ+jVYxJ9NRpe1jd3W57keMVDO0KBFOzuthD0mym6vlyUGvtF5ph3zvldYzrev93TOtT8/9H6gJy/+b' +
    'nq+f';
  t.equal(decompress(Buffer.from(short, 'base64')).toString(), JSON.stringify(ANSWER));
  t.equal(decompress(Buffer.from(long, 'base64')).toString(), JSON.stringify([ANSWER, ANSWER, ANSWER, ANSWER]));
});

t.test('refuses damaged values, and those that claim another length', async (t) => {
  const compressed = compress(Buffer.from(JSON.stringify(ANSWER)));
  const changed = (at: number, byte: number): Uint8Array => {
    const copy = Buffer.from(compressed);
    copy[at] = byte;
    return copy;
  };
  t.throws(() => decompress(changed(1, 0)), /larger than|Cannot create/, 'fewer bytes than there are');
  t.throws(() => decompress(changed(3, 0xff)), /bytes before compression/, 'more than the limit');
  t.throws(() => decompress(changed(4, 0xff)), /invalid/, 'no deflate');
  t.throws(() => decompress(compressed.subarray(0, 60)), /unexpected end/, 'cut off');
  t.throws(() => decompress(compressed.subarray(0, 3)), 'without a length');
});

t.test('stores long messages and inputs compressed, and shows them as they are', async (t) => {
  const dataFolder = temporaryFolder(t);
  const config = configWith(t, 'chat');
  const server = await testServer(t, { config, dataFolder });
  const { thread_id: threadId } = await server.client.threads.create();
  const long = QUESTION.repeat(3);
  for (const content of ['hi', long])
    await server.client.runs.wait(threadId, 'chat', {
      input: { messages: [{ role: 'human', content, id: content.slice(0, 5) }] },
    });
  const shown = async ({ get, url }: { get: typeof server.get; url: string }): Promise<string> => {
    const texts = ['state', 'history', 'runs'].map(async (what) => (await get(`/threads/${threadId}/${what}`)).text());
    const found = await fetch(`${url}/threads/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ filter: { text: 'only kettle' } }),
    });
    return [...(await Promise.all(texts)), await found.text()].join('\n');
  };
  const before = await shown(server);
  t.equal(before.split(long).length - 1, 6);
  t.equal(await shown(server), before, 'a second time, from memory');
  await server.close();
  const second = await testServer(t, { config, dataFolder });
  t.equal(await shown(second), before, 'after a restart, from the store');
  await second.client.runs.wait(threadId, 'chat', {
    input: { messages: [{ role: 'human', content: 'and?', id: 'c' }] },
  });
  const { values } = await second.client.threads.getState(threadId);
  t.match((values as { messages: unknown[] }).messages[2], { type: 'human', content: long });
  await second.close();

  const stores = openStores(dataFolder, undefined);
  t.teardown(() => stores.store.close());
  const thread = stores.threads.get(SERVER_CALLER, threadId)!;
  const contents = [...stores.store.entries({ prefix: keys.contents(thread.uid) })];
  t.equal(contents.filter(([, bytes]) => isCompressed(bytes)).length, 2, 'the message, and the input that it was');
  t.notOk(contents.some(([, bytes]) => Buffer.from(bytes).includes(long)));
  const runs = [...stores.store.entries({ prefix: ['rk'] })];
  t.strictSame(
    runs.map(([, bytes]) => isCompressed(bytes)),
    [false, true, false],
  );

  const head = stores.checkpoints.get(SERVER_CALLER, thread, '', null)!;
  const [, messages] = unpackBody(head.body).channels.find(([name]) => name === 'messages')!;
  const read = (): { text: string; bytes: number } => {
    const reader = new StateContentReader(stores, SERVER_CALLER, thread);
    const steps = reader.readText(messages);
    for (let step = steps.next(); ; step = steps.next())
      if (step.done === true) return { text: step.value, bytes: reader.bytes };
  };
  const first = read();
  t.ok(first.bytes >= long.length, 'limits apply to what is read, not to what is stored');
  t.equal(first.text, read().text);
  t.ok(Math.abs(read().bytes - first.bytes) < 100, 'and count what is in memory');
});

t.test('keeps the texts that were read last, those of each thread apart', async (t) => {
  const texts = new ContentTexts();
  texts.set('thread one', 'key', 'first');
  texts.set('thread two', 'key', 'second');
  t.equal(texts.get('thread one', 'key'), 'first');
  t.equal(texts.get('thread two', 'key'), 'second');
  t.equal(texts.get('thread one', 'other'), undefined);
  const chars = LIMITS.contentTextsCharsMax / 16;
  texts.set('thread one', 'huge', 'a'.repeat(chars));
  t.equal(texts.get('thread one', 'huge'), undefined, 'a long one would take the room of many others');
  for (let n = 0; n < 40; n += 1) texts.set('thread three', `${n}`, 'a'.repeat(chars / 2));
  t.equal(texts.get('thread one', 'key'), undefined, 'the oldest has made room');
  t.ok(texts.get('thread three', '39'));
});
