import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import t from 'tap';
import { TestPostgres } from './helpers/postgres.js';

/**
 * Runs test files, several processes at once. Without an argument: the files of `make test`; `verify`: those of `make
 * verify`; `three-nodes`: those of THREE_NODES; otherwise every file whose path begins with one of the arguments.
 *
 * A few processes run all files: each takes the next one when it has finished another (group.ts). Given the files
 * themselves, tap would put module loaders for coverage and mocks, which we do not use, into each process. Every thread
 * and every child of a test would then load its modules through them, and a server would take three times as long to
 * start. `env` removes what tap adds to NODE_OPTIONS.
 */

const TESTS = relative('', import.meta.dirname);

/** Files and folders of `make verify`: long, or a repetition of other tests under harder conditions. */
const VERIFY = [
  'access/walk-handlers',
  'access/walk-leaks',
  'bench/',
  'cli/serve-stuck',
  'cluster/',
  'console/run-restart',
  'crons/kill',
  'docs-blocks',
  'docs-servers',
  'evaluation/export-streams',
  'evaluation/verdicts-long',
  'faults/',
  'fuzz/',
  'packaging/',
  'python/',
  'simulation/',
  'store/encrypted-server',
];

/** Files that `make verify` also runs with the other supported versions of Node: the programs in `OTHER_NODES`. */
const OTHER_NODES = [
  'cli/serve',
  'contracts/langsmith-evaluate',
  'contracts/sdk-runs',
  'evaluation/upload-deletes',
  'http/server-routes',
  'http/transports',
  'python/langsmith',
  'store/store',
];

/** Files that `make verify` also runs over node:http, where uWebSockets.js has a binary. */
const OTHER_TRANSPORT = ['app/', 'contracts/', 'http/'];

/**
 * Suites of a single server whose servers can also consist of three nodes of a cluster, each request sent to a node
 * drawn at random (helpers/suite-cluster.ts).
 */
const THREE_NODES = ['access/', 'app/', 'contracts/', 'crons/', 'evaluation/', 'webhooks/'];

/** Those that `make verify` runs so: each part of both APIs, and what depends most on where a request arrives. */
const THREE_NODES_VERIFY = [
  ...['access/keys', 'access/matrix', 'app/custom-routes', 'webhooks/deliveries'],
  ...['contracts/a2a', 'contracts/langsmith-evaluate', 'contracts/langsmith-runs', 'contracts/mcp'],
  ...['contracts/protocol-socket', 'contracts/sdk-crons', 'contracts/sdk-protocol', 'contracts/sdk-runs'],
  ...['contracts/sdk-store', 'contracts/sdk-streams', 'contracts/sdk-threads', 'evaluation/export'],
];

/** Files of THREE_NODES that only make sense with one process, each with the reason. */
const ONE_NODE: Record<string, string> = {
  'access/feedback-seal-key': 'changes the sealing key, which a cluster derives from its own key',
  'crons/callers': 'changes the sealing key, which a cluster derives from its own key',
  'crons/kill': 'kills the process after commits of its own database',
  'evaluation/upload': 'prepares the data folder of a server before its start',
};

/** Files that take longest. They start first, so that no process still runs when the others have ended. */
const LONGEST_FIRST = [
  ...['access/matrix', 'cli/serve', 'http/own-server', 'cli/backup', 'store/encryption', 'access/attacks'],
  ...['access/existence', 'http/assistants', 'http/large-bodies', 'app/custom-routes', 'schemas/', 'cli/greeting'],
  ...['http/cross-origin', 'cli/doctor', 'http/log', 'http/state', 'store/undo', 'store/saved', 'access/options'],
  ...['access/handlers', 'http/cors', 'http/api-options', 'evaluation/bad-uploads', 'contracts/protocol-socket'],
];
/** The files of this folder share a browser in each process, so that few processes should run them. */
const BROWSER_FOLDER = 'console/';
const BROWSER_PROCESSES = 2;

/** Files of one process. It loads tap, the SDK and the server, 1 s of CPU, and grows by 15 MB with each file. */
const PROCESS_FILES_MIN = 6;
const PROCESS_FILES_MAX = 25;
/** On two cores, the third and fourth process of `make test` use the time in which others wait. */
const PROCESSES = 4;
/** Tests of `make verify` measure time, or use the whole machine. */
const VERIFY_PROCESSES = 2;

const fileMs = Number(process.env['TAP_TIMEOUT'] ?? 300) * 1_000;
const named = process.argv.slice(2);

/** Path without folder and ending: `http/log` for `dist/test/http/log.test.js`. */
const nameOf = (file: string): string => relative(TESTS, file).replace(/\.test\.js$/, '');
const belongsTo = (list: readonly string[], file: string): boolean =>
  list.some((one) => (one.endsWith('/') ? nameOf(file).startsWith(one) : nameOf(file) === one));

/** Named by their sources: `dist` may still contain files whose source is gone. */
const all = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join(TESTS, file.replace(/ts$/, 'js')))
  .sort();
