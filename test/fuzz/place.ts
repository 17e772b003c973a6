import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WalkClient, type WalkResponse } from '../../src/cli/walk/walk-client.js';
import { WALK_GRAPH, makeRecords, SCORE_KEY } from '../../src/cli/walk/records.js';
import { StoreWatcher } from '../../src/cli/walk/store-watcher.js';
import { walkGraphFile } from '../../src/pool/graphs/bundle.js';
import { dataFile } from '../../src/store/files/data-file.js';
import { Reader } from '../../src/store/reader.js';
import { childServer, type ChildServer } from '../helpers/child-server.js';
import { temporaryFolder, TEST_GRAPHS } from '../helpers/server.js';
import { framed } from './framing.js';
import { orphans } from './orphans.js';
import { FUZZ_KEY, type Known } from './request.js';
import type { IdName } from './tree.js';
import { exchange } from './wire.js';

interface Test {
  teardown(callback: () => unknown): void;
}

/**
 * How often it is asked whether the server is well, and how long the answer may take: other tests have the machine too.
 */
const OK_EVERY_MS = 200;
const OK_WITHIN_MS = 20_000;
const OK = framed({ method: 'GET', target: '/ok', headers: [['host', 'localhost']], body: Buffer.alloc(0) }, false);
const REST_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 5;
/** Looks in a row that find nothing new, after a request whose end nobody has seen: it may write in several commits. */
const LOOKS_AFTER_UNSEEN_END = 20;
const LOG_LATER_MS = 50;
/** Warnings of the library about what a run was asked. */
const SAID_BY_LANGGRAPH = /^Ignoring /;

/** A server in a process of its own whose store, log and memory are watched. */
export class Place {
  readonly port: number;
  readonly server: ChildServer;
  /** It was at rest, and all that was asked for since has changed nothing. */
  still = false;
  /** A request got no whole answer, so that the server may still be working on it when nothing else shows it. */
  mayGoOn = false;
  readonly #asker: WalkClient;
  readonly #store: StoreWatcher;
  readonly #reader: Reader;
  #digest = '';
  /** Entries of each kind when it was last at rest, and the time before. */
  #kinds = new Map<string, number>();
  #before = new Map<string, number>();
  #logged = 0;
  #unwell: string | null = null;

  private constructor(server: ChildServer, dataFolder: string) {
    this.server = server;
    this.port = Number(new URL(server.url).port);
    this.#asker = new WalkClient(server.url, { 'x-api-key': FUZZ_KEY });
    this.#store = new StoreWatcher(dataFolder);
    this.#reader = Reader.attach(dataFile(dataFolder), null);
  }

  static async open(t: Test): Promise<Place> {
    const folder = temporaryFolder(t);
    const dataFolder = join(folder, 'data');
    const config = join(folder, 'langgraph.json');
    const graphs = dirname(TEST_GRAPHS);
    // No webhook leaves the machine, and none comes again later; what has a time to live does not end in the midst of
    // another request.
    writeFileSync(
      config,
      JSON.stringify({
        graphs: {
          [WALK_GRAPH]: `${walkGraphFile()}:graph`,
          echo: join(graphs, 'echo.ts:graph'),
          approval: join(graphs, 'approval.ts:graph'),
        },
        http: { disable_webhooks: true },
      }),
    );
    const server = await childServer(t, {
      dataFolder,
      config,
      env: {
        RESUMABLE_STREAM_TTL_SECONDS: '864000',
        THREADMILL_API_KEYS: FUZZ_KEY,
        THREADMILL_PUBLIC_SHARES: 'true',
      },
    });
    const place = new Place(server, dataFolder);
    const timer = setInterval(() => {
      void place.#askWell();
    }, OK_EVERY_MS);
    t.teardown(async () => {
      clearInterval(timer);
      await place.#store.close();
      await place.#reader.close();
    });
    return place;
  }

