import { randomInt, randomUUID } from 'node:crypto';
import { CommandError, printable } from '../client.js';
import { WALK_GRAPH } from '../walk/records.js';
import { WalkClient, type WalkResponse } from '../walk/walk-client.js';
import { valueOf, type Ledger, type TortureRecord } from './ledger.js';

/** Records of each kind that a writer changes. */
const RECORDS_OF_A_WRITER = 50;
const WRITERS = 4;
/** One request in so many starts a run. */
const RUN_EVERY = 20;
/** One change in so many deletes the record. */
const DELETE_EVERY = 5;
const NAMESPACE = ['torture'];
/** Longest wait for a run to finish after a restart. */
const RUN_MS_MAX = 30_000;

/** The records that all rounds write, none of which exists yet. */
export function createRecords(): TortureRecord[] {
  return Array.from({ length: WRITERS * RECORDS_OF_A_WRITER }).flatMap(() =>
    (['thread', 'item'] as const).map((kind): TortureRecord => ({ kind, id: randomUUID(), acknowledged: null })),
  );
}

/** Writes to one server and reads it back, for as long as it lives. */
export class TortureClient {
  readonly #ledger: Ledger;
  readonly #client: WalkClient;
  #isKilled = false;

  constructor(url: string, ledger: Ledger) {
    this.#ledger = ledger;
    this.#client = new WalkClient(url, {});
  }

  /** Writes until the server is killed. Throws CommandError if it refuses a write. */
  async writeUntilKilled(): Promise<void> {
    const { records } = this.#ledger;
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const own = records.filter((_record, at) => at % WRITERS === writer);
        while (!this.#isKilled) {
          try {
            if (randomInt(RUN_EVERY) === 0) await this.#startRun();
            else await this.#change(own[randomInt(own.length)]!);
          } catch (error) {
            if (!this.#isKilled) throw error;
          }
        }
      }),
    );
  }

  /** Call before the server is killed: from now on a request may fail. */
  expectKill(): void {
    this.#isKilled = true;
  }

  /** Compares all records and runs with the ledger. */
  async verify(): Promise<void> {
    const { records, runs } = this.#ledger;
    const waiting = [...records];
    await Promise.all(
      Array.from({ length: WRITERS * 2 }, async () => {
        for (let record = waiting.pop(); record !== undefined; record = waiting.pop()) await this.#verifyRecord(record);
      }),
    );
    for (const run of runs.splice(0)) await this.#verifyRun(run);
  }

  async #change(record: TortureRecord): Promise<void> {
    const exists = record.acknowledged !== null;
    const next = exists && randomInt(DELETE_EVERY) === 0 ? null : randomInt(1, 2 ** 31);
    record.pending = next;
    if (record.kind === 'thread') await this.#writeThread(record.id, exists, next);
    else await this.#writeItem(record.id, next);
    record.acknowledged = next;
    delete record.pending;
    this.#ledger.acknowledgedWrites += 1;
  }

  async #writeThread(threadId: string, exists: boolean, version: number | null): Promise<void> {
    if (version === null) await this.#send('DELETE', `/threads/${threadId}`);
    else if (exists) await this.#send('PATCH', `/threads/${threadId}`, { metadata: valueOf(version) });
    else await this.#send('POST', '/threads', { thread_id: threadId, metadata: valueOf(version) });
  }

  async #writeItem(key: string, version: number | null): Promise<void> {
    const place = { namespace: NAMESPACE, key };
    if (version === null) await this.#send('DELETE', '/store/items', place);
    else await this.#send('PUT', '/store/items', { ...place, value: valueOf(version) });
  }

  async #startRun(): Promise<void> {
    const threadId = randomUUID();
    const run = (await this.#send('POST', `/threads/${threadId}/runs`, {
      assistant_id: WALK_GRAPH,
      input: { text: '' },
      if_not_exists: 'create',
    })) as { run_id: string };
    this.#ledger.runs.push({ threadId, runId: run.run_id });
    this.#ledger.acknowledgedRuns += 1;
  }

  async #verifyRecord(record: TortureRecord): Promise<void> {
    try {
      this.#ledger.compare(record, await this.#read(record));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      this.#ledger.problems.push(`${record.kind} ${record.id}: ${error.message}`);
    }
  }

  /** Null if the record does not exist. */
  async #read({ kind, id }: TortureRecord): Promise<unknown> {
    if (kind === 'thread') {
      const thread = (await this.#get(`/threads/${id}`)) as { metadata: unknown } | null;
      return thread && thread.metadata;
    }
    const item = (await this.#get(`/store/items?namespace=${NAMESPACE.join('.')}&key=${id}`)) as {
      value: unknown;
    } | null;
    return item && item.value;
  }

  /** Waits for the run's end, and deletes its thread. */
  async #verifyRun({ threadId, runId }: { threadId: string; runId: string }): Promise<void> {
    const place = `run ${runId} of thread ${threadId}`;
    const deadline = Date.now() + RUN_MS_MAX;
    for (;;) {
      const run = (await this.#get(`/threads/${threadId}/runs/${runId}`)) as { status: string } | null;
      if (run?.status === 'success') break;
      if (run === null || run.status === 'error' || Date.now() > deadline) {
        this.#ledger.problems.push(
          `${place}: it was acknowledged, and ${run === null ? 'does not exist' : `is ${run.status}`}`,
        );
        return;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
    await this.#send('DELETE', `/threads/${threadId}`);
  }

  /** Null for 404. */
  async #get(path: string): Promise<unknown> {
    const { status, body } = await this.#ask('GET', path);
    if (status === 404) return null;
    if (status !== 200) throw refused('GET', path, { status, body });
    return JSON.parse(body);
  }

  async #send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, content?: object): Promise<unknown> {
    const { status, body } = await this.#ask(method, path, content);
    if (status >= 300) throw refused(method, path, { status, body });
    return body === '' ? null : JSON.parse(body);
  }

  #ask(method: string, target: string, content?: object): Promise<WalkResponse> {
    return this.#client.send({
      method,
      target,
      contentType: content === undefined ? null : 'application/json',
      body: content === undefined ? null : JSON.stringify(content),
      isStream: false,
    });
  }
}

type Refusal = Pick<WalkResponse, 'status' | 'body'>;

function refused(method: string, path: string, { status, body }: Refusal): CommandError {
  return new CommandError(`The server answered ${method} ${path} with ${status}: ${printable(body.slice(0, 500))}`);
}
