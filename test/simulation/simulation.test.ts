import t, { type Test } from 'tap';
import { lowerLimit } from '../helpers/limits.js';
import { temporaryFolder } from '../helpers/server.js';
import { Journal } from './journal.js';
import { Random } from '../helpers/random.js';
import { World } from './world.js';

/**
 * Scheduler, store and streams under clients, lost workers and crashes, in an order that a seed gives.
 * `SIMULATION_SEED=7` begins at that seed, `SIMULATION_ROUNDS=1` ends with it.
 */
const SEED = Number(process.env['SIMULATION_SEED'] ?? 1);
const ROUNDS = Number(process.env['SIMULATION_ROUNDS'] ?? 60);
const ACTIONS = 60;

t.setTimeout(3_600_000);

async function round(
  seed: number,
  folder: string,
  options: { cluster?: boolean } = {},
): Promise<{ wrong: string[]; world: World; journal: Journal }> {
  const random = new Random(seed);
  const world = new World(random, folder, options);
  await world.start();
  const journal = new Journal(world);
  // Some seeds have much of one kind of fault, some none.
  const [crash, lose, garble, reject, pass] = [
    random.pick([0, 0.3, 1]),
    random.pick([0, 0.3, 2]),
    random.pick([0, 0, 0.5]),
    random.pick([0, 0, 0.5]),
    1,
  ];
  const setClock = random.pick([0, 0, 1]);
  for (let actions = 0; actions < ACTIONS;) {
    switch (random.weighted({ step: 30, act: 6, crash, lose, garble, reject, setClock, pass })) {
      case 'step':
        await world.step();
        break;
      case 'act':
        journal.act();
        actions += 1;
        await world.settle();
        break;
      case 'crash':
        await world.crash();
        break;
      case 'lose':
        await world.loseWorker();
        break;
      case 'reject':
        if (!(await world.rejectCommits())) break;
        // What is asked of a server whose store has failed is refused, and nothing that was on its way is answered as
        // done.
        for (let steps = random.below(30); steps > 0; steps -= 1) {
          if (random.chance(0.2)) journal.act();
          await world.step();
        }
        await world.crash();
        break;
      case 'setClock':
        await world.setClock();
        break;
      case 'garble':
        await world.garble();
        break;
      case 'pass':
        await world.pass(random.below(2_000));
        break;
    }
  }
  for (let turns = 0; turns < 10; turns += 1) {
    await world.rest();
    await world.pass(3_000);
  }
  for (const thread of journal.threads) if (!thread.mayBeGone) journal.read(thread);
  await world.rest();
  // What is told must be what is there after one more start.
  if (random.chance(0.5)) {
    await world.crash();
    await world.rest();
  }
  return { wrong: journal.check(), world, journal };
}

function report(t: Test, seed: number, wrong: string[], history: readonly string[]): void {
  t.fail(`SIMULATION_SEED=${seed} SIMULATION_ROUNDS=1: ${wrong.slice(0, 5).join('; ')}`, {
    history: history.join('\n'),
  });
}

for (const cluster of [false, true])
  t.test(
    `nothing is lost, done twice or stuck${cluster ? ' in a cluster' : ''}: ${ROUNDS} rounds from seed ${SEED}`,
    async (t) => {
      const folder = temporaryFolder(t);
      lowerLimit(t, 'outdatedThreadsMax', 2);
      let [runs, crashes, commits] = [0, 0, 0];
      for (let seed = SEED; seed < SEED + ROUNDS; seed += 1) {
        const { wrong, world, journal } = await round(seed, folder, { cluster });
        if (wrong.length > 0) report(t, seed, wrong, world.history);
        runs += journal.runs.length;
        crashes += world.lives - 1;
        commits += world.disk.commits;
      }
      t.comment(`${runs} runs, ${crashes} crashes, ${commits} commits`);
      t.ok(runs > ROUNDS * 5, 'there was something to lose');
    },
  );

t.test('repeats the same run for the same seed', async (t) => {
  const folder = temporaryFolder(t);
  const told = async (): Promise<unknown> => {
    const { world, journal } = await round(SEED, folder);
    return [world.history, world.disk.commits, journal.runs, world.disk.entries.map(({ key }) => JSON.stringify(key))];
  };
  t.strictSame(await told(), await told());
});
