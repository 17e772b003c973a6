import { LOCAL_CALLER } from '../src/domain/caller.js';
import { randomIds } from '../src/base/ids.js';
import { jsonBytes } from '../src/base/json/json.js';
import { runToEnd } from '../src/base/steps.js';
import { Commit } from '../src/store/store.js';
import { openStores } from '../src/store/stores.js';
import { atMost, defineBench, verify, type Row } from './bench.js';
import { type Length, sendJson, sendLoad, durationMs } from './load.js';
import { alternate, median, medianDifference, quantile, format } from './measure.js';

const P50_MS_MAX = 1;
const THREADS_PER_OWNER = 100;
const PER_COMMIT = 2_000;

export default defineBench({
  name: 'list-threads',
  description: 'List ten threads of one owner among many',
  smoke: { threads: 1_000, rounds: 1, length: { requests: 64 } as Length },
  real: { threads: 1_000_000, rounds: 7, length: { seconds: 2 } as Length },
  async run(bench, { threads, rounds, length }) {
    const folder = bench.createFolder();
    await fill(folder, threads);
    const ours = await bench.startServer({ workers: 1, dataFolder: folder });
    const owner = `owner-${Math.floor(threads / THREADS_PER_OWNER / 2)}`;
    const p50 =
      (request: { method: string; path: string; body?: string }, check: (body: string) => boolean) =>
      async (): Promise<number> => {
        const { latenciesMs } = await sendLoad({ url: ours.url, clients: 1, length, request, check });
        return quantile(latenciesMs, 0.5);
      };
    const ok = p50({ method: 'GET', path: '/ok' }, (body) => body === '{"ok":true}');
    const rows: Row[] = [];
    for (const [what, query] of [
      ["list 10 of one owner's threads", { metadata: { owner }, limit: 10 }],
      ['the same, `idle` ones', { metadata: { owner }, status: 'idle', limit: 10 }],
    ] as const) {
      const found = await sendJson<{ metadata: { owner: string }; updated_at: string }[]>(
        ours.url,
        'POST',
        '/threads/search',
        query,
      );
      verify(found.length === 10 && found.every((thread) => thread.metadata.owner === owner), 'the list');
      verify(
        found.every((thread, i) => i === 0 || thread.updated_at <= found[i - 1]!.updated_at),
        'the order',
      );
      const expected = JSON.stringify(found);
      const search = p50(
        { method: 'POST', path: '/threads/search', body: JSON.stringify(query) },
        (body) => body === expected,
      );
      await search();
      const paired = await alternate(rounds, search, bench.isSmoke ? null : ok);
      const inServer = medianDifference(paired);
      rows.push({
        what: `${what} among ${threads.toLocaleString('en-US')}, p50`,
        inReadme: true,
        ours: format.ms(median(paired.ours)),
        reference: bench.isSmoke ? null : `${format.ms(median(paired.reference))} \`/ok\``,
        ratio: inServer === null ? null : format.addedMs(inServer),
        budget: `under ${P50_MS_MAX} ms in the server`,
        missed: atMost(inServer, P50_MS_MAX),
        method: [
          `${threads.toLocaleString('en-US')} threads of ` +
            `${(threads / THREADS_PER_OWNER).toLocaleString('en-US')} owners written directly to the store; \`POST ` +
            `/threads/search\`, one client, ${rounds} rounds of ${durationMs(length) / 1_000} s that alternate ` +
            `with \`/ok\`.`,
          'Time in the server: the difference of the two p50, median of the rounds; every body equals the ' +
            'checked first one.',
        ],
      });
    }
    return rows;
  },
});

/** Fills the store. Threads of one owner are far apart in time. */
async function fill(folder: string, threads: number): Promise<void> {
  const stores = openStores(folder, undefined);
  const owners = Math.max(1, Math.floor(threads / THREADS_PER_OWNER));
  const begin = Date.now() - threads;
  for (let at = 0; at < threads; at += PER_COMMIT) {
    const commit = new Commit();
    for (let i = at; i < Math.min(threads, at + PER_COMMIT); i += 1) {
      const threadId = randomIds.next();
      stores.threads.put(
        commit,
        {
          threadId,
          uid: Buffer.from(threadId.replaceAll('-', ''), 'hex').toString('base64url'),
          createdAtMs: begin + i,
          updatedAtMs: begin + i,
          stateUpdatedAtMs: begin + i,
          status: 'idle',
          metadata: jsonBytes({ owner: `owner-${i % owners}`, title: `thread ${i}` }),
          config: jsonBytes({}),
          graphId: null,
          unfinished: false,
          failure: null,
          nextSeq: 0,
          temporary: false,
        },
        undefined,
      );
    }
    await stores.store.write(commit);
  }
  verify(
    runToEnd(stores.threadLists.list(LOCAL_CALLER, { limit: 10, offset: 0 })).records.length === 10,
    'the store is filled',
  );
  await stores.store.close();
}
