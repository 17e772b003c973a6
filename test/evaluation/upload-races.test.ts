import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { keys } from '../../src/store/keys.js';
import { openStores } from '../../src/store/stores.js';
import {
  at,
  everything,
  read,
  row,
  runsOf,
  send,
  sent,
  upload,
  withStatistics,
  type Json,
} from '../helpers/uploads.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo');

/** Uploads at the same time come out as if one had come after the other. */
const server = await testServer(t, { config });
const target = at(server.url);
const unique = (what: string): string => `${what} ${randomUUID()}`;
const MANY = 10;

const rowsOf = (count: number, more: Json = {}): Json[] =>
  Array.from({ length: count }, (_, index) =>
    row({ inputs: { index, text: 'x'.repeat(300) }, evaluation_scores: [{ key: 'k', score: index % 2 }], ...more }),
  );
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const byNumber = (values: unknown[]): number[] => (values as number[]).toSorted((a, b) => a - b);

t.test('keeps one of concurrent uploads with the same experiment name', async (t) => {
  const name = unique('experiment');
  const answers = await Promise.all(
    numbers(MANY).map((index) =>
      send(target, upload({ experiment_name: name, dataset_name: `${name} ${index}`, results: rowsOf(200) })),
    ),
  );
  t.strictSame(byNumber(answers.map(({ status }) => status)), [200, ...Array<number>(MANY - 1).fill(409)]);
  for (const { status, body } of answers) if (status === 409) t.equal(body['detail'], 'Session already exists.');
  const kept = answers.find(({ status }) => status === 200)!.body['dataset'] as Json;
  t.strictSame(
    (await read<Json[]>(target, `/api/v1/datasets?name_contains=${encodeURIComponent(name)}`)).map(({ id }) => id),
    [kept['id']],
    'and only its dataset',
  );
  const [experiment] = await read<Json[]>(target, `/api/v1/sessions?name=${encodeURIComponent(name)}`);
  t.match(await withStatistics(target, String(experiment!['id'])), {
    run_count: 200,
    feedback_stats: { k: { n: 200, avg: 0.5 } },
  });
});

t.test('frees the name of a failed upload', async (t) => {
  const own = (await sent(target, upload({ dataset_name: unique('dataset') }))).dataset;
  const name = unique('experiment');
  const bad = upload({ experiment_name: name, dataset_id: own.id, dataset_name: unique('another') });
  const answers = await Promise.all(numbers(MANY).map(() => send(target, bad)));
  t.ok(
    answers.every(({ status }) => status === 400 || status === 409),
    answers.map(({ status }) => status).join(' '),
  );
  t.equal((await send(target, upload({ experiment_name: name, dataset_id: own.id }))).status, 200);
});

for (const [how, identity] of Object.entries<(id: string, name: string, index: number) => Json>({
  'by name': (_, name) => ({ dataset_name: name }),
  'by id': (id) => ({ dataset_id: id }),
  'by both': (id, name) => ({ dataset_id: id, dataset_name: name }),
  'by one or the other': (id, name, index) => (index % 2 === 0 ? { dataset_name: name } : { dataset_id: id }),
})) {
  t.test(`uploads to one dataset, ${how}, all count`, async (t) => {
    const [id, name] = [randomUUID(), unique('dataset')];
    // By one or the other, the two must belong together before.
    const earlier = how === 'by one or the other' ? 1 : 0;
    if (earlier === 1) await sent(target, upload({ dataset_id: id, dataset_name: name, results: [] }));
    const shared = rowsOf(100);
    const own = numbers(MANY).map(() => rowsOf(50));
    const all = await Promise.all(
      own.map((rows, index) => sent(target, upload({ ...identity(id, name, index), results: [...shared, ...rows] }))),
    );
    const ids = new Set(all.map(({ dataset }) => dataset.id));
    t.equal(ids.size, 1, 'one dataset');
    const [datasetId] = ids;
    t.strictSame(
      byNumber(all.map(({ experiment }) => experiment.test_run_number)),
      numbers(MANY).map((number) => number + earlier),
      'each has its number',
    );
    t.match(await read(target, `/api/v1/datasets/${datasetId}`), {
      example_count: 100 + MANY * 50,
      session_count: MANY + earlier,
    });
    t.equal(
      await read<number>(target, `/api/v1/examples/count?dataset=${datasetId}`),
      100 + MANY * 50,
      'rows of one id are one example',
    );
    const examples = await read<Json[]>(target, `/api/v1/examples?dataset=${datasetId}&limit=1000`);
    t.equal(new Set(examples.map((example) => example['id'])).size, 100 + MANY * 50);
    for (const { experiment } of all) {
      t.match(await withStatistics(target, experiment.id), { run_count: 150, feedback_stats: { k: { n: 150 } } });
      const known = new Set(examples.map((example) => example['id']));
      t.ok((await runsOf(target, experiment.id)).every((run) => known.has(run['reference_example_id'])));
    }
  });
}

