import { blocksOf, isConfiguration, PAGES, type Block } from './pages.js';

/** Blocks that are not run, or not compared, and why. `begins`: how the block does. */
export const LEFT_OUT: readonly { page: string; begins: string; why: string }[] = [
  {
    page: 'docs/versions.md',
    begins: 'graph  version',
    why: 'the hashes and times of one server; test/cli/versions.test.ts compares the columns',
  },
  { page: 'docs/ARCHITECTURE.md', begins: 'src/\n', why: 'a drawing of the folders' },
  { page: 'docs/sign-in.md', begins: 'THREADMILL_OIDC', why: 'needs a provider: test/access/sign-in.test.ts' },
  { page: 'docs/sign-in.md', begins: 'curl -s', why: 'needs a session: test/access/sign-in.test.ts' },
  {
    page: 'docs/commands.md',
    begins: 'threadmill init',
    why: 'test/cli/init.test.ts makes that project, serves it and runs its test',
  },
  {
    page: 'docs/cluster.md',
    begins: 'export THREADMILL_CLUSTER_KEY',
    why: 'needs a database: test/cluster/server.test.ts',
  },
  { page: 'docs/cluster.md', begins: 'threadmill cluster import', why: 'needs a database: test/cluster/move.test.ts' },
  { page: 'docs/cluster.md', begins: 'threadmill cluster export', why: 'needs a database: test/cluster/move.test.ts' },
  { page: 'docs/cluster.md', begins: 'threadmill cluster drain', why: 'needs a cluster: test/cluster/drain.test.ts' },
  { page: 'docs/cluster.md', begins: 'threadmill cluster refill', why: 'needs a cluster: test/cluster/refill.test.ts' },
  { page: 'docs/cluster.md', begins: 'GRANT CREATE ON', why: 'needs a database: test/cluster/server.test.ts' },
  { page: 'docs/cluster.md', begins: 'CREATE SCHEMA threadmill', why: 'needs a database: test/cluster/server.test.ts' },
  {
    page: 'docs/cluster.md',
    begins: 'export POSTGRES_PASSWORD',
    why: 'needs Docker: test/cluster/manifests.test.ts starts what the compose file does',
  },
  { page: 'docs/cluster.md', begins: 'FROM threadmill', why: 'needs Docker' },
  {
    page: 'docs/cluster.md',
    begins: 'cd packaging/cluster/kubernetes',
    why: 'needs Kubernetes: test/manifests.test.ts runs it with another kubectl',
  },
  { page: 'docs/cluster.md', begins: 'pg_dump', why: 'needs a database: test/cluster/recovery.test.ts' },
  {
    page: 'docs/cluster.md',
    begins: 'threadmill backup',
    why: 'test/cluster/recovery.test.ts does it with such a folder',
  },
  { page: 'docs/cluster.md', begins: 'archive_mode', why: 'needs a database: test/cluster/recovery.test.ts' },
  { page: 'docs/cluster.md', begins: 'restore_command', why: 'needs a database: test/cluster/recovery.test.ts' },
  {
    page: 'docs/monitoring.md',
    begins: 'threadmill cluster status',
    why: 'needs a cluster: test/cluster/manifests.test.ts runs it',
  },
  { page: 'docs/commands.md', begins: '$ PORT=9000', why: 'some lines of many: test/cli/config.test.ts' },
  {
    page: 'docs/commands.md',
    begins: 'threadmill backup',
    why: 'another address than that of a test: test/cli/backup.test.ts',
  },
  { page: 'docs/commands.md', begins: 'threadmill compare', why: 'needs two experiments: test/cli/compare.test.ts' },
  { page: 'docs/commands.md', begins: 'threadmill evaluate', why: 'needs a dataset: test/cli/evaluate.test.ts' },
  { page: 'docs/commands.md', begins: 'threadmill check', why: 'needs waiting threads: test/cli/check.test.ts' },
  { page: 'docs/commands.md', begins: 'threadmill replay', why: 'needs a recorded run: test/cli/replay.test.ts' },
  { page: 'docs/commands.md', begins: 'threadmill shadow', why: 'needs live runs: test/cli/shadow.test.ts' },
  { page: 'docs/replay.md', begins: '$ threadmill shadow', why: 'needs live runs: test/cli/shadow.test.ts' },
  { page: 'docs/replay.md', begins: '$ threadmill replay', why: 'needs a recorded run: test/cli/replay.test.ts' },
  { page: 'docs/commands.md', begins: 'threadmill deploy', why: 'needs recorded runs: test/cli/deploy.test.ts' },
  { page: 'docs/commands.md', begins: 'threadmill since', why: 'needs versions: test/cli/replay.test.ts' },
  { page: 'docs/replay.md', begins: '$ threadmill deploy', why: 'needs recorded runs: test/cli/deploy.test.ts' },
  { page: 'docs/replay.md', begins: '$ threadmill since', why: 'needs versions: test/cli/replay.test.ts' },
  { page: 'docs/replay.md', begins: '$ threadmill check', why: 'needs waiting threads: test/cli/check.test.ts' },
  {
    page: 'docs/commands.md',
    begins: '$ threadmill alerts list',
    why: 'needs a firing alert: test/cli/alerts.test.ts',
  },
  {
    page: 'docs/rules.md',
    begins: '{\n  "display_name": "Disliked answers"',
    why: 'test/traces/rules.test.ts makes such a rule',
  },
  {
    page: 'docs/alerts.md',
    begins: '{\n  "type": "alert.changed"',
    why: 'test/alerts/alerts.test.ts receives such a call',
  },
  { page: 'README.md', begins: 'threadmill evaluate', why: 'needs a dataset: test/cli/evaluate.test.ts' },
  { page: 'docs/experiments.md', begins: 'threadmill evaluate', why: 'needs a dataset: test/cli/evaluate.test.ts' },
  { page: 'docs/experiments.md', begins: 'export function', why: 'test/graphs/evaluators.ts has such functions' },
  {
    page: 'docs/experiments.md',
    begins: 'name: evaluate',
    why: 'needs GitHub: test/cli/evaluate.test.ts does the same',
  },
  {
    page: 'docs/experiments.md',
    begins: 'curl -s http://127.0.0.1:8123/experiments',
    why: 'needs a dataset: test/evaluation/server-experiments.test.ts',
  },
  {
    page: 'docs/commands.md',
    begins: '$ threadmill runs tail',
    why: 'does not end by itself: test/cli/runs-tail.test.ts',
  },
  {
    page: 'docs/commands.md',
    begins: '$ threadmill datasets add',
    why: 'needs runs that failed: test/cli/datasets.test.ts',
  },
  {
    page: 'docs/commands.md',
    begins: '$ threadmill bench',
    why: 'its figures are those of a machine: test/cli/bench.test.ts',
  },
  {
    page: 'docs/configuration.md',
    begins: 'PORT: must be',
    why: 'messages of starts that are refused: test/cli/settings.test.ts',
  },
  { page: 'docs/configuration.md', begins: '$ PORT=9000', why: 'some lines of many: test/cli/config.test.ts' },
  { page: 'docs/doctor.md', begins: '$ threadmill doctor', why: 'what it says of a machine: test/cli/doctor.test.ts' },
  {
    page: 'docs/doctor.md',
    begins: 'threadmill doctor --auth',
    why: 'needs a project with a handler: test/access/walk.test.ts runs it',
  },
  {
    page: 'docs/doctor.md',
    begins: 'route  ',
    why: 'what it says of a project with a fault, which test/access/walk.test.ts makes',
  },
  {
    page: 'docs/doctor.md',
    begins: 'threadmill doctor --store',
    why: 'test/cli/doctor-store.test.ts runs it, on damaged folders too',
  },
  {
    page: 'docs/doctor.md',
    begins: '1 × checksum',
    why: 'what it says of a damaged folder, which test/cli/doctor-store.test.ts makes',
  },
  { page: 'docs/encryption.md', begins: '(umask 077;', why: 'writes to /etc' },
  {
    page: 'docs/encryption.md',
    begins: 'threadmill serve --data /var/lib/threadmill --encryption-key-file',
    why: 'a key in /etc: test/store/encryption.test.ts serves with keys of all sources',
  },
  {
    page: 'docs/encryption.md',
    begins: 'threadmill encrypt',
    why: 'test/store/encryption.test.ts encrypts, changes the key and decrypts',
  },
  {
    page: 'docs/errors.md',
    begins: '{"__error__"',
    why: 'the answer of a run that lost its worker three times: test/faults/workers.test.ts',
  },
  {
    page: 'docs/errors.md',
    begins: 'id: 1',
    why: 'the last event of a run that failed: test/contracts/sdk-streams.test.ts',
  },
  {
    page: 'docs/errors.md',
    begins: 'event: error',
    why: 'a gap needs a run of more than 4 MiB: test/http/joins.test.ts',
  },
  {
    page: 'docs/export.md',
    begins: 'curl -f http://here',
    why: 'needs two servers: test/evaluation/export.test.ts takes an export to another',
  },
  {
    page: 'docs/traces.md',
    begins: 'threadmill traces export',
    why: 'needs two servers: test/traces/lines.test.ts takes an export to another',
  },
  {
    page: 'docs/traces.md',
    begins: 'curl -s http://127.0.0.1:8123/runs/series',
    why: 'needs the id of a project: test/traces/split-projects.test.ts',
  },
  {
    page: 'docs/traces.md',
    begins: "import { Client } from 'langsmith'",
    why: 'needs a server that records runs: test/traces/recorded.test.ts reads in this way',
  },
  { page: 'docs/front-ends.md', begins: 'threadmill dev', why: 'does not end; the page has no folder with graphs' },
  { page: 'docs/front-ends.md', begins: 'npx create-agent-chat-app', why: 'asks questions and downloads sources' },
  { page: 'docs/front-ends.md', begins: 'cat > .env', why: 'settings of a program that is not here' },
  { page: 'docs/front-ends.md', begins: 'git clone', why: 'downloads the sources of a front end' },
  { page: 'docs/front-ends.md', begins: 'npm install', why: 'downloads packages that the tests have already' },
  { page: 'docs/install.md', begins: 'npm install', why: 'test/packaging/npm.test.ts installs the package and serves' },
  {
    page: 'docs/install.md',
    begins: 'install -m',
    why: "writes outside of a test's folder: test/packaging/binary.test.ts copies the file to another place",
  },
  {
    page: 'docs/install.md',
    begins: 'docker build',
    why: 'needs Docker, which is not there: test/packaging/service.test.ts looks through the Dockerfile',
  },
  {
    page: 'docs/install.md',
    begins: 'THREADMILL_API_KEYS',
    why: 'needs Docker: test/packaging/service.test.ts reads the compose file',
  },
  { page: 'docs/install.md', begins: 'docker exec', why: 'needs Docker' },
  {
    page: 'docs/install.md',
    begins: 'apt install',
    why: 'needs a systemd: test/packaging/service.test.ts looks into the package',
  },
  {
    page: 'docs/install.md',
    begins: 'threadmill keys create',
    why: 'writes to /etc and asks systemd: test/cli/keys.test.ts makes keys',
  },
  { page: 'docs/install.md', begins: 'threadmill backup', why: 'test/cli/backup.test.ts' },
  { page: 'docs/network.md', begins: 'threadmill serve --tls-cert', why: 'test/http/tls.test.ts serves https' },
  {
    page: 'docs/network.md',
    begins: 'openssl req',
    why: 'test/http/tls.test.ts makes such a certificate, and has clients that trust it',
  },
  {
    page: 'docs/operations.md',
    begins: '{"level":30',
    why: 'a line of the log, not the answer of the command above it: test/http/log.test.ts',
  },
  {
    page: 'docs/state.md',
    begins: '{\n  "metadata": { "graph_id"',
    why: 'the body of a request, and not the answer of the one above it',
  },
  {
    page: 'docs/streaming.md',
    begins: 'event: feedback',
    why: 'test/contracts/feedback-addresses.test.ts; its token is another one every time',
  },
  {
    page: 'docs/webhooks.md',
    begins: 'curl -s http://127.0.0.1:8123/runs ',
    why: 'would call out; test/webhooks has receivers of its own',
  },
  {
    page: 'docs/webhooks.md',
    begins: '{\n  "run_id"',
    why: 'what became of a delivery, and not the answer of the code above it: test/webhooks',
  },
  {
    page: 'examples/auth-jwt/README.md',
    begins: 'const keys',
    why: 'needs an identity provider; two lines of the documents of jose',
  },
];

