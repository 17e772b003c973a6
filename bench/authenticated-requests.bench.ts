import { join } from 'node:path';
import { createKey } from '../src/store/access/api-keys.js';
import { atMost, defineBench, verify, type Row } from './bench.js';
import { GRAPHS, type ThreadmillServer } from './contenders/threadmill.js';
import { sendLoad, durationMs, type Length } from './load.js';
import { alternate, median, medianDifference, quantile, format } from './measure.js';

const ADDED_MS_MAX = 0.3;

export default defineBench({
  name: 'authenticated-requests',
  description: 'Cost of authentication: the same read without it, with an API key, and with an auth handler',
  smoke: { rounds: 1, length: { requests: 64 } as Length },
  real: { rounds: 9, length: { seconds: 2 } as Length },
  async run(bench, { rounds, length }) {
    const open = await bench.startServer({ workers: 1 });
    const keyed = bench.createFolder();
    const { text } = createKey(keyed, { name: 'bench', scopes: ['*'] });
    const contenders: {
      what: string;
      server: ThreadmillServer;
      headers: Record<string, string>;
      budget: number | null;
    }[] = [
      {
        what: 'an API key',
        server: await bench.startServer({ workers: 1, dataFolder: keyed }),
        headers: { 'x-api-key': text },
        budget: null,
      },
      {
        what: 'a trivial auth handler',
        server: await bench.startServer({
          workers: 1,
          dataFolder: bench.createFolder(),
          config: join(GRAPHS, 'auth', 'langgraph.json'),
        }),
        headers: { 'x-user': 'ada' },
        budget: ADDED_MS_MAX,
      },
    ];
    const p50Of = async (url: string, headers: Record<string, string>): Promise<() => Promise<number>> => {
      const made = await fetch(`${url}/threads`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"metadata":{"topic":"weather"}}',
      });
      const { thread_id: threadId } = (await made.json()) as { thread_id: string };
      const path = `/threads/${threadId}`;
      const expected = await (await fetch(`${url}${path}`, { headers })).text();
      verify(expected.includes('weather'), 'the thread');
      return async () => {
        const { latenciesMs } = await sendLoad({
          url,
          clients: 1,
          length,
          request: { method: 'GET', path, headers },
          check: (body) => body === expected,
        });
        return quantile(latenciesMs, 0.5);
      };
    };
    const p50Open = await p50Of(open.url, {});
    const rows: Row[] = [];
    for (const { what, server, headers, budget } of contenders) {
      const refused = await fetch(`${server.url}/threads`);
      verify(refused.status === 401, 'a request without credentials is refused');
      await refused.text();
      const p50 = await p50Of(server.url, headers);
      await p50();
      await p50Open();
      const paired = await alternate(rounds, p50, bench.isSmoke ? null : p50Open);
      const added = medianDifference(paired);
      rows.push({
        what: `\`GET /threads/{id}\` with ${what}, p50`,
        ours: format.ms(median(paired.ours)),
        reference: bench.isSmoke ? null : `${format.ms(median(paired.reference))} an open server`,
        ratio: added === null ? null : format.addedMs(added),
        budget: budget === null ? 'none' : `at most +${budget} ms`,
        missed: budget === null ? null : atMost(added, budget),
        method: [
          `${rounds} alternating rounds of ${durationMs(length) / 1_000} s, one client; each server is a ` +
            'separate process. The handler reads one header and returns one filter; its result is not cached.',
          'Difference of the two p50 of a round, median of the rounds; every body equals the checked first one.',
        ],
      });
    }
    return rows;
  },
});
