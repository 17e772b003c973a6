import { cpSync } from 'node:fs';
import t, { type Test } from 'tap';
import { FakeClock } from '../helpers/fake-clock.js';
import { childServer } from '../helpers/child-server.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';
import { createCron, getCron, threadsOf, until } from './helpers.js';

const config = configWith(t, 'echo');
const START = Date.parse('2026-03-10T08:00:30Z');
const MINUTE = 60_000;
/** Commits of a first firing and of a second one. */
const POINTS = 6;

// Servers are started and killed.
t.setTimeout(300_000);

/** Kills the server after its n-th commit from the first claim on; a later one goes on with its crons. */
async function round(t: Test, prepared: string, id: string, commits: number): Promise<void> {
  const dataFolder = temporaryFolder(t);
  cpSync(prepared, dataFolder, { recursive: true });
  const killed = await childServer(t, {
    dataFolder,
    script: 'dist/test/crons/killing-server.js',
    env: {
      CONFIG: config,
      DATA_FOLDER: dataFolder,
      KILL_AFTER_COMMITS: String(commits),
      CLOCK_START: String(START),
      MINUTE_MS: '400',
    },
  });
  t.equal(await killed.exited, 'SIGKILL');

  // Long enough after it that at least one slot was missed, and in the middle of a minute.
  const clock = new FakeClock(START + 60 * MINUTE);
  const second = await testServer(t, { clock, dataFolder, config });
  const caughtUp = await until(
    () => threadsOf(second, id),
    (threads) => threads.length > 0 && threads.every(({ status }) => status === 'idle'),
  );
  const { next_run_date: next, last_error } = await getCron(second, id);
  t.equal(last_error, null);
  t.equal(Date.parse(next!), clock.nowMs() + MINUTE / 2, 'the next slot is the next minute');
  clock.set(next!);
  const threads = await until(
    () => threadsOf(second, id),
    (all) => all.length > caughtUp.length && all.every(({ status }) => status === 'idle'),
  );
  const minutes = threads.map(({ created_at }) => Math.floor(Date.parse(created_at) / MINUTE));
  t.strictSame(minutes, [...new Set(minutes)], `killed after commit ${commits}: no slot became two runs`);
  // Every slot of the killed server up to its last one, then the missed ones as one, then the next.
  const before = minutes.slice(0, -2);
  t.strictSame(
    before,
    before.map((_, at) => before[0]! + at),
    'none was left out while it was up',
  );
  t.strictSame(minutes.slice(-2), [START / MINUTE + 60, START / MINUTE + 61].map(Math.floor), 'what was missed is one');
  for (const { thread_id: threadId } of threads) {
    const runs = await second.client.runs.list(threadId);
    t.strictSame(
      runs.map(({ status }) => status),
      ['success'],
      'what had begun was brought to its end',
    );
  }
  await second.close();
}

t.test('starts one run for each slot, wherever the server is killed', async (t) => {
  const first = await testServer(t, { clock: new FakeClock(START), config });
  const { cron_id: id } = await createCron(first, 'echo', {
    schedule: '* * * * *',
    on_run_completed: 'keep',
    input: { text: 'x' },
  });
  await first.close();
  for (let commits = 1; commits <= POINTS; commits += 1) await round(t, first.dataFolder, id, commits);
});
