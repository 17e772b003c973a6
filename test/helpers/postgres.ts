import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type QueryResult } from 'pg';
import type { TestHost } from './network.js';
import { freePort } from './ports.js';

interface Test {
  teardown(callback: () => unknown): void;
}

/** A PostgreSQL server of the tests, on a free port of this machine or on a host of a test network. */
export class TestPostgres {
  readonly port: number;
  readonly #folder: string;
  readonly #settings: readonly string[];
  readonly #host: TestHost | null;
  #process: ChildProcess | null = null;

  private constructor(folder: string, port: number, settings: readonly string[], host: TestHost | null = null) {
    this.#folder = folder;
    this.port = port;
    this.#settings = settings;
    this.#host = host;
  }

  /** Starts one, which ends with the test. `settings`: lines for postgresql.conf, such as `max_connections=20`. */
  static start(t: Test, settings: readonly string[] = []): Promise<TestPostgres> {
    return TestPostgres.startInNew(t, postgresFolder(t), settings);
  }

  /** The same in an empty folder. */
  static async startInNew(t: Test, folder: string, settings: readonly string[] = []): Promise<TestPostgres> {
    initialize(folder);
    return TestPostgres.startIn(t, folder, settings);
  }

  /** The same on a host of a test network, whose other hosts may connect to it. `folder` is empty. */
  static async startOn(t: Test, host: TestHost, settings: readonly string[] = [], folder = postgresFolder(t)) {
    initialize(folder);
    appendFileSync(join(folder, 'data', 'pg_hba.conf'), 'host all,replication all 0.0.0.0/0 trust\n');
    const server = new TestPostgres(folder, HOST_PORT, settings, host);
    t.teardown(() => server.stop('SIGQUIT'));
    await server.start();
    return server;
  }

  /** A standby of a server, on a host of its test network if it has one. Resolves when it takes connections. */
  static async startStandby(t: Test, host: TestHost | null, primary: TestPostgres): Promise<TestPostgres> {
    const folder = postgresFolder(t);
    const source = ['-h', primary.address, '-p', String(primary.port), '-U', 'postgres'];
    runPostgresProgram('pg_basebackup', [
      ...source,
      '-D',
      join(folder, 'data'),
      '-R',
      '--checkpoint=fast',
      '--no-sync',
    ]);
    const server = new TestPostgres(folder, host === null ? await freePort() : HOST_PORT, primary.#settings, host);
    t.teardown(() => server.stop('SIGQUIT'));
    await server.start();
    return server;
  }

  /** The same over the existing data in `data` of a folder. */
  static async startIn(t: Test, folder: string, settings: readonly string[] = []): Promise<TestPostgres> {
    const server = new TestPostgres(folder, await freePort(), settings);
    t.teardown(() => server.stop('SIGQUIT'));
    await server.start();
    return server;
  }

  get address(): string {
    return this.#host?.address ?? '127.0.0.1';
  }

  /** The address of a new database. */
  async createDatabase(): Promise<string> {
    const name = `d${randomUUID().replaceAll('-', '')}`;
    await this.query(`CREATE DATABASE ${name}`);
    return `postgres://postgres@${this.address}:${this.port}/${name}`;
  }

  /** Runs a statement as the superuser, in a database or outside of those of the tests. */
  async query(text: string, url = `postgres://postgres@${this.address}:${this.port}/postgres`): Promise<QueryResult> {
    const client = new Client(url);
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }

  /** From now on, commits wait for a standby. Resolves when there is one. */
  async requireStandby(): Promise<void> {
    await this.#setStandbyNames('*');
    while ((await this.query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).rows.length === 0)
      await sleep(50);
  }

  /** From now on, commits wait for no standby. */
  async requireNoStandby(): Promise<void> {
    await this.#setStandbyNames('');
  }

  async #setStandbyNames(names: string): Promise<void> {
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await this.query('SELECT pg_reload_conf()');
  }

  async start(): Promise<void> {
    const settings = [
      `port=${this.port}`,
      `listen_addresses=${this.#host === null ? '127.0.0.1' : '*'}`,
      `unix_socket_directories=${this.#folder}`,
      'fsync=off',
      'shared_buffers=32MB',
      ...this.#settings,
    ];
    const [name, ...args] = [
      ...(this.#host === null ? [] : [...this.#host.prefix, ...unprivilegedPrefix()]),
      program('postgres'),
      ...['-D', join(this.#folder, 'data')],
      ...settings.flatMap((setting) => ['-c', setting]),
    ];
    this.#process = spawn(name!, args, {
      ...(this.#host === null ? unprivilegedUser() : null),
      cwd: this.#folder,
      stdio: 'ignore',
    });
    for (;;) {
      try {
        await this.query('SELECT 1');
        return;
      } catch (error) {
        if (this.#process.exitCode !== null) throw error;
        await sleep(50);
      }
    }
  }

  get isRunning(): boolean {
    return this.#process !== null && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Of all its processes. */
  get processIds(): number[] {
    const pid = this.#process?.pid;
    if (pid === undefined) return [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return [
      pid,
      ...children
        .split(' ')
        .filter((one) => one !== '')
        .map(Number),
    ];
  }

  /** SIGTERM waits for the clients, SIGINT ends them, SIGQUIT does not even write a checkpoint. */
  async stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}

/** The port of servers on hosts of a test network. */
const HOST_PORT = 5432;

function initialize(folder: string): void {
  runPostgresProgram('initdb', ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-N']);
}

/** A command that drops the rights of root before it runs another one. */
function unprivilegedPrefix(): string[] {
  const user = unprivilegedUser();
  return user === null ? [] : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
}

/** A folder that PostgreSQL may write to. It is removed with the test. */
export function postgresFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'threadmill-postgres-'));
  const user = unprivilegedUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program of PostgreSQL to its end. Throws when it fails. */
export function runPostgresProgram(name: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program(name), args, { ...unprivilegedUser(), cwd: tmpdir(), encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
}

/** Path of a program of the newest PostgreSQL. Debian does not put them into the path. */
function program(name: string): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((one, other) => Number(one) - Number(other)) : [];
  const version = versions.findLast((one) => existsSync(join(root, one, 'bin', name)));
  return version === undefined ? name : join(root, version, 'bin', name);
}

/** PostgreSQL refuses to run as root. Null when this process does not either. */
function unprivilegedUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((one) => one.startsWith(`${name}:`));
    const [, , uid, gid] = line?.split(':') ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL needs a user other than root, and there is neither "postgres" nor "nobody"');
}
