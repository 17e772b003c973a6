import { randomUUID } from 'node:crypto';
import { atMost, defineBench, verify, type Row } from './bench.js';
import { ask, paced } from './load.js';
import { alternate, median, quantile, show } from './measure.js';

const P99_MS_MAX = 10;
const RATE = 200;

export default defineBench({
  name: 'busy-reads',
  description: '/ok and thread reads while a graph burns CPU, default settings',
  smoke: { rounds: 1, seconds: 0.3 },
  real: { rounds: 5, seconds: 5 },
  async run(bench, { rounds, seconds }) {
    const ours = await bench.ours();
    const threadId = randomUUID();
    await ask(ours.url, 'POST', `/threads/${threadId}/runs/wait`, { assistant_id: 'echo', input: { text: 'hello' }, if_not_exists: 'create' });
    const before = await ask<{ values: unknown }>(ours.url, 'GET', `/threads/${threadId}`);
    verify(JSON.stringify(before.values) === JSON.stringify({ text: 'hello', steps: ['first hello', 'second hello'] }), 'the thread');
    const p99 = (path: string, check: (body: string) => boolean, burn: boolean) => async (): Promise<number> => {
      const ms = seconds * 1_000 + 400;
      const burning = burn ? ask<{ ms: number }>(ours.url, 'POST', '/runs/wait', { assistant_id: 'burn', input: { ms } }) : null;
      if (burn) await new Promise((resolve) => setTimeout(resolve, 100));
      const latenciesMs = await paced({ url: ours.url, path, perSecond: RATE, seconds, check });
      if (burning !== null) verify((await burning).ms === ms, 'the burning run');
      return quantile(latenciesMs, 0.99);
    };
    const isThread = (body: string): boolean => body.includes(threadId) && body.includes('second hello');
    const isOk = (body: string): boolean => body === '{"ok":true}';
    await p99('/ok', isOk, false)();
    const rows: Row[] = [];
    for (const [what, path, check] of [['`GET /ok`', '/ok', isOk], ['`GET /threads/{id}`', `/threads/${threadId}`, isThread]] as const) {
      const paired = await alternate(rounds, p99(path, check, true), bench.oursOnly ? null : p99(path, check, false));
      const ms = median(paired.ours);
      rows.push({
        what: `${what} while a graph burns CPU, p99`,
        ours: show.ms(ms),
        reference: bench.oursOnly ? null : `${show.ms(median(paired.reference))} while nothing runs`,
        ratio: null,
        budget: `under ${P99_MS_MAX} ms`,
        missed: bench.oursOnly ? null : atMost(ms, P99_MS_MAX),
        method: [
          `${rounds} alternating rounds of ${seconds} s with and without one run that spins half a second at a time; default settings; ${RATE} reads a second, each sent when due whether or not the last was answered.`,
          'Median of the rounds\' p99; every body checked, the burning run\'s answer too.',
        ],
      });
    }
    return rows;
  },
});
