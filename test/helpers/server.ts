import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import type { Clock } from '../../src/base/clock.js';
import { LIMITS } from '../../src/base/limits.js';
import { setV8Flags } from '../../src/base/v8-flags.js';
import { readConfig, type Config, type Flags } from '../../src/config/config.js';
import { holdEsbuild } from '../../src/pool/graphs/bundle.js';
import { openServer, type Server } from '../../src/server/server.js';
import { shareTypes, takeSharedTypes } from './shared-types.js';
import { clusterEnv, clusterFlags, openOtherNodes, shareKeys } from './suite-cluster.js';

/** Folder of the repository, from dist/test/helpers. */
export const ROOT = join(import.meta.dirname, '..', '..', '..');
export const TEST_GRAPHS = join(ROOT, 'test', 'graphs', 'langgraph.json');
export const EXAMPLES = join(ROOT, 'examples', 'langgraph.json');

// As `threadmill` does: V8 would refuse the code cache of LangGraph otherwise.
setV8Flags();

// Warming the intake thread up takes 3 s of CPU, more than most tests. It happens after the start of a server, and when
// the thread is replaced, 4 s after the first upload. Tests of either lower the limit. Servers in processes of their
// own still do both.
Object.assign(LIMITS, { intakeStartDelayMs: 3_600_000, intakeIdleMs: 3_600_000 });

// Each server bundles its graphs. One process of esbuild for all of them saves 90 ms of CPU a server.
holdEsbuild();

/**
 * Variables for a server whose schemas do not matter. Reading those of a graph from its TypeScript takes 4 s of CPU;
 * with this, schemas that only types contain are missing.
 */
export const WITHOUT_TYPES = { LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS: '1' };

export interface TestServer extends Server {
  client: Client;
  /** Of each node; one without a cluster. `url` is one of them, drawn each time. */
  urls: readonly string[];
  dataFolder: string;
  get(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
}

/** What of a tap test the helper needs: cleaning up after it. */
interface Test {
  teardown(callback: () => unknown): void;
}

export interface ServerOptions {
  config?: string;
  dataFolder?: string;
  workers?: number;
  env?: Record<string, string>;
  flags?: Flags;
  clock?: Clock;
}

export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-test-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A configuration with some of the test graphs alone: a server of few graphs starts sooner, and some tests start
 * dozens.
 */
export function configWith(t: Test, ...graphIds: string[]): string {
  const { graphs } = JSON.parse(readFileSync(TEST_GRAPHS, 'utf8')) as { graphs: Record<string, string> };
  const file = join(temporaryFolder(t), 'langgraph.json');
  writeFileSync(
    file,
    JSON.stringify({
      graphs: Object.fromEntries(graphIds.map((graphId) => [graphId, join(dirname(TEST_GRAPHS), graphs[graphId]!)])),
    }),
  );
  return file;
}

/**
 * With THREADMILL_TEST_ENCRYPTION_KEY every server of a test has an encrypted folder:
 * test/store/encrypted-server.test.ts runs whole files so.
 */
function encryption(): Record<string, string> {
  const key = process.env['THREADMILL_TEST_ENCRYPTION_KEY'] ?? '';
  return key === '' ? {} : { THREADMILL_ENCRYPTION_KEY: key };
}

/** Servers of tests use the transport that THREADMILL_TRANSPORT names. */
export function testTransportEnv(): Record<string, string> {
  const name = process.env['THREADMILL_TRANSPORT'];
  return name === undefined ? {} : { THREADMILL_TRANSPORT: name };
}

/**
 * A server with a configuration of the test's own, closed when the test ends. Where servers consist of several nodes,
 * the address is that of a node that passes requests on.
 */
export async function openConfigured(t: Test, config: Config): Promise<string> {
  const { cluster } = readConfig(
    { config: TEST_GRAPHS, ...(await clusterFlags(config.dataFolder)) },
    { LOG_LEVEL: 'fatal', ...clusterEnv() },
  );
  const shared = { ...config, cluster };
  await shareKeys(shared);
  const server = await openServer(shared);
  t.teardown(() => server.close(0));
  const [other] = await openOtherNodes(t, shared);
  return other?.url ?? server.url;
}

/** The value, in which the addresses of the server are left out: a node of a cluster answers with its own. */
export function withoutAddress<T>({ urls }: TestServer, value: T): T {
  let text = JSON.stringify(value);
  for (const url of urls) text = text.replaceAll(url, '');
  return JSON.parse(text) as T;
}

/** A real server in this process, on a free port, with a store of its own; closed when the test ends. */
export async function testServer(t: Test, options: ServerOptions = {}): Promise<TestServer> {
  const dataFolder = options.dataFolder ?? temporaryFolder(t);
  if (options.dataFolder === undefined) takeSharedTypes(dataFolder);
  const config = readConfig(
    {
      config: options.config ?? TEST_GRAPHS,
      port: '0',
      data: dataFolder,
      workers: String(options.workers ?? 1),
      ...(await clusterFlags(dataFolder)),
      ...options.flags,
    },
    { LOG_LEVEL: 'fatal', ...testTransportEnv(), ...encryption(), ...clusterEnv(), ...options.env },
  );
  await shareKeys(config);
  const server = await openServer(config, options.clock === undefined ? {} : { clock: options.clock });
  const others = await openOtherNodes(t, config);
  const urls = [server.url, ...others.map(({ url }) => url)];
  const anyUrl = (): string => urls[Math.floor(Math.random() * urls.length)]!;
  let closed: Promise<void> | null = null;
  const close = async (graceMs = 0): Promise<void> => {
    await Promise.all(others.map((node) => node.close()));
    await server.close(graceMs);
    if (options.dataFolder === undefined) shareTypes(dataFolder);
  };
  const closeOnce = (graceMs = 0): Promise<void> => (closed ??= close(graceMs));
  t.teardown(() => closeOnce());
  const request =
    (method: string) =>
    (path: string, body?: unknown, init: RequestInit = {}): Promise<Response> =>
      fetch(`${anyUrl()}${path}`, {
        method,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...init,
        headers: {
          ...(body === undefined && typeof init.body !== 'string' ? {} : { 'content-type': 'application/json' }),
          ...Object.fromEntries(new Headers(init.headers)),
        },
      });
  return {
    ...server,
    get url() {
      return anyUrl();
    },
    urls,
    close: closeOnce,
    dataFolder,
    client: new Client({
      apiUrl: server.url,
      apiKey: null,
      callerOptions: {
        maxRetries: 0,
        ...(others.length === 0
          ? {}
          : { fetch: (url: string, init: RequestInit) => fetch(url.replace(server.url, anyUrl()), init) }),
      },
    }),
    get: (path, init) => request('GET')(path, undefined, init),
    post: (path, body, init) => request('POST')(path, body, init),
  };
}
