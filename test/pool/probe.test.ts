import { once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { Probe } from '../../src/pool/graphs/probe.js';

const PATIENCE_BEATS = 40;

function openProbe(t: Test): { probe: Probe; beat: { count: number }; worker: MessagePort } {
  const { port1, port2 } = new MessageChannel();
  const beat = { count: 1 };
  const probe = new Probe(port1, beat, PATIENCE_BEATS * LIMITS.workerHeartbeatMs);
  t.teardown(() => {
    probe.close();
  });
  return { probe, beat, worker: port2 };
}

/** Answers a probe that was asked, and waits until the front has heard it. */
async function answer(probe: Probe, worker: MessagePort, works: boolean): Promise<void> {
  worker.postMessage(works);
  const heard = (): boolean => (works ? !probe.isSuspicious : probe.check(true));
  do
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  while (!heard());
}

t.test('keeps a worker that answers, however long its runs wait', async (t) => {
  const { probe, beat, worker } = openProbe(t);
  const asked = once(worker, 'message');
  t.equal(probe.check(true), false);
  await asked;
  beat.count += PATIENCE_BEATS / 2;
  t.equal(probe.check(true), false);
  await answer(probe, worker, true);
  beat.count += 1_000_000;
  t.equal(probe.check(true), false);
  t.equal(probe.isSuspicious, false);
});

t.test('avoids a worker that beats without answering, then replaces it', (t) => {
  const { probe, beat } = openProbe(t);
  t.equal(probe.check(true), false);
  beat.count += PATIENCE_BEATS / 4 + 1;
  t.equal(probe.check(true), false);
  t.equal(probe.isSuspicious, true);
  beat.count += PATIENCE_BEATS;
  t.equal(probe.check(true), true);
  t.end();
});

t.test('gives a slow event loop as many turns to answer', (t) => {
  const { probe, beat } = openProbe(t);
  probe.check(true);
  for (let at = 0; at < 1_000; at += 1) if (probe.check(true)) t.fail('no beat was given meanwhile');
  beat.count += PATIENCE_BEATS;
  t.equal(probe.check(true), false);
  t.end();
});

t.test('takes progress of any run as proof', (t) => {
  const { probe, beat } = openProbe(t);
  probe.check(true);
  for (let at = 0; at < 10; at += 1) {
    beat.count += PATIENCE_BEATS;
    probe.noteProgress();
    t.equal(probe.check(true), false);
  }
  t.end();
});

t.test('accepts a late answer', async (t) => {
  const { probe, beat, worker } = openProbe(t);
  const asked = once(worker, 'message');
  probe.check(true);
  beat.count += PATIENCE_BEATS;
  probe.check(true);
  t.equal(probe.isSuspicious, true);
  await asked;
  await answer(probe, worker, true);
  t.equal(probe.isSuspicious, false);
  t.equal(probe.check(true), false);
});

t.test('probes a worker without runs only under suspicion', (t) => {
  const { probe, beat } = openProbe(t);
  probe.check(false);
  beat.count += 10 * PATIENCE_BEATS;
  t.equal(probe.check(false), false);
  probe.check(true);
  beat.count += PATIENCE_BEATS;
  probe.check(true);
  t.equal(probe.isSuspicious, true);
  beat.count += PATIENCE_BEATS;
  t.equal(probe.check(false), true);
  t.end();
});

t.test('replaces a worker at once that reports a fault, and reports it once', async (t) => {
  const { probe, worker } = openProbe(t);
  const asked = once(worker, 'message');
  probe.check(true);
  await asked;
  await answer(probe, worker, false);
  t.equal(probe.check(true), false);
});
