import t, { type Test } from 'tap';
import { LOCAL_CALLER } from '../../src/domain/caller.js';
import { ThreadmillError } from '../../src/base/errors.js';
import type { LiveRun } from '../../src/services/runs/live.js';
import { temporaryFolder } from '../helpers/server.js';
import { Model, type Event } from './model.js';
import { Random } from '../helpers/random.js';
import { World } from './world.js';

/**
 * The admission rule of a thread against a model of it (model.ts): every sequence of so many events, and drawn ones
 * that are longer. `ADMISSION_DEPTH=4` and `SIMULATION_ROUNDS` make it longer, `SIMULATION_SEED` begins elsewhere.
 */
const DEPTH = Number(process.env['ADMISSION_DEPTH'] ?? 2);
const ROUNDS = Number(process.env['SIMULATION_ROUNDS'] ?? 60);
const SEED = Number(process.env['SIMULATION_SEED'] ?? 1);
const LENGTH = 12;
const THREAD = '00000000-0000-7000-8000-00000000beef';
const DELAY_S = 1_000;

t.setTimeout(3_600_000);

const EVENTS: Event[] = [
  ...(['enqueue', 'reject', 'interrupt', 'rollback'] as const).map((strategy): Event => ({
    kind: 'start',
    strategy,
    delayed: false,
  })),
  { kind: 'start', strategy: 'enqueue', delayed: true },
  { kind: 'cancel', action: 'interrupt' },
  { kind: 'cancel', action: 'rollback' },
  { kind: 'finish' },
  { kind: 'ask' },
  { kind: 'fail' },
  { kind: 'crash' },
  { kind: 'lose' },
  { kind: 'wait' },
];
const named = (event: Event): string => Object.values(event).join(' ');

/** The real services, brought through the same events one by one. */
class Real {
  readonly world: World;
  readonly runIds: string[] = [];

  constructor(seed: number, folder: string) {
    this.world = new World(new Random(seed), folder);
  }

  /** Every run that executes has had its first turn: it has stored its input, and waits to be told how it ends. */
  async rest(): Promise<void> {
    await this.world.rest((run) => run.turns < 1 || run.ends !== null);
  }

  async take(event: Event): Promise<boolean> {
    const { world } = this;
    await world.pass(1);
    switch (event.kind) {
      case 'start':
        try {
          const live = world.startRun(
            THREAD,
            { token: `t${this.runIds.length + 1}`, steps: 100, ends: 'well' },
            { strategy: event.strategy, delayS: event.delayed ? DELAY_S : 0 },
          );
          this.runIds.push(live.record.runId);
        } catch (error) {
          if (error instanceof ThreadmillError && error.code === 'THREAD_RUNNING') return false;
          throw error;
        }
        break;
      case 'cancel':
        void world.cancel(this.#oldest(), event.action);
        break;
      case 'finish':
      case 'ask':
      case 'fail':
        for (const run of world.pool.runs)
          if (run.port.open) run.ends = ({ finish: 'well', ask: 'asking', fail: 'badly' } as const)[event.kind];
        break;
      case 'crash':
        await world.crash();
        break;
      case 'lose':
        await world.loseWorker();
        break;
      case 'wait':
        await world.pass(2 * DELAY_S * 1_000);
        break;
    }
    await this.rest();
    return true;
  }

  #oldest(): LiveRun {
    for (const live of this.world.services.scheduler.liveRuns())
      if (!live.settled && this.runIds.includes(live.record.runId)) return live;
    throw new Error('no run is alive');
  }

  /** As clients would read it. */
  get state(): unknown {
    const { stores } = this.world.services;
    const thread = stores.threads.get(LOCAL_CALLER, THREAD);
    const runs = this.runIds.map((runId, at) => ({ name: at + 1, record: stores.runs.get(LOCAL_CALLER, runId) }));
    return {
      thread: thread?.status ?? 'idle',
      runs: runs.flatMap(({ name, record }) =>
        record === undefined ? [] : [{ name, status: record.status, attempt: record.attempt }],
      ),
    };
  }
}

/** What differs, and after what; null when nothing does. */
async function compare(events: readonly Event[], seed: number, folder: string): Promise<string | null> {
  const real = new Real(seed, folder);
  const model = new Model();
  await real.world.start();
  const done: string[] = [];
  for (const event of events) {
    if (!model.can(event)) continue;
    done.push(named(event));
    const [wanted, taken] = [model.take(event), await real.take(event)];
    const expected = JSON.stringify({
      taken: wanted,
      thread: model.thread,
      runs: model.runs.map(({ name, status, attempt }) => ({ name, status, attempt })),
    });
    const found = JSON.stringify({ taken, ...(real.state as object) });
    if (found !== expected || real.world.violations.length > 0)
      return `${done.join(', ')}:\n  found    ${found}\n  expected ${expected}\n${real.world.violations.join('\n')}`;
  }
  return null;
}

function* sequences(depth: number): Generator<Event[]> {
  if (depth === 0) {
    yield [];
    return;
  }
  for (const rest of sequences(depth - 1)) for (const event of EVENTS) yield [...rest, event];
}

function told(t: Test, wrong: (string | null)[], count: number, what: string): void {
  const found = wrong.filter((one) => one !== null);
  t.strictSame(found.slice(0, 5), [], `${count} ${what}`);
}

t.test(
  `every sequence of ${DEPTH} events after a run that executes, and after one that waits for its answer`,
  async (t) => {
    const folder = temporaryFolder(t);
    const wrong: (string | null)[] = [];
    let count = 0;
    const first: Event = { kind: 'start', strategy: 'enqueue', delayed: false };
    for (const begin of [[first], [first, { kind: 'ask' } satisfies Event]]) {
      for (const events of sequences(DEPTH)) {
        wrong.push(await compare([...begin, ...events], 1, folder));
        count += 1;
      }
    }
    told(t, wrong, count, 'sequences');
  },
);

t.test(`drawn sequences of ${LENGTH} events: ${ROUNDS} from seed ${SEED}`, async (t) => {
  const folder = temporaryFolder(t);
  const wrong: (string | null)[] = [];
  for (let seed = SEED; seed < SEED + ROUNDS; seed += 1) {
    const random = new Random(seed);
    const differs = await compare(
      Array.from({ length: LENGTH }, () => random.pick(EVENTS)),
      seed,
      folder,
    );
    wrong.push(differs === null ? null : `SIMULATION_SEED=${seed} SIMULATION_ROUNDS=1: ${differs}`);
  }
  told(t, wrong, ROUNDS, 'sequences');
});
