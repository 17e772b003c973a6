import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { configWith, testServer, type TestServer } from '../helpers/server.js';
import { fileOf, linesOf, manyRows, uploaded } from '../helpers/export-files.js';

const config = configWith(t, 'echo');

const server = await testServer(t, { config });
const large = await uploaded(server, manyRows(1_000, 30_000, 'large'));

const ROWS = 5_000;

t.test('exports thousands of rows while it answers other requests', async (t) => {
  const { experiment, dataset } = await uploaded(server, manyRows(ROWS, 200));
  for (const path of [
    `/sessions/${experiment.id}/export`,
    `/sessions/${experiment.id}/export?format=csv`,
    `/datasets/${dataset.id}/export`,
  ]) {
    const over = new AbortController();
    let answered = 0;
    let slowestMs = 0;
    const others = (async () => {
      while (!over.signal.aborted) {
        const beganMs = performance.now();
        await (await server.get(`/datasets/${dataset.id}`)).arrayBuffer();
        slowestMs = Math.max(slowestMs, performance.now() - beganMs);
        answered += 1;
      }
    })();
    const beganMs = performance.now();
    const file = await fileOf(server, path);
    over.abort();
    await others;
    t.comment(
      `${path.replace(/[0-9a-f-]{36}/, 'id')}: ${(performance.now() - beganMs).toFixed()} ms, ${answered} others, slowest ${slowestMs.toFixed()} ms`,
    );
    t.equal(file.split('\n').length - 2, path.startsWith('/datasets') ? ROWS - 1 : ROWS);
    t.ok(answered > 3, `${answered} answers meanwhile`);
  }
  const rows = linesOf(await fileOf(server, `/sessions/${experiment.id}/export`))
    .slice(1)
    .map((line) => JSON.parse(line) as { inputs: { n: number }; evaluation_scores: { score?: number }[] });
  t.ok(
    rows.every(
      ({ inputs, evaluation_scores: scores }, at) =>
        inputs.n === at && scores[0]!.score === at / ROWS && scores.length === 2,
    ),
    'in order, each with its scores',
  );
});

/** A client of which the test decides when it reads. */
async function rawGet(server: TestServer, path: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

t.test('buffers two parts for a client that stops reading, and stops when the client disconnects', async (t) => {
  const path = `/sessions/${large.experiment.id}/export`;
  const before = process.memoryUsage().arrayBuffers;
  const sockets = await Promise.all(Array.from({ length: 16 }, () => rawGet(server, path)));
  await sleep(1_500);
  const grownBytes = process.memoryUsage().arrayBuffers - before;
  t.ok(grownBytes < 16 * 2 * 2 ** 20, `${grownBytes} bytes for 16 exports of 30 MB`);
  const refused = await server.get(path);
  t.equal(refused.status, 503, 'no more at once');
  await refused.body?.cancel();
  for (const socket of sockets) socket.destroy();
  for (;;) {
    const response = await server.get(path);
    if (response.status === 200) {
      t.equal(linesOf(await response.text()).length, 1_001, 'there is room again');
      break;
    }
    await response.body?.cancel();
    await sleep(20);
  }
});

/** Everything that still comes, and whether it is said to be all. */
async function rest(socket: Socket): Promise<{ rows: number; whole: boolean }> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (chunk.subarray(-5).equals(LAST_CHUNK)) socket.destroy();
  });
  await once(socket, 'close');
  const text = Buffer.concat(chunks);
  return { rows: text.toString('latin1').split('"row_id"').length - 1, whole: text.subarray(-5).equals(LAST_CHUNK) };
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n');

t.test('breaks off when the exported data is deleted', async (t) => {
  const { experiment, dataset } = await uploaded(server, manyRows(1_000, 30_000, 'deleted'));
  const [undisturbed, deleted] = [
    await rawGet(server, `/sessions/${large.experiment.id}/export`),
    await rawGet(server, `/sessions/${experiment.id}/export`),
  ];
  t.equal((await server.get(`/datasets/${dataset.id}`, { method: 'DELETE' })).status, 200);
  for (let tries = 0; tries < 100 && (await server.get(`/sessions/${experiment.id}`)).status !== 404; tries += 1)
    await sleep(20);
  await sleep(500);
  t.match(await rest(undisturbed), { whole: true });
  const { rows, whole } = await rest(deleted);
  t.ok(!whole && rows > 0 && rows < 1_000, `${rows} rows, whole: ${whole}`);
});

t.test('breaks off without a regular end when it cannot continue', async (t) => {
  const { experiment, dataset } = large;
  const answers = await Promise.all(
    [`/sessions/${experiment.id}/export`, `/datasets/${dataset.id}/export`].map((path) => server.get(path)),
  );
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200],
  );
  const texts = answers.map((answer) => answer.text());
  for (const text of texts) text.catch(() => undefined);
  await sleep(30);
  await server.close();
  const lines = await Promise.all(texts.map((text) => text.then((all) => linesOf(all).length).catch(() => null)));
  // The nodes of a cluster finish what they pass on, so these exports may be whole.
  if (server.urls.length === 1) t.strictSame(lines, [null, null]);
  else
    for (const [at, count] of lines.entries()) t.ok(count === null || count === [1_001, 1_000][at], `${count} lines`);
});
