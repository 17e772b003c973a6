import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import t from 'tap';
import { TestPostgres } from './helpers/postgres.js';

/**
 * Runs test files, several processes at once. Without an argument: the files of `make test`; `verify`: those of `make
 * verify`; `three-nodes`: those of THREE_NODES; otherwise every file whose path begins with one of the arguments.
 *
 * Each process runs several files of one folder (group.ts). Given the files themselves, tap would put module loaders
 * for coverage and mocks, which we do not use, into each process. Every thread and every child of a test would then
 * load its modules through them, and a server would take three times as long to start. `env` removes what tap adds to
 * NODE_OPTIONS.
 */

const TESTS = relative('', import.meta.dirname);

/**
 * Files and folders of `make verify`: long, or a repetition of other tests under harder conditions. Of the console,
 * `make test` opens the pages that people use most; a page in the browser costs more than the API that it shows.
 */
const VERIFY = [
  'access/matrix',
  'access/walk-handlers',
  'access/walk-leaks',
  'bench/',
  'cli/backup',
  'cli/serve-stuck',
  'cli/replay-undici',
  'cli/shadow',
  'cluster/',
  'console/alerts',
  'console/assistants',
  'console/attachments',
  'console/compare',
  'console/copy-as',
  'console/credential-dialog',
  'console/cross-origin',
  'console/crons',
  'console/datasets',
  'console/edit-dataset',
  'console/nodes',
  'console/palette',
  'console/queues-shares',
  'console/report',
  'console/rules',
  'console/run-experiment',
  'console/run-form',
  'console/run-questions',
  'console/run-restart',
  'console/store',
  'console/trace-compare',
  'contracts/sdk-1.9',
  'crons/kill',
  'docs-blocks',
  'docs-servers',
  'evaluation/bad-uploads',
  'evaluation/export-streams',
  'evaluation/server-experiments',
  'evaluation/upload-races',
  'evaluation/verdicts-long',
  'faults/',
  'fuzz/',
  'http/large-bodies',
  'http/own-server',
  'packaging/',
  'python/',
  'simulation/',
  'store/encrypted-server',
  'store/encryption',
];

/** Files that `make verify` also runs with the other supported versions of Node: the programs in `OTHER_NODES`. */
const OTHER_NODES = [
  'cli/replay',
  'cli/replay-undici',
  'cli/serve',
  'contracts/langsmith-evaluate',
  'contracts/sdk-runs',
  'evaluation/upload-deletes',
  'http/server-routes',
  'http/transports',
  'python/langsmith',
  'store/store',
  'traces/recordings',
];

/** Files that `make verify` also runs over node:http, where uWebSockets.js has a binary. */
const OTHER_TRANSPORT = ['app/', 'contracts/', 'http/'];

/**
 * Suites of a single server whose servers can also consist of three nodes of a cluster, each request sent to a node
 * drawn at random (helpers/suite-cluster.ts).
 */
const THREE_NODES = [
  'access/',
  'alerts/',
  'app/',
  'contracts/',
  'crons/',
  'evaluation/',
  'traces/recorded',
  'traces/recordings',
  'webhooks/',
];

/** Those that `make verify` runs so: each part of both APIs, and what depends most on where a request arrives. */
const THREE_NODES_VERIFY = [
  ...['access/keys', 'access/matrix', 'app/custom-routes', 'webhooks/deliveries'],
  ...['contracts/a2a', 'contracts/langsmith-evaluate', 'contracts/langsmith-runs', 'contracts/mcp'],
  ...['contracts/protocol-socket', 'contracts/sdk-crons', 'contracts/sdk-protocol', 'contracts/sdk-runs'],
  ...['contracts/sdk-store', 'contracts/sdk-streams', 'contracts/sdk-threads', 'evaluation/export', 'traces/recorded'],
  ...['access/sign-in', 'evaluation/server-experiments'],
];

/** Files of THREE_NODES that only make sense with one process, each with the reason. */
const ONE_NODE: Record<string, string> = {
  'access/feedback-seal-key': 'changes the sealing key, which a cluster derives from its own key',
  'crons/callers': 'changes the sealing key, which a cluster derives from its own key',
  'crons/kill': 'kills the process after commits of its own database',
  'evaluation/upload': 'prepares the data folder of a server before its start',
};

/** Files that need a process of their own, each with the reason. */
const ALONE: Record<string, string> = {
  'access/examples': 'sets environment variables that servers read when they start',
};

