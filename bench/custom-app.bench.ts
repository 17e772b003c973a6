import { join } from 'node:path';
import { defineBench, verify, type Row } from './bench.js';
import { GRAPHS } from './contenders/ours.js';
import { load, milliseconds, type Length } from './load.js';
import { alternate, median, medianDifference, quantile, show } from './measure.js';

export default defineBench({
  name: 'custom-app',
  description:
    "What the project's own HTTP app costs built-in routes: with middleware around them, and with routes elsewhere",
  smoke: { rounds: 1, length: { requests: 64 } as Length },
  real: { rounds: 9, length: { seconds: 2 } as Length },
  async run(bench, { rounds, length }) {
    const p50Of = async (config: string | null, header: string | null): Promise<() => Promise<number>> => {
      const { url } = await bench.ours({
        workers: 1,
        dataFolder: bench.folder(),
        ...(config === null ? {} : { config: join(GRAPHS, 'app', config) }),
      });
      const made = await fetch(`${url}/threads`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"metadata":{"topic":"weather"}}',
      });
      const path = `/threads/${((await made.json()) as { thread_id: string }).thread_id}`;
      const first = await fetch(`${url}${path}`);
      verify(first.headers.get('x-served-by') === header, 'what the middleware says');
      const expected = await first.text();
      verify(expected.includes('weather'), 'the thread');
      return async () => {
        const { latenciesMs } = await load({
          url,
          clients: 1,
          for: length,
          request: { method: 'GET', path },
          check: (body) => body === expected,
        });
        return quantile(latenciesMs, 0.5);
      };
    };
    const p50Without = await p50Of(null, null);
    const rows: Row[] = [];
    for (const { what, config, header } of [
      { what: 'middleware of an app around it', config: 'covering.json', header: 'bench' },
      { what: 'an app with routes elsewhere', config: 'elsewhere.json', header: null },
    ]) {
      const p50 = await p50Of(config, header);
      await p50();
      await p50Without();
      const paired = await alternate(rounds, p50, bench.oursOnly ? null : p50Without);
      const added = medianDifference(paired);
      rows.push({
        what: `\`GET /threads/{id}\` with ${what}, p50`,
        ours: show.ms(median(paired.ours)),
        reference: bench.oursOnly ? null : `${show.ms(median(paired.reference))} without an app`,
        ratio: added === null ? null : `+${show.ms(added)}`,
        budget: 'none',
        missed: null,
        method: [
          `${rounds} alternating rounds of ${milliseconds(length) / 1_000} s, one client; each server a process of its own. The app is Hono's; its middleware sets one header.`,
          'Difference of the two p50 of a round, median of the rounds; every body equal to the checked first one.',
        ],
      });
    }
    return rows;
  },
});
