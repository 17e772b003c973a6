import type { Caller } from '../../domain/caller.js';
import { fail, type ErrorRecord } from '../../base/errors.js';
import { asObject, parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { GraphPool, GraphWorker } from '../../pool/graphs/graph-pool.js';
import { RunPort } from '../../pool/graphs/run-port.js';
import type { RunWorker } from '../../pool/graphs/run-workers.js';
import type { Stores } from '../../store/stores.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { EditJob } from '../../wire/runs/messages.js';

/** Result of an edit: the new checkpoint, and whether the head of the thread has next steps. */
export interface EditResult {
  checkpoint: JsonObject;
  workerId: number;
  /** Null if the root namespace did not change. */
  headId: string | null;
  unfinished: boolean | null;
}

interface RunningEdit {
  worker: GraphWorker;
  onWorkerLost: (alone: boolean) => void;
}

/**
 * Dispatches state updates to graph workers. They have priority over runs, because they are short and a client
 * waits for each.
 */
export class StateEditor {
  readonly #stores: Stores;
  readonly #pool: GraphPool;
  readonly #waiting: ((worker: GraphWorker) => void)[] = [];
  readonly #running = new Map<string, RunningEdit>();

  constructor(stores: Stores, pool: GraphPool) {
    this.#stores = stores;
    this.#pool = pool;
  }

  /** Dispatches waiting updates while workers have capacity. */
  dispatchWaiting(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#pool.pickEditWorker(null);
      if (worker === null) return;
      this.#waiting.shift()!(worker);
    }
  }

  /** A worker was lost together with these updates. */
  onWorkerLost(worker: RunWorker, ids: readonly string[]): void {
    for (const id of ids) {
      const edit = this.#running.get(id);
      if (edit?.worker === worker) edit.onWorkerLost(ids.length === 1);
    }
  }

  /**
   * Applies the supersteps of the job. When it resolves, everything is on disk. When it rejects, the caller
   * must undo what was stored. Throws EDIT_REFUSED (by the graph), EDIT_LOST (the code ended or blocked its
   * worker), OVERLOADED.
   */
  async apply(caller: Caller, thread: ThreadRecord, job: EditJob, preferred: number | null): Promise<EditResult> {
    const worker = this.#pool.pickEditWorker(preferred) ?? (await this.#waitForWorker());
    return new Promise((resolve, reject) => {
      let headId: string | null = null;
      let unfinished: boolean | null = null;
      const port = new RunPort(
        this.#pool.startEdit(worker, job),
        this.#stores,
        {
          caller,
          thread,
          tag: { runId: job.runId, lease: 1 },
          alive: null,
          resumable: false,
          hasCommand: false,
          nullResume: null,
          namespaces: job.namespaces,
          nextSeq: 0,
          framesSent: 0,
        },
        {
          onFrames: () => null,
          onHeadView: (id, view) => {
            headId = id;
            unfinished = view === null || view.next > 0;
          },
          onEnd: ({ error, result }) => {
            port.written.then(
              () =>
                done(error === null ? null : toEditError(error), () => ({
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
      const done = (error: Error | null, edited?: () => EditResult): void => {
        clearTimeout(timer);
        this.#running.delete(job.runId);
        port.close();
        if (error === null) resolve(edited!());
        // All its writes must be finished before the caller undoes them.
        else
          port.written.then(
            () => reject(error),
            () => reject(error),
          );
      };
      const timer = setTimeout(() => {
        port.cancel('the update took too long');
        done(fail('EDIT_LOST', { reason: `it did not finish within ${LIMITS.editMs} ms` }));
      }, LIMITS.editMs);
      this.#running.set(job.runId, {
        worker,
        onWorkerLost: (alone) =>
          done(
            alone
              ? fail('EDIT_LOST', { reason: 'it ended or blocked its worker' })
              : fail('OVERLOADED', { what: 'the worker of this update was lost while it had other work' }),
          ),
      });
    });
  }

  async #waitForWorker(): Promise<GraphWorker> {
    return new Promise((resolve, reject) => {
      const entry = (worker: GraphWorker): void => {
        clearTimeout(timer);
        resolve(worker);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(fail('OVERLOADED', { what: 'no graph worker has capacity for an update' }));
      }, LIMITS.editWaitMs);
      this.#waiting.push(entry);
    });
  }
}

/** Errors of the graph or the library concern the client's update. Only a damaged record is a server error. */
function toEditError({ name, message }: ErrorRecord): Error {
  if (name === 'STORE_DAMAGED') return fail('STORE_DAMAGED', { key: message.slice(message.lastIndexOf(': ') + 2) });
  return fail('EDIT_REFUSED', {
    reason: name === 'Error' || message.startsWith(name) ? message : `${name}: ${message}`,
  });
}
