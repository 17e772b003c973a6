import { join } from 'node:path';
import { defineBench, verify, type Row } from './bench.js';
import { GRAPHS } from './contenders/threadmill.js';
import { sendLoad, durationMs, type Length } from './load.js';
import { alternate, median, medianDifference, quantile, format } from './measure.js';

export default defineBench({
  name: 'custom-app',
  description:
    "Cost of the project's HTTP app for built-in routes: with middleware around them, and with unrelated routes",
  smoke: { rounds: 1, length: { requests: 64 } as Length },
  real: { rounds: 9, length: { seconds: 2 } as Length },
  async run(bench, { rounds, length }) {
    const p50Of = async (config: string | null, header: string | null): Promise<() => Promise<number>> => {
      const { url } = await bench.startServer({
        workers: 1,
        dataFolder: bench.createFolder(),
        ...(config === null ? {} : { config: join(GRAPHS, 'app', config) }),
      });
      const made = await fetch(`${url}/threads`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"metadata":{"topic":"weather"}}',
      });
      const path = `/threads/${((await made.json()) as { thread_id: string }).thread_id}`;
      const first = await fetch(`${url}${path}`);
      verify(first.headers.get('x-served-by') === header, 'the header of the middleware');
      const expected = await first.text();
      verify(expected.includes('weather'), 'the thread');
      return async () => {
        const { latenciesMs } = await sendLoad({
          url,
          clients: 1,
          length,
          request: { method: 'GET', path },
          check: (body) => body === expected,
        });
        return quantile(latenciesMs, 0.5);
      };
    };
    const p50Without = await p50Of(null, null);
    const rows: Row[] = [];
    for (const { what, config, header } of [
      { what: 'app middleware around it', config: 'covering.json', header: 'bench' },
      { what: 'an app with unrelated routes', config: 'elsewhere.json', header: null },
    ]) {
      const p50 = await p50Of(config, header);
      await p50();
      await p50Without();
      const paired = await alternate(rounds, p50, bench.isSmoke ? null : p50Without);
      const added = medianDifference(paired);
      rows.push({
        what: `\`GET /threads/{id}\` with ${what}, p50`,
        ours: format.ms(median(paired.ours)),
        reference: bench.isSmoke ? null : `${format.ms(median(paired.reference))} without an app`,
        ratio: added === null ? null : format.addedMs(added),
        budget: 'none',
        missed: null,
        method: [
          `${rounds} alternating rounds of ${durationMs(length) / 1_000} s, one client; each server is a ` +
            'separate process. The app uses Hono, and its middleware sets one header.',
          'Difference of the two p50 of a round, median of the rounds; every body equals the checked first one.',
        ],
      });
    }
    return rows;
  },
});
