import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import t, { type Test } from 'tap';
import { until } from '../helpers/cluster.js';
import { findObject, HAPROXY_FILE, readCompose, readImage, readManifest } from '../helpers/manifests.js';
import { blocksOf } from '../helpers/pages.js';
import { freePort } from '../helpers/ports.js';
import { TestPostgres } from '../helpers/postgres.js';
import { configWith, ROOT, temporaryFolder, testTransportEnv } from '../helpers/server.js';
import { CLUSTER_KEY } from '../helpers/suite-cluster.js';

const postgres = await TestPostgres.start(t);
await postgres.query('CREATE ROLE threadmill LOGIN');
const config = configWith(t, 'echo');
const image = readImage();
const MAIN = join(ROOT, 'dist/src/main.js');
const API_KEY = '1'.repeat(48);
const USER_ENV = {
  POSTGRES_PASSWORD: 'secret',
  THREADMILL_CLUSTER_KEY: CLUSTER_KEY,
  THREADMILL_API_KEYS: `ci=${API_KEY}`,
};

interface ContainerStart {
  args: readonly string[];
  env: Record<string, string>;
}

/** A node as a container, whose supervisor starts it again when it ends. */
class Container {
  readonly port: number;
  readonly url: string;
  readonly client: Client;
  readonly #start: () => ChildProcess;
  process: ChildProcess;
  readonly exits: (number | null)[] = [];
  #isRemoved = false;

  constructor(t: Test, port: number, { args, env }: ContainerStart) {
    const folder = temporaryFolder(t);
    const places: Record<string, string> = { '/app/langgraph.json': config, '/data': folder, '/data/node': folder };
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.client = new Client({ apiUrl: this.url, apiKey: API_KEY, callerOptions: { maxRetries: 0 } });
    this.#start = () => {
      const child = spawn(process.execPath, [MAIN, ...args.map((argument) => places[argument] ?? argument)], {
        env: { PATH: process.env['PATH'], ...image.env, ...testTransportEnv(), ...env, PORT: String(port) },
        stdio: 'ignore',
      });
      child.once('exit', (code) => {
        this.exits.push(code);
        if (!this.#isRemoved) this.process = this.#start();
      });
      return child;
    };
    this.process = this.#start();
    t.teardown(() => {
      this.#isRemoved = true;
      this.process.kill('SIGKILL');
    });
  }