const verify = named.length === 1 && named[0] === 'verify';
const threeNodes = named.length === 1 && named[0] === 'three-nodes';
const chosen = all.filter((file) =>
  named.length === 0 || verify
    ? belongsTo(VERIFY, file) === verify
    : named.some((one) => file.startsWith(relative('', one))),
);
const withThreeNodes = all.filter(
  (file) =>
    belongsTo(verify ? THREE_NODES_VERIFY : THREE_NODES, file) &&
    !(nameOf(file) in ONE_NODE) &&
    /(testServer|openConfigured)\(/.test(readFileSync(join('test', `${nameOf(file)}.test.ts`), 'utf8')),
);

/** Position in LONGEST_FIRST. */
function startOrder(file: string): number {
  const position = LONGEST_FIRST.findIndex((one) => belongsTo([one], file));
  return position === -1 ? LONGEST_FIRST.length : position;
}

interface Conditions {
  /** Variables of the process. */
  env?: readonly string[];
  /** Tells the files apart from the same ones under other conditions. */
  suffix?: string;
}

/** Starts a process that runs these files, and prints the result and the time of each. */
function spawnGroup(
  name: string,
  [node, ...args]: readonly [string, ...string[]],
  files: readonly string[],
  { env = [], suffix = '' }: Conditions,
): void {
  const spawned = t.spawn(
    'env',
    ['-u', 'NODE_OPTIONS', ...env, node, join(TESTS, 'group.js'), ...args, ...files],
    { buffered: true, timeout: 2 * fileMs },
    `${name}${suffix}`,
  );
  const { subtest } = spawned;
  let lastFile = name;
  subtest?.parser.on('child', (child) => {
    lastFile = child.name;
    // Each file has its own time limit in its process. This one is for a process that no longer answers.
    subtest.setTimeout(2 * fileMs);
    const startMs = performance.now();
    child.on('complete', ({ ok, failures }: { ok: boolean; failures: { name: string }[] }) => {
      const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
      const failed = failures.map((one) => `\n  ${one.name}`).join('');
      process.stderr.write(`${ok ? 'ok' : 'NOT OK'} ${child.name}${suffix} ${seconds} s${failed}\n`);
    });
  });
  // tap counts no failure for a process that is killed in the middle of a test.
  void spawned.then(() => {
    const signal = subtest?.options.signal;
    if (typeof signal === 'string') t.fail(`${lastFile}: its process ended with ${signal}`);
  });
}

/** Runs the file in a process of its own. */
function runAlone(file: string, conditions: Conditions & { node?: string } = {}): void {
  spawnGroup(file, [conditions.node ?? process.execPath], [file], conditions);
}

/** Runs the files in a few processes, which share them out among themselves. */
function runShared(files: readonly string[], conditions: Conditions = {}): void {
  if (files.length === 0) return;
  const claims = mkdtempSync(join(tmpdir(), 'threadmill-claims-'));
  t.teardown(() => rmSync(claims, { recursive: true }));
  const count = Math.max(
    Math.min(t.jobs, Math.ceil(files.length / PROCESS_FILES_MIN)),
    Math.ceil(files.length / PROCESS_FILES_MAX),
  );
  const sorted = [...files].sort((a, b) => startOrder(a) - startOrder(b));
  const isOfBrowser = (file: string): boolean => nameOf(file).startsWith(BROWSER_FOLDER);
  for (let at = 1; at <= count; at += 1) {
    const sign = at <= BROWSER_PROCESSES ? -1 : 1;
    const order = sorted.toSorted((a, b) => sign * (Number(isOfBrowser(a)) - Number(isOfBrowser(b))));
    const args = [`--claims=${claims}`, `--max=${PROCESS_FILES_MAX}`];
    spawnGroup(count === 1 ? files[0]! : `process ${at}`, [process.execPath, ...args], order, conditions);
  }
}

/** Runs files so that their servers consist of three nodes. */
async function runWithThreeNodes(files: readonly string[]): Promise<void> {
  const { port } = await TestPostgres.start(t, ['max_connections=300']);
  const env = [`THREADMILL_TEST_CLUSTER=postgres://postgres@127.0.0.1:${port}/postgres`];
  for (const file of files) runAlone(file, { suffix: ' with three nodes', env });
}

t.jobs = verify || threeNodes ? VERIFY_PROCESSES : PROCESSES;
// There is no limit for all of them together.
t.setTimeout(0);
for (const one of [
  ...VERIFY,
  ...LONGEST_FIRST,
  BROWSER_FOLDER,
  ...OTHER_NODES,
  ...OTHER_TRANSPORT,
  ...THREE_NODES,
  ...THREE_NODES_VERIFY,
  ...Object.keys(ONE_NODE),
])
  if (!all.some((file) => belongsTo([one], file))) t.fail(`test/all.ts names ${one}, which does not exist`);
if (chosen.length === 0 && !threeNodes) t.fail(`no test file begins with ${named.join(', ')}`);
// Files of `make verify` are long, and some of them end what is left of their process.
runShared(chosen.filter((file) => !belongsTo(VERIFY, file)));
for (const file of chosen.filter((one) => belongsTo(VERIFY, one))) runAlone(file);
if (verify) {
  for (const node of (process.env['OTHER_NODES'] ?? '').split(' ').filter((one) => one !== ''))
    for (const file of all.filter((one) => belongsTo(OTHER_NODES, one)))
      runAlone(file, { node, suffix: ` with ${node}` });
  runShared(
    all.filter((one) => belongsTo(OTHER_TRANSPORT, one)),
    { suffix: ' over node:http', env: ['THREADMILL_TRANSPORT=node'] },
  );
}
if (verify || threeNodes) await runWithThreeNodes(withThreeNodes);
