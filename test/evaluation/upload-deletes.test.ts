import { randomBytes } from 'node:crypto';
import * as zlib from 'node:zlib';
import t from 'tap';
import { configWith, testServer } from '../helpers/server.js';
import { read, row, send, sent, upload, type Json } from '../helpers/uploads.js';

const server = await testServer(t, { config: configWith(t, 'echo') });

const many = (count: number): Json[] =>
  Array.from({ length: count }, (_, n) => row({ inputs: { n, text: 'x'.repeat(200) } }));

t.test('deletes the upload that is under way with its dataset, or creates the dataset before it', async (t) => {
  for (let round = 0; round < 6; round += 1) {
    const name = `doomed ${round}`;
    const first = await sent(server, upload({ dataset_name: name }));
    const second = send(server, upload({ dataset_name: name, experiment_name: `late ${round}`, results: many(4_000) }));
    await new Promise((resolve) => {
      setTimeout(resolve, round * 12);
    });
    const deletion = await server.get(`/api/v1/datasets/${first.dataset.id}`, { method: 'DELETE' });
    t.equal(deletion.status, 200);
    const late = await second;
    t.ok(late.status === 404 || late.status === 200, String(late.status));
    const sessions = await read<Json[]>(server, `/api/v1/sessions?name=${encodeURIComponent(`late ${round}`)}`);
    if (late.status === 404) t.strictSame(sessions, [], 'nothing is left of the upload');
    else {
      // It was published before the deletion, which took it along, or it came after it and made the dataset anew.
      const datasets = await read<Json[]>(server, `/api/v1/datasets?name=${encodeURIComponent(name)}`);
      t.equal(sessions.length, datasets.length, 'an experiment has its dataset');
    }
  }
});

t.test('frees the names of a deleted dataset and its contents', async (t) => {
  const { dataset, experiment } = await sent(
    server,
    upload({ dataset_name: 'held', experiment_name: 'gone', results: many(50) }),
  );
  const [example] = await read<Json[]>(server, `/api/v1/examples?dataset=${dataset.id}&limit=1`);
  t.equal((await server.get(`/api/v1/datasets/${dataset.id}`, { method: 'DELETE' })).status, 200);
  for (const path of [`/datasets/${dataset.id}`, `/sessions/${experiment.id}`, `/examples/${String(example!['id'])}`])
    t.equal((await server.get(`/api/v1${path}`)).status, 404, path);
  t.equal((await server.get(`/api/v1/examples?dataset=${dataset.id}`)).status, 404);
  const again = await sent(server, upload({ dataset_name: 'held', experiment_name: 'gone', results: many(1) }));
  t.not(again.dataset.id, dataset.id);
  t.equal(again.experiment.test_run_number, 1);
});

t.test('accepts a compressed upload', async (t) => {
  const plain = JSON.stringify(upload({ dataset_name: 'packed', results: many(20) }));
  const body = zlib.gzipSync(plain);
  const post = (encoding: string, bytes: Buffer): Promise<Response> =>
    server.post('/api/v1/datasets/upload-experiment', undefined, {
      body: new Uint8Array(bytes),
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    });
  t.equal((await post('gzip', body)).status, 200);
  t.equal((await post('gzip', body.subarray(0, 100))).status, 400, 'cut off');
  t.equal((await post('compress', body)).status, 415);

  const { zstdCompressSync } = zlib as { zstdCompressSync?: (text: string) => Buffer };
  const { instance_flags: flags } = (await (await server.get('/info')).json()) as {
    instance_flags: { zstd_compression_enabled: boolean };
  };
  t.equal(flags.zstd_compression_enabled, zstdCompressSync !== undefined, 'announced where Node has it');
  const other = JSON.stringify(upload({ dataset_name: 'packed with zstd', results: many(20) }));
  const packed = zstdCompressSync?.(other) ?? body;
  t.equal((await post('zstd', packed)).status, zstdCompressSync === undefined ? 415 : 200);
  t.equal((await post('zstd', packed.subarray(0, 100))).status, zstdCompressSync === undefined ? 415 : 400, 'cut off');
});

t.test('keeps every byte of large bodies, of known and of unknown length, plain and compressed', async (t) => {
  // In pieces of more and of less than 64 KB, which the server keeps in memory of different kinds.
  for (const [rows, chars] of [
    [20, 600_000],
    [1, 200_000],
  ] as const)
    for (const isPacked of [false, true])
      for (const isLengthKnown of [true, false]) {
        const what = `${rows} rows, ${isPacked ? 'compressed' : 'plain'}, ${isLengthKnown ? 'known' : 'unknown'} length`;
        const texts = Array.from({ length: rows }, () => randomBytes(chars / 2).toString('hex'));
        const plain = Buffer.from(
          JSON.stringify(upload({ dataset_name: what, results: texts.map((text, n) => row({ inputs: { n, text } })) })),
        );
        const bytes = new Uint8Array(isPacked ? zlib.gzipSync(plain, { level: 1 }) : plain);
        const answer = await server.post('/api/v1/datasets/upload-experiment', undefined, {
          body: isLengthKnown ? bytes : new Blob([bytes]).stream(),
          ...(isLengthKnown ? {} : { duplex: 'half' }),
          headers: { 'content-type': 'application/json', ...(isPacked ? { 'content-encoding': 'gzip' } : {}) },
        });
        t.equal(answer.status, 200, what);
        const { dataset } = (await answer.json()) as { dataset: { id: string } };
        const examples = await read<{ inputs: { n: number; text: string } }[]>(
          server,
          `/api/v1/examples?dataset=${dataset.id}`,
        );
        const stored = examples.map(({ inputs }) => inputs).sort((a, b) => a.n - b.n);
        t.ok(stored.length === rows && stored.every(({ text }, n) => text === texts[n]), `${what}: the same texts`);
      }
});
