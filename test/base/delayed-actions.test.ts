import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { DelayedActions } from '../../src/base/delayed-actions.js';

const DELAY_MS = 40;

t.test('acts on each item in order, not before its time', async (t) => {
  const done: { item: number; afterMs: number }[] = [];
  const addedMs: number[] = [];
  let resolveLast!: () => void;
  const last = new Promise<void>((resolve) => {
    resolveLast = resolve;
  });
  const actions = new DelayedActions<number>(DELAY_MS, (item) => {
    done.push({ item, afterMs: performance.now() - addedMs[item]! });
    if (item === 4) resolveLast();
  });
  const add = (item: number): void => {
    addedMs[item] = performance.now();
    actions.add(item);
  };
  add(0);
  add(1);
  await sleep(DELAY_MS / 2);
  add(2);
  // Everything was done, and the timer has stopped.
  await sleep(DELAY_MS * 4);
  add(3);
  await sleep(1);
  add(4);
  // The timer of the actions keeps no process alive.
  const alive = setInterval(() => undefined, 1_000);
  await last;
  clearInterval(alive);
  t.strictSame(
    done.map(({ item }) => item),
    [0, 1, 2, 3, 4],
  );
  // Timers of Node can be a millisecond early.
  for (const { item, afterMs } of done) t.ok(afterMs >= DELAY_MS - 2, `${item}: ${afterMs}`);
});