/** More files in one process save less than they cost: at the end one process waits for the other. */
const GROUP_FILES_MAX = 12;

/**
 * Folders in the order in which they start, those that take longest per process first. Otherwise the others would end
 * while a long one has just begun.
 */
const LONGEST_FIRST = [
  ...['console/', 'cli/', 'access/', 'http/', 'store/', 'contracts/'],
  ...['evaluation/', 'traces/', 'schemas/', 'app/', 'webhooks/', 'checkpointer/', 'crons/'],
];

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

/** Files of one folder go together. Each file of `make verify` is long and has its own process. */
function groupsOf(files: readonly string[]): string[][] {
  const groups: string[][] = [];
  let last: string[] = [];
  for (const file of files) {
    const alone = belongsTo(VERIFY, file) || nameOf(file) in ALONE;
    if (alone || last.length === 0 || last.length === GROUP_FILES_MAX || dirname(last[0]!) !== dirname(file)) {
      const group = [file];
      groups.push(group);
      if (!alone) last = group;
    } else last.push(file);
  }
  return groups;
}

/** Position of the group's folder in LONGEST_FIRST. */
function startOrder([first]: readonly string[]): number {
  const position = LONGEST_FIRST.findIndex((folder) => nameOf(first!).startsWith(folder));
  return position === -1 ? LONGEST_FIRST.length : position;
}

/** `env`: variables of the process. `suffix` tells its name from that of the same files under other conditions. */
function run(
  node: string,
  files: readonly string[],
  { env = [], suffix = '' }: { env?: readonly string[]; suffix?: string } = {},
): void {
  const spawned = t.spawn(
    'env',
    ['-u', 'NODE_OPTIONS', ...env, node, join(TESTS, 'group.js'), ...files],
    // Each file has its own time limit in its process. This one is for a process that no longer answers.
    { buffered: true, timeout: fileMs * files.length },
    `${files[0]}${files.length === 1 ? '' : ` and ${files.length - 1} more`}${suffix}`,
  );
  const { subtest } = spawned;
  let lastFile = files[0]!;
  subtest?.parser.on('child', (child) => {
    lastFile = child.name;
  });
  // tap counts no failure for a process that is killed in the middle of a test.
  void spawned.then(() => {
    const signal = subtest?.options.signal;
    if (typeof signal === 'string') t.fail(`${lastFile}: its process ended with ${signal}`);
  });
}

/** Runs files so that their servers consist of three nodes. */
async function runWithThreeNodes(files: readonly string[]): Promise<void> {
  const { port } = await TestPostgres.start(t, ['max_connections=300']);
  const env = [`THREADMILL_TEST_CLUSTER=postgres://postgres@127.0.0.1:${port}/postgres`];
  for (const file of files) run(process.execPath, [file], { suffix: ' with three nodes', env });
}

const sharedTypes = mkdtempSync(join(tmpdir(), 'threadmill-test-types-'));
process.env['THREADMILL_TEST_TYPES'] = sharedTypes;
t.teardown(() => rmSync(sharedTypes, { recursive: true, force: true }));

t.jobs = verify || threeNodes ? VERIFY_PROCESSES : PROCESSES;
// There is no limit for all of them together.
t.setTimeout(0);
for (const one of [
  ...VERIFY,
  ...LONGEST_FIRST,
  ...OTHER_NODES,
  ...OTHER_TRANSPORT,
  ...THREE_NODES,
  ...THREE_NODES_VERIFY,
  ...Object.keys(ONE_NODE),
  ...Object.keys(ALONE),
])
  if (!all.some((file) => belongsTo([one], file))) t.fail(`test/all.ts names ${one}, which does not exist`);
if (chosen.length === 0 && !threeNodes) t.fail(`no test file begins with ${named.join(', ')}`);
for (const files of groupsOf(chosen).sort((a, b) => startOrder(a) - startOrder(b))) run(process.execPath, files);
if (verify) {
  for (const node of (process.env['OTHER_NODES'] ?? '').split(' ').filter((one) => one !== ''))
    for (const file of all.filter((one) => belongsTo(OTHER_NODES, one))) run(node, [file], { suffix: ` with ${node}` });
  for (const files of groupsOf(all.filter((one) => belongsTo(OTHER_TRANSPORT, one))))
    run(process.execPath, files, { suffix: ' over node:http', env: ['THREADMILL_TRANSPORT=node'] });
}
if (verify || threeNodes) await runWithThreeNodes(withThreeNodes);