  async #askWell(): Promise<void> {
    const began = performance.now();
    // Over a connection of its own: one that was kept may be closed at the other end by the time it is used again.
    const outcome = await exchange(this.port, OK, { method: 'GET', limitMs: OK_WITHIN_MS, listenMs: OK_WITHIN_MS });
    const well = 'answer' in outcome && outcome.answer.status === 200;
    if (!well) this.#unwell ??= `GET /ok got no 200 within ${Math.round(performance.now() - began)} ms`;
  }

  /**
   * What the server has said or not said since the last call; null: all is well. What it logs may come later than its
   * answer.
   */
  async complaint(well: boolean): Promise<string | null> {
    if (!well)
      await new Promise((resolve) => {
        setTimeout(resolve, LOG_LATER_MS);
      });
    const said = this.server.stderr().slice(this.#logged);
    this.#logged += said.length;
    const { exitCode, signalCode } = this.server.process;
    if (this.ended) return `the server ended with ${String(signalCode ?? exitCode)}: ${said.slice(-2_000)}`;
    const unwell = this.#unwell;
    this.#unwell = null;
    const lines = said.split('\n').filter((line) => line !== '' && !SAID_BY_LANGGRAPH.test(line));
    return lines.length === 0 ? unwell : `the server's log: ${lines.join('\n').slice(0, 2_000)}`;
  }

  get ended(): boolean {
    const { exitCode, signalCode } = this.server.process;
    return exitCode !== null || signalCode !== null;
  }

  /** One of everything, made anew. */
  async makeRecords(): Promise<Known> {
    this.still = false;
    // There is one of it for all.
    await this.ask('DELETE', `/api/v1/feedback-configs?feedback_key=${SCORE_KEY}`);
    const records = await makeRecords(this.#asker);
    if (records.failures.length > 0) throw new Error(records.failures.join('; '));
    const token = await this.ask('POST', '/api/v1/feedback/tokens', {
      run_id: records.get('run'),
      feedback_key: 'fuzz',
    });
    const { url } = JSON.parse(token.body) as { url: string };
    const id = url.split('/').at(-1)!;
    return { records, idOf: (name: IdName) => (name === 'token' ? id : records.get(name)) };
  }

  /** The digest of the store as soon as nothing that was asked for is under way any more. */
  async rest(): Promise<string> {
    const untilMs = performance.now() + REST_WITHIN_MS;
    let before = this.#digest;
    let looks = this.mayGoOn ? LOOKS_AFTER_UNSEEN_END : 1;
    for (;;) {
      const busy = (await this.#busy()) ?? this.#store.pendingWork();
      const now = this.#store.digest();
      if (now !== before || busy !== null) looks = this.mayGoOn ? LOOKS_AFTER_UNSEEN_END : 1;
      else if (--looks === 0) {
        this.mayGoOn = false;
        this.#kinds = this.entries();
        return (this.#digest = now);
      }
      before = now;
      if (performance.now() > untilMs)
        throw new Error(
          `the server did not come to rest within ${REST_WITHIN_MS / 1_000} s: ${busy ?? 'its store changes'}`,
        );
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_AGAIN_MS);
      });
    }
  }

  /**
   * The store is as it was when it last was at rest; when not at once, then when it is at rest again: a change that is
   * taken back is none.
   */
  async isAsItWas(): Promise<boolean> {
    const before = this.#digest;
    this.#before = this.#kinds;
    return this.#store.digest() === before || (await this.rest()) === before;
  }

  /**
   * What `isAsItWas` has found to be otherwise, by kinds of keys; a record that was only written anew is not among
   * them.
   */
  get changed(): string {
    const kinds = new Set([...this.#before.keys(), ...this.#kinds.keys()]);
    const changed = [...kinds].flatMap((kind) => {
      const [before, after] = [this.#before.get(kind) ?? 0, this.#kinds.get(kind) ?? 0];
      return before === after ? [] : [`${kind} ${before} to ${after}`];
    });
    return changed.join(', ') || 'no number of entries is another one';
  }

  async #busy(): Promise<string | null> {
    const { metrics } = JSON.parse((await this.ask('GET', '/metrics?format=json')).body) as {
      metrics: { name: string; values: { value: number }[] }[];
    };
    const busy = metrics
      .filter(({ name, values }) => UNDER_WAY.has(name) && values.some(({ value }) => value > 0))
      .map(({ name }) => name);
    return busy.length === 0 ? null : busy.join(', ');
  }

  ask(method: string, target: string, body?: unknown): Promise<WalkResponse> {
    return this.#asker.send({
      method,
      target,
      contentType: body === undefined ? null : 'application/json',
      body: body === undefined ? null : JSON.stringify(body),
      isStream: false,
    });
  }

  /** What is left of records that are gone. */
  orphans(): string[] {
    this.#reader.refresh();
    return orphans(this.#reader);
  }

  /** How many entries the store has of each kind (src/store/keys.ts). */
  entries(): Map<string, number> {
    this.#reader.refresh();
    const counts = new Map<string, number>();
    for (const [kind] of this.#reader.keys({ prefix: [] }))
      counts.set(String(kind), (counts.get(String(kind)) ?? 0) + 1);
    return counts;
  }

  /** Memory that is the process's own, in MiB: pages of the store's file are not in it. */
  memoryMib(): number {
    const status = readFileSync(`/proc/${this.server.process.pid!}/status`, 'utf8');
    return Math.round(Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) / 1_024);
  }
}

const UNDER_WAY = new Set([
  'threadmill_runs_running',
  'threadmill_runs_queued',
  'threadmill_store_commits_pending',
  'threadmill_evaluation_tasks_waiting',
  'threadmill_evaluation_statistics_waiting',
  'threadmill_evaluation_body_bytes',
]);