/** Pages whose commands another test runs, in a way of its own. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'examples/auth-jwt/README.md': 'access/examples',
  'examples/auth-tokens/README.md': 'access/examples',
};

const key = ({ page, code }: Block): string => `${page}\n${code}`;
const LEFT = new Set(
  PAGES.flatMap((page) =>
    blocksOf(page).filter(({ code }) => LEFT_OUT.some((one) => one.page === page && code.startsWith(one.begins))),
  ).map(key),
);

/** A block to run, and what the page shows right below it as its answer. */
export interface Step {
  script: Block;
  answer: Block | null;
}

/** What of a page is run, in order. */
export function stepsOf(page: string): Step[] {
  if (Object.hasOwn(ELSEWHERE, page)) return [];
  const all = blocksOf(page);
  return all.flatMap((script, at) => {
    if ((script.language !== 'sh' && script.language !== 'js') || LEFT.has(key(script))) return [];
    const next = all[at + 1];
    const isAnswer =
      next !== undefined &&
      (next.language === 'json' || next.language === 'text') &&
      !LEFT.has(key(next)) &&
      !isConfiguration(next);
    return [{ script, answer: isAnswer ? next : null }];
  });
}

const RUN = PAGES.filter((page) => stepsOf(page).length > 0);

/** Pages that make keys, start servers or stop them: each has a server of its own. */
export const OWN = RUN.filter((page) =>
  stepsOf(page).some(({ script }) =>
    /^(?:[A-Z_]+=\S+ )*(?:make run|threadmill (?:serve|dev|keys|compact|restore|doctor))|\(threadmill keys/m.test(
      script.code,
    ),
  ),
);
/** All others that have something to run. */
export const SHARED = RUN.filter((page) => !OWN.includes(page));
