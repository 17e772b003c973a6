import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import t, { type Test } from 'tap';
import { keys } from '../../src/store/keys.js';
import { openStores } from '../../src/store/stores.js';
import { leftoversGone } from '../helpers/leftovers.js';
import {
  at,
  everything,
  read,
  row,
  send,
  sent,
  upload,
  withStatistics,
  type Json,
  type Target,
  type Upload,
  type UploadRow,
} from '../helpers/uploads.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';
import { FAULTS_MS, KillPoints, killingServer, seeded, type Killed } from './kill-points.js';

const config = configWith(t, 'echo');

const ROWS = 700;
const PREFIXES = [
  'D',
  'DN',
  'E',
  'EI',
  'EL',
  'S',
  'SN',
  'SL',
  'SD',
  'SH',
  'SQ',
  'SS',
  'R',
  'RI',
  'RT',
  'F',
  'FI',
  'FO',
  'U',
  'FC',
];
const DATASET = 'dataset';

const rowsOf = (text: string): UploadRow[] =>
  Array.from({ length: ROWS }, (_, index) =>
    row({
      row_id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      inputs: { index, text: `${text} ${'x'.repeat(600)}` },
      actual_outputs: { index },
      evaluation_scores: [{ key: 'even', score: index % 2, ...(index % 100 === 0 ? { id: randomUUID() } : {}) }],
    }),
  );

interface Scenario {
  when: 'on disk' | 'under-way';
  /** What is there before the upload that is killed. */
  prepare(target: Target): Promise<void>;
  body: Upload;
  /** Examples when it is there. */
  examples: number;
  testRunNumber: number;
}

const scenarios: Record<string, Scenario> = {
  'an upload that makes a dataset': {
    when: 'on disk',
    prepare: async () => {},
    body: upload({
      experiment_name: 'killed',
      dataset_name: DATASET,
      results: rowsOf('first'),
      summary_experiment_scores: [{ key: 'whole', score: 1 }],
    }),
    examples: ROWS,
    testRunNumber: 1,
  },
  'an upload that changes every example of a dataset and adds one': {
    when: 'under-way',
    prepare: async (target) => {
      const { experiment } = await sent(
        target,
        upload({ experiment_name: 'before', dataset_name: DATASET, results: rowsOf('first') }),
      );
      await withStatistics(target, experiment.id);
    },
    body: upload({
      experiment_name: 'killed',
      dataset_name: DATASET,
      results: [...rowsOf('second'), row()],
      summary_experiment_scores: [{ key: 'whole', score: 1 }],
    }),
    examples: ROWS + 1,
    testRunNumber: 2,
  },
};

/** Every key of evaluation results in a folder that no server has open, once what is to be removed has been. */
async function keysIn(t: Test, dataFolder: string): Promise<string[]> {
  const stores = openStores(dataFolder, undefined);
  try {
    t.strictSame([...stores.store.keys({ prefix: keys.uploads() })], [], 'no upload counts as under way');
    await leftoversGone(stores);
    return PREFIXES.flatMap((prefix) => [...stores.store.keys({ prefix: [prefix] })]).map((key) => JSON.stringify(key));
  } finally {
    await stores.remover.close();
    await stores.store.close();
  }
}

const experimentsNamed = async (target: Target, name: string): Promise<Json[]> =>
  read<Json[]>(target, `/api/v1/sessions?name=${name}`);

async function checkWhole(t: Test, target: Target, { body, examples, testRunNumber }: Scenario): Promise<void> {
  const [experiment] = await experimentsNamed(target, 'killed');
  const found = await withStatistics(target, String(experiment!['id']));
  t.match(
    found,
    {
      run_count: body.results.length,
      error_rate: 0,
      latency_p50: 1,
      test_run_number: testRunNumber,
      feedback_stats: { even: { n: ROWS, avg: 0.5 } },
      session_feedback_stats: { whole: { n: 1, avg: 1 } },
    },
    'its statistics are complete',
  );
  const [dataset] = await read<Json[]>(target, `/api/v1/datasets?name=${DATASET}`);
  t.match(dataset, { example_count: examples, session_count: testRunNumber });
  t.equal(await read<number>(target, `/api/v1/examples/count?dataset=${String(dataset!['id'])}`), examples);
  t.equal(
    await read<number>(
      target,
      `/api/v1/examples/count?dataset=${String(dataset!['id'])}&full_text_contains=${testRunNumber === 1 ? 'first' : 'second'}`,
    ),
    ROWS,
  );
}

