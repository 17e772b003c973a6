import { randomUUID } from 'node:crypto';
import { atLeast, defineBench, verify } from './bench.js';
import { ECHO_ANSWER, ECHO_INPUT } from './echo.js';
import { cpuEvidence } from './evidence.js';
import { perSecond, type InProcessResult } from './contenders/in-process.js';
import { type Length, type LoadResult, sendJson, sendLoad, durationMs } from './load.js';
import { alternate, median, medianRatio, format } from './measure.js';

const SHARE_MIN = 0.7;

export default defineBench({
  name: 'thread-runs',
  description: 'Runs on threads with every checkpoint committed, compared with the in-memory saver',
  smoke: { clients: 16, rounds: 1, length: { requests: 64 } as Length, turnsPerThread: 5 },
  real: { clients: 16, rounds: 7, length: { seconds: 4 } as Length, turnsPerThread: 5 },
  async run(bench, { clients, rounds, length, turnsPerThread }) {
    const ours = await bench.startServer({ workers: 1 });
    const inProcess = await bench.startInProcess();
    const body = { assistant_id: 'echo', input: ECHO_INPUT, if_not_exists: 'create' };
    const threadId = randomUUID();
    verify(
      JSON.stringify(await sendJson(ours.url, 'POST', `/threads/${threadId}/runs/wait`, body)) === ECHO_ANSWER,
      'the wait',
    );
    const states = await sendJson<unknown[]>(ours.url, 'POST', `/threads/${threadId}/history`, {});
    verify(states.length === 4, `four checkpoints a run, found ${states.length}`);

    const expected = new Set(
      Array.from({ length: turnsPerThread }, (_, turn) =>
        JSON.stringify({
          text: ECHO_INPUT.text,
          steps: Array.from({ length: turn + 1 }, () => ['first hello', 'second hello']).flat(),
        }),
      ),
    );
    const loadOurs = (): Promise<LoadResult> =>
      sendLoad({
        url: ours.url,
        clients,
        length,
        request: {
          method: 'POST',
          path: '/',
          body: JSON.stringify(body),
          setupRequest(request, context) {
            const turn = (context['turn'] as number | undefined) ?? 0;
            context['turn'] = turn + 1;
            if (turn % turnsPerThread === 0) context['thread'] = randomUUID();
            return { ...request, path: `/threads/${String(context['thread'])}/runs/wait` };
          },
        },
        check: (text) => expected.has(text),
      });
    const rateOurs = async (): Promise<number> => (await loadOurs()).perSecond;
    const runInProcess = (): Promise<InProcessResult> =>
      inProcess!.run({
        type: 'rate',
        graphId: 'echo',
        input: ECHO_INPUT,
        expect: ECHO_ANSWER,
        how: 'values',
        saver: 'memory',
        turnsPerThread,
        clients,
        ms: durationMs(length),
      });
    const rateInProcess = async (): Promise<number> => perSecond(await runInProcess());
    await rateOurs();
    if (inProcess !== null) await rateInProcess();
    const paired = await alternate(rounds, rateOurs, inProcess === null ? null : rateInProcess);
    const share = medianRatio(paired);
    const evidence = await cpuEvidence(
      'run',
      ours,
      async () => (await loadOurs()).responses,
      inProcess,
      async () => (await runInProcess()).runs,
    );
    return [
      {
        what: `runs on threads, every checkpoint committed, ${clients} clients`,
        inReadme: true,
        ours: format.perSecond(median(paired.ours)),
        reference: inProcess === null ? null : `${format.perSecond(median(paired.reference))} in process, MemorySaver`,
        ratio: format.ratio(share),
        budget: `at least ${SHARE_MIN}`,
        missed: atLeast(share, SHARE_MIN),
        method: [
          `${clients} clients, ${rounds} alternating rounds of ${durationMs(length) / 1_000} s after a warm-up, ` +
            `one graph worker, a new thread every ${turnsPerThread} runs on both sides; durability \`async\`: the ` +
            'response is sent after its four checkpoints are on disk.',
          'Ratio of a round, median of the rounds; the history is counted before, and every body is one of the ' +
            'expected states.',
        ],
        evidence,
      },
    ];
  },
});
