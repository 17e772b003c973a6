import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { atLeast, defineBench, verify } from './bench.js';
import { type Length, ask, load, milliseconds } from './load.js';
import { alternate, median, medianRatio, show } from './measure.js';

const SHARE_MIN = 0.5;

export default defineBench({
  name: 'create-threads',
  description: 'POST /threads, on disk, beside bare awaited puts on the same disk',
  smoke: { clients: 16, rounds: 1, length: { requests: 64 } as Length },
  real: { clients: 16, rounds: 9, length: { seconds: 3 } as Length },
  async run(bench, { clients, rounds, length }) {
    const ours = await bench.ours({ workers: 1 });
    const made = await ask<{ thread_id: string; status: string }>(ours.url, 'POST', '/threads', {
      metadata: { owner: 'bench' },
    });
    verify(
      (await ask<{ thread_id: string }>(ours.url, 'GET', `/threads/${made.thread_id}`)).thread_id === made.thread_id,
      'the thread',
    );
    const rateOurs = async (): Promise<number> =>
      (
        await load({
          url: ours.url,
          clients,
          for: length,
          request: { method: 'POST', path: '/threads', body: JSON.stringify({ metadata: { owner: 'bench' } }) },
          check: (body) => body.includes('"thread_id"') && body.includes('"status":"idle"'),
        })
      ).perSecond;

    const folder = bench.folder();
    const bare = bench.oursOnly ? null : fork(join(import.meta.dirname, 'contenders', 'bare-puts.js'), [folder]);
    if (bare !== null)
      bench.defer(async () => {
        bare.kill();
        await once(bare, 'exit');
      });
    const rateBare = async (): Promise<number> => {
      bare!.send({ loops: clients, ms: milliseconds(length) });
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
        ours: show.perSecond(median(paired.ours)),
        reference: bare === null ? null : `${show.perSecond(median(paired.reference))} bare puts`,
        ratio: show.ratio(share),
        budget: `at least ${SHARE_MIN}`,
        missed: atLeast(share, SHARE_MIN),
        method: [
          `${clients} clients, ${rounds} alternating rounds of ${milliseconds(length) / 1_000} s after a warm-up; the other side is ${clients} loops in a process of their own that each await \`put\` of 300 bytes into LMDB with our options, on the same disk.`,
          'Quotient of a round, median of the rounds; every answer checked, one thread read back before.',
        ],
      },
    ];
  },
});