interface Outcome extends Killed {
  kept: boolean;
}

interface Prepared {
  dataFolder: string;
  before: string;
  keysBefore: string[];
}

async function prepare(t: Test, scenario: Scenario): Promise<Prepared> {
  const dataFolder = temporaryFolder(t);
  const server = await testServer(t, { dataFolder, config });
  await scenario.prepare(at(server.url));
  const before = await everything(at(server.url));
  await server.close();
  return { dataFolder, before, keysBefore: await keysIn(t, dataFolder) };
}

/** One upload to a server that dies at the n-th commit. */
async function round(
  t: Test,
  scenario: Scenario,
  { before, keysBefore, dataFolder: prepared }: Prepared,
  commit: number,
): Promise<Outcome> {
  const dataFolder = temporaryFolder(t);
  cpSync(prepared, dataFolder, { recursive: true });
  const killed = await killingServer(t, { config, from: 'U', when: scenario.when }, dataFolder, commit);
  let answered = false;
  const done = (async () => {
    const { experiment } = await sent(at(killed.url), scenario.body);
    answered = true;
    await withStatistics(at(killed.url), experiment.id);
  })().catch(() => killed.exited);
  // The last statistics are on disk when the server that wrote them dies.
  await done;
  const { died, commits } = await killed.stop();

  const second = await testServer(t, { dataFolder, config });
  const there = (await experimentsNamed(at(second.url), 'killed')).length === 1;
  if (answered) t.ok(there, `${commit}: what was answered is kept`);
  if (there) {
    await checkWhole(t, at(second.url), scenario);
    t.match(
      await send(at(second.url), scenario.body),
      { status: 409, body: { detail: 'Session already exists.' } },
      `${commit}: sent again it is refused, as it is there`,
    );
    await checkWhole(t, at(second.url), scenario);
    await second.close();
    t.strictSame(
      (await keysIn(t, dataFolder)).filter((key) => key.startsWith('["SQ"')),
      [],
      `${commit}: no statistics are due`,
    );
    return { died, commits, kept: true };
  }
  t.strictSame(await everything(at(second.url)), before, `${commit}: nothing of it is to be seen`);
  await second.close();
  t.strictSame(await keysIn(t, dataFolder), keysBefore, `${commit}: no key of it is left`);
  // Every other time: starting servers is most of what this takes.
  if (commit % 2 === 0) return { died, commits, kept: false };
  const third = await testServer(t, { dataFolder, config });
  t.equal((await send(at(third.url), scenario.body)).status, 200, `${commit}: sent again it is taken`);
  await checkWhole(t, at(third.url), scenario);
  await third.close();
  return { died, commits, kept: false };
}

// Dozens of servers are started and killed.
t.setTimeout(FAULTS_MS);

for (const [name, scenario] of Object.entries(scenarios)) {
  t.test(
    `${name} is kept whole or not at all, wherever the server is killed (${scenario.when}, ${seeded})`,
    async (t) => {
      const points = new KillPoints();
      const outcomes: boolean[] = [];
      const prepared = await prepare(t, scenario);
      await points.kill(async (commit) => {
        const { kept, ...outcome } = await round(t, scenario, prepared, commit);
        if (outcome.died) {
          outcomes.push(kept);
          // Commits reach the disk in order. Later ones may be there as well.
          const published = outcome.commits.slice(0, commit).some((kinds) => kinds.split(' ').includes('-U'));
          if (scenario.when === 'on disk' && published) t.ok(kept, `${commit}: what was published is kept`);
        } else t.ok(kept, 'nobody was killed: it is there');
        return outcome;
      });
      t.strictSame(points.missed, [], 'killed at every kind of commit');
      t.ok(outcomes.includes(false), `killed ${outcomes.length} times: some before it was published`);
      // The commit that publishes an upload is its last one.
      if (scenario.when === 'on disk') t.ok(outcomes.includes(true), 'and some after');
    },
  );
}