t.test('keeps a version for each concurrent change of an example', async (t) => {
  const name = unique('dataset');
  const one = row({ inputs: { version: 0 } });
  const { dataset } = await sent(target, upload({ dataset_name: name, results: [one] }));
  await Promise.all(
    numbers(MANY).map((version) =>
      sent(target, upload({ dataset_name: name, results: [{ ...one, inputs: { version } }] })),
    ),
  );
  const versions = await read<Json[]>(target, `/api/v1/datasets/${dataset.id}/versions`);
  t.equal(versions.length, MANY + 1);
  t.equal(new Set(versions.map((version) => version['as_of'])).size, MANY + 1, 'at a time of its own');
  const seen: unknown[] = [];
  for (const version of versions) {
    const examples = await read<Json[]>(
      target,
      `/api/v1/examples?dataset=${dataset.id}&as_of=${encodeURIComponent(String(version['as_of']))}`,
    );
    t.equal(examples.length, 1);
    seen.push((examples[0]!['inputs'] as Json)['version']);
  }
  t.strictSame(byNumber(seen), [0, ...numbers(MANY)]);
  t.equal(seen.at(-1), 0, 'the oldest is the first');
  t.match(await read(target, `/api/v1/datasets/${dataset.id}`), { example_count: 1 });
});

t.test('creates one dataset for concurrent uploads with one name and two ids', async (t) => {
  const name = unique('dataset');
  const answers = await Promise.all(
    numbers(MANY).map(() => send(target, upload({ dataset_id: randomUUID(), dataset_name: name }))),
  );
  t.strictSame(byNumber(answers.map(({ status }) => status)), [200, ...Array<number>(MANY - 1).fill(400)]);
  t.match(await read<Json[]>(target, `/api/v1/datasets?name=${encodeURIComponent(name)}`), [
    { example_count: 1, session_count: 1 },
  ]);
});

t.test('separates concurrent uploads to many datasets', async (t) => {
  const all = await Promise.all(
    numbers(20).map((count) =>
      sent(
        target,
        upload({ dataset_name: unique(`dataset ${count}`), results: rowsOf(count * 20, { run_name: `of ${count}` }) }),
      ),
    ),
  );
  for (const [index, { experiment, dataset }] of all.entries()) {
    const count = (index + 1) * 20;
    t.equal(experiment.test_run_number, 1);
    t.match(await withStatistics(target, experiment.id), {
      run_count: count,
      run_facets: [{ key: 'name', value: `of ${index + 1}`, n: count }],
    });
    t.equal(await read<number>(target, `/api/v1/examples/count?dataset=${dataset.id}`), count);
  }
});

t.test('shows readers an upload completely or not at all', async (t) => {
  const name = unique('dataset');
  const seen = new Set<string>();
  const look = async (): Promise<void> => {
    const [dataset] = await read<Json[]>(target, `/api/v1/datasets?name=${encodeURIComponent(name)}`);
    if (dataset === undefined) return;
    const sessions = await read<Json[]>(target, `/api/v1/sessions?reference_dataset=${String(dataset['id'])}`);
    const examples = await read<number>(target, `/api/v1/examples/count?dataset=${String(dataset['id'])}`);
    seen.add(
      `${String(dataset['example_count'])} ${examples} ${sessions.map((one) => String(one['run_count'])).join()}`,
    );
  };
  const uploading = { over: false };
  const answered = sent(target, upload({ dataset_name: name, results: rowsOf(4_000) })).finally(() => {
    uploading.over = true;
  });
  do await look();
  while (!uploading.over);
  await answered;
  await look();
  t.ok(seen.size > 0);
  t.strictSame(
    [...seen].filter((one) => one !== '4000 4000 4000'),
    [],
  );
});

t.test('keeps nothing of an upload whose client disconnects', async (t) => {
  const dataFolder = temporaryFolder(t);
  const own = await testServer(t, { config, dataFolder });
  const before = await everything(at(own.url));
  const body = Buffer.from(JSON.stringify(upload({ dataset_name: unique('dataset'), results: rowsOf(3_000) })));
  const { hostname, port } = new URL(own.url);
  const ways: [what: string, length: number, goes: (socket: Socket) => void][] = [
    ['before the first byte', 0, (socket) => socket.destroy()],
    ['after one byte', 1, (socket) => socket.destroy()],
    ['in the middle', body.length >> 1, (socket) => socket.destroy()],
    ['before the last byte', body.length - 1, (socket) => socket.destroy()],
    ['with a reset', body.length >> 2, (socket) => socket.resetAndDestroy()],
    ['with an end', body.length >> 2, (socket) => socket.end()],
  ];
  for (const [what, length, goes] of ways) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    socket.resume();
    socket.write(
      `POST /api/v1/datasets/upload-experiment HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    await new Promise<void>((resolve) => {
      socket.write(body.subarray(0, length), () => resolve());
    });
    goes(socket);
    await closed;
    t.strictSame(await everything(at(own.url)), before, what);
  }
  const { experiment } = await sent(at(own.url), body.toString());
  t.match(await withStatistics(at(own.url), experiment.id), { run_count: 3_000 }, 'and can come again');
  t.equal((await read<Json[]>(at(own.url), '/api/v1/datasets')).length, 1);
  await own.close();
  const stores = openStores(dataFolder, undefined);
  const blocks = (kind: 'E' | 'R' | 'F'): Set<unknown> =>
    new Set([...stores.store.keys({ prefix: [kind] })].map((key) => key[1]));
  t.strictSame([blocks('E').size, blocks('R').size, blocks('F').size], [1, 1, 1], 'nothing is stored but this');
  t.strictSame([...stores.store.keys({ prefix: keys.uploads() })], []);
  await stores.store.close();
});

t.test('serves others when more clients than the evaluation thread takes disconnect', async (t) => {
  const { hostname, port } = new URL(server.url);
  const sockets = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(
        'POST /datasets/upload-experiment HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"experiment_name":',
      );
      return socket;
    }),
  );
  for (const socket of sockets) socket.destroy();
  t.equal((await send(target, upload({ dataset_name: unique('dataset') }))).status, 200);
});
