import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { childServer } from '../helpers/child-server.js';
import { configWith, temporaryFolder } from '../helpers/server.js';
import { Random } from '../helpers/random.js';
import { ClientsJournal } from './clients-journal.js';
import { FAULTS_MS, killingServer } from './kill-points.js';

/**
 * Stock clients at work on a server that is killed, started, killed while it repairs, and started again; then
 * everything that any of them was told must hold. `FAULT_SEED` and `FAULT_ROUNDS` (`make faults`) draw when it is
 * killed.
 */
const SEED = Number(process.env['FAULT_SEED'] ?? 1);
const asked = process.env['FAULT_ROUNDS'];
const ROUNDS = asked === undefined ? 1 : asked === 'all' ? 100 : Number(asked);
const LIVES = asked === undefined ? 2 : 4;
const CLIENTS = 6;

t.setTimeout(FAULTS_MS);

const config = configWith(t, 'echo');

/**
 * Told to stop while clients are at work: what does not end in time goes back to the queue, and the process ends well.
 */
async function stopUnderLoad(t: Test, journal: ClientsJournal, dataFolder: string, afterMs: number): Promise<void> {
  const server = await childServer(t, { dataFolder, config, env: { BG_JOB_SHUTDOWN_GRACE_PERIOD_SECS: '1' } });
  const loaded = journal.load(server, CLIENTS);
  await setTimeout(afterMs);
  t.equal(await server.kill('SIGTERM'), '0', 'it ends well');
  await loaded;
}

for (let round = 0; round < ROUNDS; round += 1) {
  const seed = SEED * 1_000 + round;
  t.test(`what clients were told holds after ${LIVES} deaths (FAULT_SEED=${SEED}, round ${round + 1})`, async (t) => {
    const random = new Random(seed);
    const dataFolder = temporaryFolder(t);
    const journal = new ClientsJournal(random);
    for (let life = 0; life < LIVES; life += 1) {
      if (random.chance(0.3)) {
        await stopUnderLoad(t, journal, dataFolder, random.below(1_500));
        continue;
      }
      // At a write: as soon as it is on disk, or under way. The first thread's is the first that counts.
      const server = await killingServer(
        t,
        { config, from: 'rk', when: random.pick(['on disk', 'under-way']) },
        dataFolder,
        5 + random.below(150),
      );
      await journal.load(server, CLIENTS);
      await server.exited;
      if (!random.chance(0.5)) continue;
      // While it starts, or shortly after.
      const repairing = await childServer(t, { dataFolder, config }).catch(() => null);
      await setTimeout(random.below(50));
      void repairing?.kill();
      await repairing?.exited;
    }
    const server = await childServer(t, { dataFolder, config });
    await journal.check(t, server);
    t.equal(await server.kill('SIGTERM'), '0');
    t.comment(`${journal.answered} answers, ${journal.threads.length} threads`);
    t.ok(journal.answered > 20, 'there was something to lose');
  });
}
