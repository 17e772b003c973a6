import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { atLeast, defineBench, verify } from './bench.js';
import { type Length, sendJson, sendLoad, durationMs } from './load.js';
import { alternate, median, medianRatio, format } from './measure.js';

const SHARE_MIN = 0.5;

export default defineBench({
  name: 'create-threads',
  description: 'POST /threads, on disk, compared with bare awaited puts on the same disk',
  smoke: { clients: 16, rounds: 1, length: { requests: 64 } as Length },
  real: { clients: 16, rounds: 9, length: { seconds: 3 } as Length },
  async run(bench, { clients, rounds, length }) {
    const ours = await bench.startServer({ workers: 1 });
    const made = await sendJson<{ thread_id: string; status: string }>(ours.url, 'POST', '/threads', {
      metadata: { owner: 'bench' },
    });
    verify(
      (await sendJson<{ thread_id: string }>(ours.url, 'GET', `/threads/${made.thread_id}`)).thread_id ===
        made.thread_id,
      'the thread',
    );
    const rateOurs = async (): Promise<number> =>
      (
        await sendLoad({
          url: ours.url,
          clients,
          length,
          request: { method: 'POST', path: '/threads', body: JSON.stringify({ metadata: { owner: 'bench' } }) },
          check: (body) => body.includes('"thread_id"') && body.includes('"status":"idle"'),
        })
      ).perSecond;

    const folder = bench.createFolder();
    const bare = bench.isSmoke ? null : fork(join(import.meta.dirname, 'contenders', 'bare-puts.js'), [folder]);
    if (bare !== null)
      bench.onClose(async () => {
        bare.kill();
        await once(bare, 'exit');
      });
    const rateBare = async (): Promise<number> => {
      bare!.send({ loops: clients, ms: durationMs(length) });
      const [perSecond] = (await once(bare!, 'message')) as [number];
      return perSecond;
    };
    await rateOurs();
    if (bare !== null) await rateBare();
    const paired = await alternate(rounds, rateOurs, bare === null ? null : rateBare);
    const share = medianRatio(paired);
    return [
      {
        what: `\`POST /threads\`, on disk, ${clients} clients`,
        ours: format.perSecond(median(paired.ours)),
        reference: bare === null ? null : `${format.perSecond(median(paired.reference))} bare puts`,
        ratio: format.ratio(share),
        budget: `at least ${SHARE_MIN}`,
        missed: atLeast(share, SHARE_MIN),
        method: [
          `${clients} clients, ${rounds} alternating rounds of ${durationMs(length) / 1_000} s after a warm-up; ` +
            `the other side is ${clients} loops in a separate process that each await \`put\` of 300 bytes into ` +
            'LMDB with the same options, on the same disk.',
          'Ratio of a round, median of the rounds; every answer is checked, and one thread is read back before.',
        ],
      },
    ];
  },
});
