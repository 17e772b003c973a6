import type { Caller } from '../../domain/caller.js';
import { fail, type ErrorRecord } from '../../base/errors.js';
import { asObject, parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { GraphPool, GraphWorker } from '../../pool/graphs/graph-pool.js';
import { RunPort } from '../../pool/graphs/run-port.js';
import type { Stores } from '../../store/stores.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { EditJob } from '../../wire/runs/messages.js';

/** What an edit left behind: the checkpoint that stands, and whether the thread's head has next steps. */
export interface Edited {
  checkpoint: JsonObject;
  workerId: number;
  /** Null when the root namespace was not changed. */
  headId: string | null;
  unfinished: boolean | null;
}

interface Underway {
  worker: GraphWorker;
  lost: (alone: boolean) => void;
}

/** Brings changes of state to graph workers, ahead of runs: someone waits for each, and they are short. */
export class Edits {
  readonly #stores: Stores;
  #pool: GraphPool | null = null;
  readonly #waiting: ((worker: GraphWorker) => void)[] = [];
  readonly #underway = new Map<string, Underway>();

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  attach(pool: GraphPool): void {
    this.#pool = pool;
  }

  /** Hands out what waits as long as a worker has room. */
  pump(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#pool?.pick(null, LIMITS.runsPerWorkerMax) ?? null;
      if (worker === null) return;
      this.#waiting.shift()!(worker);
    }
  }

  /** A worker is gone with these. */
  lost(worker: GraphWorker, ids: readonly string[]): void {
    for (const id of ids) {
      const edit = this.#underway.get(id);
      if (edit?.worker === worker) edit.lost(ids.length === 1);
    }
  }

  /**
   * Applies the job's supersteps. All that it stored is on disk when this resolves; when it rejects, what it stored still has
   * to be undone. Throws EDIT_REFUSED (the graph said no), EDIT_LOST (its code ended or blocked the worker), OVERLOADED.
   */
  async apply(caller: Caller, thread: ThreadRecord, job: EditJob, preferred: number | null): Promise<Edited> {
    const worker = this.#pool!.pick(preferred, LIMITS.runsPerWorkerMax) ?? (await this.#room());
    return new Promise((resolve, reject) => {
      let headId: string | null = null;
      let unfinished: boolean | null = null;
      const port = new RunPort(
        this.#pool!.startEdit(worker, job),
        new SharedArrayBuffer(4),
        this.#stores,
        {
          caller,
          thread,
          tag: { runId: job.runId, lease: 1 },
          alive: null,
          resumable: false,
          hasCommand: false,
          nullResume: null,
        },
        {
          frames: () => null,
          headView: (id, view) => {
            headId = id;
            unfinished = view === null || view.next > 0;
          },
          ended: ({ error, result }, pending) => {
            pending.then(
              () =>
                done(error === null ? null : refusal(error), () => ({
                  checkpoint: asObject(parseJson(result)),
                  workerId: worker.id,
                  headId,
                  unfinished,
                })),
              (failure: unknown) => done(failure as Error),
            );
          },
        },
      );
      const done = (error: Error | null, edited?: () => Edited): void => {
        clearTimeout(timer);
        this.#underway.delete(job.runId);
        port.close();
        if (error === null) resolve(edited!());
        // Nothing of it may come after what undoes it.
        else
          port.pending.then(
            () => reject(error),
            () => reject(error),
          );
      };
      const timer = setTimeout(() => {
        port.cancel('the update took too long');
        done(fail('EDIT_LOST', { reason: `it was not done within ${LIMITS.editMs} ms` }));
      }, LIMITS.editMs);
      this.#underway.set(job.runId, {
        worker,
        lost: (alone) =>
          done(
            alone
              ? fail('EDIT_LOST', { reason: 'it ended or blocked its worker' })
              : fail('OVERLOADED', { what: 'the worker of this update was lost with other work' }),
          ),
      });
    });
  }

  async #room(): Promise<GraphWorker> {
    return new Promise((resolve, reject) => {
      const entry = (worker: GraphWorker): void => {
        clearTimeout(timer);
        resolve(worker);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(fail('OVERLOADED', { what: 'no graph worker has room for an update' }));
      }, LIMITS.editWaitMs);
      this.#waiting.push(entry);
    });
  }
}

/** What the graph or the library threw is about what the client sent; only a damaged record is not. */
function refusal({ name, message }: ErrorRecord): Error {
  if (name === 'STORE_DAMAGED') return fail('STORE_DAMAGED', { key: message.slice(message.lastIndexOf(': ') + 2) });
  return fail('EDIT_REFUSED', {
    reason: name === 'Error' || message.startsWith(name) ? message : `${name}: ${message}`,
  });
}
