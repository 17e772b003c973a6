/**
 * A server whose clock goes a minute every MINUTE_MS, and which kills itself as soon as the n-th commit after the first
 * claim of a slot is on disk (KILL_AFTER_COMMITS). Started by kill.test.ts.
 */
import type { Clock } from '../../src/base/clock.js';
import { readConfig } from '../../src/config/config.js';
import { openServer } from '../../src/server/server.js';
import { Store } from '../../src/store/store.js';

const { CONFIG, DATA_FOLDER, KILL_AFTER_COMMITS, CLOCK_START, MINUTE_MS } = process.env as Record<string, string>;
const limit = Number(KILL_AFTER_COMMITS);
const pace = 60_000 / Number(MINUTE_MS);
const startMs = Number(CLOCK_START);
const began = performance.now();

/** One time for a whole turn: at this pace a claim and its run would fall into different minutes. */
let turnMs: number | null = null;

const clock: Clock = {
  nowMs() {
    if (turnMs === null) {
      turnMs = Math.floor(startMs + (performance.now() - began) * pace);
      setImmediate(() => {
        turnMs = null;
      });
    }
    return turnMs;
  },
  elapsedMs: () => (performance.now() - began) * pace,
  wakeAfter(ms, callback) {
    const timer = setTimeout(callback, Math.max(0, ms / pace));
    return () => clearTimeout(timer);
  },
};

let claims = 0;
let commits = 0;
const write = Store.prototype.write;
Store.prototype.write = function patched(commit) {
  // A claim: a cron's record beside a run's arguments.
  if (commit.operations.some(([key]) => key[0] === 'cr') && commit.operations.some(([key]) => key[0] === 'rk'))
    claims += 1;
  const written = write.call(this, commit);
  if (claims > 0 && commit.operations.length > 0 && ++commits === limit)
    void written.then(() => process.kill(process.pid, 'SIGKILL'));
  return written;
};

const server = await openServer(
  readConfig({ config: CONFIG!, port: '0', data: DATA_FOLDER!, workers: '1' }, { LOG_LEVEL: 'error' }),
  { clock },
);
process.stdout.write(`Threadmill at ${server.url}\n`);