  /** What the health checks of the manifests ask. */
  async isReady(): Promise<boolean> {
    return fetch(`${this.url}/ok`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }
}

/** The database in the manifests, at the address that the test's server has. */
async function createDatabase(name: string): Promise<(url: string) => string> {
  await postgres.query(`CREATE DATABASE ${name} OWNER threadmill`);
  return (url) => {
    const here = new URL(url);
    here.host = `127.0.0.1:${postgres.port}`;
    here.pathname = `/${name}`;
    return here.href;
  };
}

async function startThree(t: Test, start: (number: number) => Promise<ContainerStart>): Promise<Container[]> {
  const nodes: Container[] = [];
  for (const number of [1, 2, 3]) nodes.push(new Container(t, await freePort(), await start(number)));
  await Promise.all(nodes.map((node) => until(() => node.isReady())));
  return nodes;
}

/** One run through each node, and every run is seen by the others. */
async function useEach(t: Test, nodes: readonly { client: Client }[]): Promise<void> {
  const { thread_id: threadId } = await nodes[0]!.client.threads.create();
  for (const { client } of nodes) t.ok(await client.runs.wait(threadId, 'echo', { input: { text: 'x' } }));
  for (const { client } of nodes) t.equal((await client.runs.list(threadId)).length, nodes.length);
}

t.test('three nodes start as in the compose file, behind its load balancer', { timeout: 120_000 }, async (t) => {
  const { node } = readCompose(USER_ENV).services;
  const atHere = await createDatabase('compose');
  const environment = node.environment!;
  const nodes = await startThree(t, () =>
    Promise.resolve({
      args: image.args,
      env: { ...environment, THREADMILL_CLUSTER: atHere(environment['THREADMILL_CLUSTER']!) },
    }),
  );
  await useEach(t, nodes);

  const client = await startBalancer(t, nodes);
  await useEach(t, [{ client }, { client }]);
  const { thread_id: threadId } = await client.threads.create();
  const [first, ...others] = nodes;
  for (const one of [first!, ...others]) {
    one.process.kill('SIGTERM');
    for (let count = 0; count < 5; count += 1) t.ok(await client.threads.get(threadId));
    await until(() => one.exits.length === 1);
    await until(() => one.isReady());
  }
  t.strictSame(
    nodes.map(({ exits }) => exits),
    [[0], [0], [0]],
  );
  t.ok(await client.runs.wait(threadId, 'echo', { input: { text: 'x' } }));
});

/** HAProxy with the settings of the compose file, at the addresses of this machine. */
async function startBalancer(t: Test, nodes: readonly Container[]): Promise<Client> {
  const port = await freePort();
  const file = join(temporaryFolder(t), 'haproxy.cfg');
  const checked = spawnSync('haproxy', ['-c', '-f', join(ROOT, HAPROXY_FILE)], { encoding: 'utf8' });
  t.equal(checked.status, 0, checked.stderr ?? String(checked.error));
  writeFileSync(
    file,
    readManifest(HAPROXY_FILE)
      .replace('bind :8123', `bind 127.0.0.1:${port}`)
      .replace(
        /^ {2}server-template .*$/m,
        nodes.map((one) => `  server node-${one.port} 127.0.0.1:${one.port}`).join('\n'),
      ),
  );
  const child = spawn('haproxy', ['-f', file], { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await until(() => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended with code ${child.exitCode}`);
    return fetch(`${url}/ok`).then(
      ({ status }) => status === 200,
      () => false,
    );
  });
  // A node that ends closes its idle connections, which clients may be about to use.
  return new Client({ apiUrl: url, apiKey: API_KEY });
}

t.test('three nodes start as in the Kubernetes manifests', { timeout: 120_000 }, async (t) => {
  const [container] = findObject<Deployment>('Deployment', 'threadmill').spec!.template.spec!.containers;
  const atHere = await createDatabase('kubernetes');
  const values: Record<string, string> = {
    'cluster-key': CLUSTER_KEY,
    'api-keys': `ci=${API_KEY}`,
    'database-url': atHere('postgres://threadmill:secret@threadmill-postgres/threadmill'),
  };
  const nodes = await startThree(t, async (number) => {
    const nodePort = await freePort();
    const fields: Record<string, string> = { 'status.podIP': `127.0.0.${number}`, 'metadata.name': `pod-${number}` };
    const env: Record<string, string> = {};
    for (const { name, value, valueFrom } of container!.env!) {
      const found = value ?? fields[valueFrom!.fieldRef?.fieldPath ?? ''] ?? values[valueFrom!.secretKeyRef?.key ?? ''];
      // Kubernetes knows the variables that stand above. Nodes on one machine cannot share a port.
      env[name] = found!.replace(/\$\((\w+)\)/g, (_, other: string) => env[other]!).replace(':7000', `:${nodePort}`);
    }
    return { args: container!.args!, env };
  });
  await useEach(t, nodes);
  const { rows } = await postgres.query(
    'SELECT name, address FROM threadmill.node ORDER BY name',
    values['database-url'],
  );
  t.strictSame(
    rows.map(({ name }) => name as string),
    ['pod-1', 'pod-2', 'pod-3'],
  );
  t.match(rows.find(({ address }) => address !== null)!.address, /^127\.0\.0\.[123]:\d+$/);

  const [check] = blocksOf('docs/monitoring.md').filter(({ code }) => code.startsWith('threadmill cluster status'));
  const runCheck = (code: string): number | null =>
    spawnSync('bash', ['-c', `set -o pipefail\nthreadmill() { ${process.execPath} ${MAIN} "$@"; }\n${code}`], {
      env: { PATH: process.env['PATH'], THREADMILL_CLUSTER: values['database-url'] },
    }).status;
  t.equal(runCheck(check!.code), 0);
  t.equal(runCheck(check!.code.replace('>= 3', '>= 4')), 1);
});
