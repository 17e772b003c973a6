import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { atMost, defineBench, verify, type Row } from './bench.js';
import { sendJson, sendPaced } from './load.js';
import { median, quantile, format } from './measure.js';

const P99_MS_MAX = 10;
const RATE = 200;

export default defineBench({
  name: 'busy-reads',
  description: '/ok and thread reads while a graph burns CPU, default settings',
  smoke: { rounds: 1, seconds: 0.3 },
  real: { rounds: 5, seconds: 5 },
  async run(bench, { rounds, seconds }) {
    const ours = await bench.startServer();
    const threadId = randomUUID();
    await sendJson(ours.url, 'POST', `/threads/${threadId}/runs/wait`, {
      assistant_id: 'echo',
      input: { text: 'hello' },
      if_not_exists: 'create',
    });
    const before = await sendJson<{ values: unknown }>(ours.url, 'GET', `/threads/${threadId}`);
    verify(
      JSON.stringify(before.values) === JSON.stringify({ text: 'hello', steps: ['first hello', 'second hello'] }),
      'the thread',
    );
    const isThread = (body: string): boolean => body.includes(threadId) && body.includes('second hello');
    const isOk = (body: string): boolean => body === '{"ok":true}';

    let bareUrl: string | null = null;
    if (!bench.isSmoke) {
      const bare = fork(join(import.meta.dirname, 'contenders', 'bare-http.js'));
      bench.onClose(async () => {
        bare.disconnect();
        await once(bare, 'exit');
      });
      const [port] = (await once(bare, 'message')) as [number];
      bareUrl = `http://127.0.0.1:${port}`;
    }
    const rows: Row[] = [];
    for (const [what, path, check] of [
      ['`GET /ok`', '/ok', isOk],
      ['`GET /threads/{id}`', `/threads/${threadId}`, isThread],
    ] as const) {
      const mine: number[] = [];
      const machines: number[] = [];
      await sendPaced({ url: ours.url, path, perSecond: RATE, seconds: Math.min(1, seconds), check });
      for (let round = 0; round < rounds; round += 1) {
        const ms = seconds * 1_000 + 400;
        const burning = sendJson<{ ms: number }>(ours.url, 'POST', '/runs/wait', {
          assistant_id: 'burn',
          input: { ms },
        });
        await new Promise((resolve) => setTimeout(resolve, 100));
        const [here, bare] = await Promise.all([
          sendPaced({ url: ours.url, path, perSecond: RATE, seconds, check }),
          bareUrl === null ? [] : sendPaced({ url: bareUrl, path: '/ok', perSecond: RATE, seconds, check: isOk }),
        ]);
        verify((await burning).ms === ms, 'the burning run');
        mine.push(quantile(here, 0.99));
        machines.push(quantile(bare, 0.99));
      }
      const ms = median(mine);
      rows.push({
        what: `${what} while a graph burns CPU, p99`,
        inReadme: true,
        ours: format.ms(ms),
        reference: bareUrl === null ? null : `${format.ms(median(machines))} an empty server at the same time`,
        ratio: bareUrl === null ? null : format.addedMs(median(mine.map((value, round) => value - machines[round]!))),
        budget: `under ${P99_MS_MAX} ms`,
        missed: bench.isSmoke ? null : atMost(ms, P99_MS_MAX),
        method: [
          `${rounds} rounds of ${seconds} s beside one run that spins half a second at a time; default settings; ` +
            `${RATE} reads a second, each sent when due whether or not the last was answered, and as many to a ` +
            `bare \`node:http\` server in a separate process, which shows the share of the machine.`,
          "Median of the rounds' p99; every body checked, the burning run's answer too.",
        ],
      });
    }
    return rows;
  },
});
