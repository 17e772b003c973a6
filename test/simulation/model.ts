/**
 * The admission rule of a thread, as the contract says it and no more: what a client may expect after each thing that
 * happens.
 */

export type Strategy = 'enqueue' | 'reject' | 'interrupt' | 'rollback';
export type Status = 'pending' | 'running' | 'success' | 'error' | 'interrupted';

export type Event =
  | { kind: 'start'; strategy: Strategy; delayed: boolean }
  | { kind: 'cancel'; action: 'interrupt' | 'rollback' }
  /** The run that executes comes to its end, its question, or fails. */
  | { kind: 'finish' | 'ask' | 'fail' }
  /** The server dies and starts again. */
  | { kind: 'crash' }
  /** The worker of the run that executes is lost. */
  | { kind: 'lose' }
  /** The time of delayed runs comes. */
  | { kind: 'wait' };

interface ModelRun {
  name: number;
  status: Status;
  startAt: number;
  attempt: number;
  /** Whether the thread had next steps before it began; null: it has not begun. */
  before: boolean | null;
}

const ATTEMPTS = 3;
const DELAY = 1_000;

export class Model {
  /** In the order in which they were asked for; what was taken back is gone. */
  readonly runs: ModelRun[] = [];
  #names = 0;
  #now = 0;
  #unfinished = false;
  #failed = false;

  get thread(): string {
    return this.#open.length > 0 ? 'busy' : this.#failed ? 'error' : this.#unfinished ? 'interrupted' : 'idle';
  }

  get executing(): ModelRun | undefined {
    return this.runs.find(({ status }) => status === 'running');
  }

  get #open(): ModelRun[] {
    return this.runs.filter(({ status }) => status === 'pending' || status === 'running');
  }

  /** Whether it can happen now. */
  can({ kind }: Event): boolean {
    if (kind === 'finish' || kind === 'ask' || kind === 'fail' || kind === 'lose') return this.executing !== undefined;
    if (kind === 'cancel') return this.#open.length > 0;
    return kind !== 'wait' || this.runs.some(({ startAt }) => startAt > this.#now);
  }

  /** False when it is refused. */
  take(event: Event): boolean {
    this.#now += 1;
    switch (event.kind) {
      case 'start': {
        const open = this.#open;
        if (event.strategy === 'reject' && open.length > 0) return false;
        this.runs.push({
          name: (this.#names += 1),
          status: 'pending',
          startAt: this.#now + (event.delayed ? DELAY : 0),
          attempt: 1,
          before: null,
        });
        if (event.strategy === 'interrupt' || event.strategy === 'rollback')
          for (const run of open) this.#cancel(run, event.strategy);
        break;
      }
      case 'cancel':
        this.#cancel(this.#open[0]!, event.action);
        break;
      case 'finish':
        this.#end('success', false);
        break;
      case 'ask':
        this.#end('success', true);
        break;
      case 'fail':
        this.#end('error', true);
        break;
      case 'crash':
      case 'lose': {
        // Alone with its worker: the loss is its own.
        const run = this.executing;
        if (run === undefined) break;
        if (run.attempt >= ATTEMPTS) this.#end('error', true);
        else run.attempt += 1;
        break;
      }
      case 'wait':
        this.#now += 2 * DELAY;
        break;
    }
    this.#next();
    return true;
  }

  #cancel(run: ModelRun, action: 'interrupt' | 'rollback'): void {
    if (action === 'rollback') this.runs.splice(this.runs.indexOf(run), 1);
    // What was stopped is left in its middle; what is taken back is as it was before.
    if (run.before !== null) this.#unfinished = action === 'rollback' ? run.before : true;
    run.status = 'interrupted';
    this.#failed = false;
  }

  #end(status: 'success' | 'error', unfinished: boolean): void {
    this.executing!.status = status;
    this.#unfinished = unfinished;
    this.#failed = status === 'error';
  }

  /** The one whose time came first. */
  #next(): void {
    if (this.executing !== undefined) return;
    const [next] = this.runs
      .filter(({ status, startAt }) => status === 'pending' && startAt <= this.#now)
      .toSorted((a, b) => a.startAt - b.startAt);
    if (next === undefined) return;
    next.status = 'running';
    next.before ??= this.#unfinished;
  }
}
