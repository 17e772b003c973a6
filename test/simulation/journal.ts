import { LOCAL_CALLER } from '../../src/domain/caller.js';
import { ThreadmillError } from '../../src/base/errors.js';
import { runToEnd } from '../../src/base/steps.js';
import { createThread } from '../../src/services/threads/create-thread.js';
import { deleteRun } from '../../src/services/runs/list-runs.js';
import { searchThreads, type ThreadQuery } from '../../src/services/threads/find-threads.js';
import { deleteThread, patchThread } from '../../src/services/threads/threads.js';
import { keys } from '../../src/store/keys.js';
import { indexEntries, type ThreadRecord } from '../../src/store/threads/threads.js';
import { unpack } from '../../src/wire/codec.js';
import { framesOf } from '../../src/wire/runs/frame.js';
import { readState, type Script } from './worker.js';
import type { RunOptions, World } from './world.js';

/** A run that a client asked for, as far as that client knows. */
interface KnownRun {
  runId: string;
  threadId: string;
  script: Script | null;
  resumable: boolean;
  /** The client was told that it is there. */
  acknowledged: boolean;
  /** Somebody asked that nothing of it be left. */
  mayBeGone: boolean;
  /** Somebody asked that it end. */
  mayBeCancelled: boolean;
}

interface KnownThread {
  threadId: string;
  acknowledged: boolean;
  mayBeGone: boolean;
  gone: boolean;
  /** Marks that the client was told are stored. */
  marks: Record<string, number>;
}

const TERMINAL = new Set(['success', 'error', 'timeout', 'interrupted']);

/** What clients did and were told, and whether what is there at the end agrees with it. */
export class Journal {
  readonly #world: World;
  readonly runs: KnownRun[] = [];
  readonly threads: KnownThread[] = [];
  /** Content of every event that any reader saw, by thread and id: an id never stands for two. */
  readonly #seen = new Map<string, string>();
  #tokens = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** One thing that a client does; what it is told comes later, or never. */
  act(): void {
    const { random } = this.#world;
    const open = this.threads.filter(({ mayBeGone }) => !mayBeGone);
    if (open.length === 0) {
      this.createThread();
      return;
    }
    const thread = random.pick(open);
    const runs = this.runs.filter(({ threadId }) => threadId === thread.threadId);
    switch (
      random.weighted({
        run: 10,
        answer: 2,
        cancel: 3,
        create: 1,
        patch: 2,
        deleteThread: 0.4,
        deleteRun: 0.6,
        read: 2,
        list: 2,
      })
    ) {
      case 'run':
        return this.run(thread, {
          strategy: random.weighted({ enqueue: 6, reject: 1, interrupt: 2, rollback: 2 }),
          durability: random.pick(['sync', 'async']),
          resumable: random.chance(0.4),
          delayS: random.chance(0.15) ? 1 + random.below(5) : 0,
        });
      case 'answer':
        return this.run(thread, { resume: `a${(this.#tokens += 1)}` });
      case 'cancel':
        return runs.length === 0 ? undefined : this.cancel(random.pick(runs), random.pick(['interrupt', 'rollback']));
      case 'create':
        return this.createThread();
      case 'patch':
        return this.patch(thread);
      case 'deleteThread':
        return this.deleteThread(thread);
      case 'deleteRun':
        return runs.length === 0 ? undefined : this.deleteRun(random.pick(runs));
      case 'read':
        return this.read(thread);
      case 'list':
        return this.list();
    }
  }

  createThread(): void {
    const thread: KnownThread = {
      threadId: this.#world.nextId(),
      acknowledged: false,
      mayBeGone: false,
      gone: false,
      marks: {},
    };
    this.threads.push(thread);
    this.#ask(
      `create ${short(thread.threadId)}`,
      () =>
        createThread(this.#world.services, LOCAL_CALLER, {
          threadId: thread.threadId,
          metadata: {},
          ifExists: 'raise',
        }),
      () => {
        thread.acknowledged = true;
      },
    );
  }

  run(thread: KnownThread, options: RunOptions): void {
    const { random } = this.#world;
    const token = `t${(this.#tokens += 1)}`;
    const script: Script | null =
      options.resume === undefined
        ? { token, steps: 1 + random.below(4), ends: random.weighted({ well: 6, badly: 1, asking: 2 }) }
        : null;
    const before = this.runs.filter(({ threadId }) => threadId === thread.threadId);
    this.#ask(
      `run ${token} on ${short(thread.threadId)} ${JSON.stringify(options)} ${script?.ends ?? ''}`,
      () => {
        const live = this.#world.startRun(thread.threadId, script, options);
        // It was taken: what it does to the others is under way.
        if (options.strategy === 'interrupt') for (const run of before) run.mayBeCancelled = true;
        if (options.strategy === 'rollback') for (const run of before) run.mayBeGone = true;
        const known: KnownRun = {
          runId: live.record.runId,
          threadId: thread.threadId,
          script,
          resumable: options.resumable ?? false,
          acknowledged: false,
          mayBeGone: thread.mayBeGone,
          mayBeCancelled: false,
        };
        this.runs.push(known);
        return live.created.then(() => known);
      },
      (known) => {
        known.acknowledged = true;
        thread.acknowledged = true;
      },
    );
  }

  cancel(run: KnownRun, action: 'interrupt' | 'rollback'): void {
    const live = this.#world.services.scheduler.get(run.runId);
    if (live === undefined || live.settled) return;
    this.#ask(
      `cancel ${run.script?.token ?? run.runId} ${action}`,
      () => {
        run.mayBeCancelled = true;
        if (action === 'rollback') run.mayBeGone = true;
        return this.#world.cancel(live, action);
      },
      () => {
        // Whoever is told that it has ended finds it so.
        const { services } = this.#world;
        const left = services.stores.runs.get(LOCAL_CALLER, run.runId);
        if (left !== undefined && !TERMINAL.has(left.status))
          this.#world.violations.push(`run ${run.runId} was cancelled, and is ${left.status}`);
      },
    );
  }

  deleteRun(run: KnownRun): void {
    this.#ask(
      `delete run ${run.script?.token ?? run.runId}`,
      () => {
        run.mayBeGone = true;
        return deleteRun(this.#world.services, LOCAL_CALLER, run.threadId, run.runId);
      },
      () => {
        if (this.#world.services.stores.runs.get(LOCAL_CALLER, run.runId) !== undefined)
          this.#world.violations.push(`run ${run.runId} was deleted, and is there`);
      },
    );
  }

  patch(thread: KnownThread): void {
    const name = `mark${(this.#tokens += 1)}`;
    this.#ask(
      `patch ${short(thread.threadId)} ${name}`,
      () => patchThread(this.#world.services, LOCAL_CALLER, thread.threadId, { metadata: { [name]: 1 } }),
      () => {
        thread.marks[name] = 1;
      },
    );
  }

  deleteThread(thread: KnownThread): void {
    this.#ask(
      `delete ${short(thread.threadId)}`,
      () => {
        thread.mayBeGone = true;
        for (const run of this.runs) if (run.threadId === thread.threadId) run.mayBeGone = true;
        return deleteThread(this.#world.services, LOCAL_CALLER, thread.threadId);
      },
      () => {
        thread.gone = true;
      },
    );
  }

  /** A reader of the thread's events, from the first that is kept: it takes what there is now. */
  read(thread: KnownThread): void {
    this.#ask(
      `read ${short(thread.threadId)}`,
      async () => {
        const { subscription, unsubscribe } = await this.#world.services.threadEvents.subscribe(
          LOCAL_CALLER,
          thread.threadId,
          {
            lastEventId: -1,
            modes: ['run_modes'],
          },
        );
        try {
          const cursor = subscription.log.cursor(subscription.afterSeq);
          let last = subscription.afterSeq;
          for (let turns = 0; turns < 1_000; turns += 1) {
            const found = await cursor.next();
            if (found === undefined) return;
            if ('gap' in found) {
              if (found.to < found.from) this.#world.violations.push(`a gap from ${found.from} to ${found.to}`);
              last = found.to;
              cursor.advance(found.to);
              continue;
            }
            for (const { seq, bytes } of framesOf(found)) {
              if (seq <= cursor.afterSeq) continue;
              if (seq <= last) this.#world.violations.push(`event ${seq} of ${thread.threadId} after ${last}`);
              last = seq;
              this.#note(thread.threadId, seq, Buffer.from(bytes).toString());
            }
            cursor.advance(found.lastSeq);
          }
          this.#world.violations.push(`a reader of ${thread.threadId} does not come to an end`);
        } finally {
          unsubscribe();
        }
      },
      () => undefined,
    );
  }

  /** Lists all threads, and those that are busy. */
  list(): void {
    const { services, violations } = this.#world;
    const existing = this.threads.filter(({ acknowledged, mayBeGone }) => acknowledged && !mayBeGone);
    const statusOnDisk = ({ threadId }: KnownThread): string | undefined =>
      services.stores.threads.get(LOCAL_CALLER, threadId)?.status;
    const before = new Map(existing.map((thread) => [thread, statusOnDisk(thread)]));
    const search = (query: ThreadQuery): string[] => {
      const { json } = runToEnd(searchThreads(services, LOCAL_CALLER, { limit: 1_000, ...query }));
      return (JSON.parse(json) as { thread_id: string }[]).map((found) => found.thread_id);
    };
    this.#ask(
      'list threads',
      async () => [search({}), search({ status: 'busy' })],
      ([all, busy]) => {
        if (new Set(all).size < all!.length) violations.push('a list has a thread twice');
        for (const thread of existing) {
          if (thread.mayBeGone) continue;
          if (!all!.includes(thread.threadId)) violations.push(`a list lacks thread ${short(thread.threadId)}`);
          // The status may have changed meanwhile.
          const status = before.get(thread);
          if (status === statusOnDisk(thread) && (status === 'busy') !== busy!.includes(thread.threadId))
            violations.push(`a list has thread ${short(thread.threadId)}, which is ${status!}, wrongly`);
        }
      },
    );
  }

  /** After everything has come to rest. */
  check(): string[] {
    const { services, violations } = this.#world;
    const { stores } = services;
    const wrong = [...violations, ...this.#indexProblems()];
    for (const live of services.scheduler.liveRuns())
      wrong.push(`run ${live.record.runId} is still ${live.record.status}`);
    for (const thread of this.threads) {
      const record = stores.threads.get(LOCAL_CALLER, thread.threadId);
      const name = short(thread.threadId);
      if (thread.gone && record !== undefined) wrong.push(`thread ${name} was deleted, and is there`);
      if (record === undefined) {
        if (thread.acknowledged && !thread.mayBeGone) wrong.push(`thread ${name} is lost`);
        continue;
      }
      const metadata = JSON.parse(Buffer.from(record.metadata).toString()) as Record<string, unknown>;
      for (const mark of Object.keys(thread.marks))
        if (metadata[mark] !== 1) wrong.push(`thread ${name} has lost ${mark}`);
      const head = stores.checkpoints.get(LOCAL_CALLER, record, '', null);
      const applied = head === undefined ? [] : readState(head.body).applied;
      const next = head === undefined ? 0 : stores.checkpoints.view(LOCAL_CALLER, record, '', head.id)!.next.length;
      const expected = record.failure !== null ? 'error' : next > 0 ? 'interrupted' : 'idle';
      if (record.status !== expected) wrong.push(`thread ${name} is ${record.status}, its head says ${expected}`);
      const twice = applied.filter((one, at) => applied.indexOf(one) !== at);
      if (twice.length > 0) wrong.push(`thread ${name} has ${twice.join(', ')} twice`);
      for (const run of this.runs) if (run.threadId === thread.threadId) this.#checkRun(run, applied, wrong);
    }
    for (const run of this.runs) {
      const record = stores.runs.get(LOCAL_CALLER, run.runId);
      if (record === undefined && run.acknowledged && !run.mayBeGone)
        wrong.push(`run ${run.script?.token ?? run.runId} is lost`);
      if (record !== undefined && !TERMINAL.has(record.status))
        wrong.push(`run ${run.script?.token ?? run.runId} is ${record.status} for ever`);
      if (record?.status === 'interrupted' && !run.mayBeCancelled && !run.mayBeGone)
        wrong.push(`run ${run.script?.token ?? run.runId} is interrupted, and nobody asked for it`);
      if (run.resumable && record !== undefined) this.#checkEvents(run, wrong);
    }
    return wrong;
  }

  /** The index on disk has the entries of the threads on disk, and no others. */
  #indexProblems(): string[] {
    const { store } = this.#world.services.stores;
    const expected = new Set<string>();
    for (const [, bytes] of store.entries({ prefix: keys.threads() })) {
      const record = unpack<ThreadRecord>(bytes);
      for (const order of ['updated', 'created'] as const)
        for (const entry of indexEntries(record, order)) expected.add(JSON.stringify(entry));
    }
    const found = [...store.keys({ prefix: ['ti'] }), ...store.keys({ prefix: ['tc'] })];
    const known = found.filter((entry) => expected.delete(JSON.stringify(entry)));
    return [
      ...(known.length < found.length ? [`the index has ${found.length - known.length} entries of no thread`] : []),
      ...(expected.size > 0 ? [`the index lacks ${[...expected].join(', ')}`] : []),
    ];
  }

  #checkRun(run: KnownRun, applied: readonly string[], wrong: string[]): void {
    if (run.script === null) return;
    const { token, steps, ends } = run.script;
    const record = this.#world.services.stores.runs.get(LOCAL_CALLER, run.runId);
    const own = applied.filter((one) => one === `in:${token}` || one.startsWith(`${token}:`));
    const whole = [`in:${token}`, ...Array.from({ length: steps }, (_, at) => `${token}:${at}`)];
    if (own.join() !== whole.slice(0, own.length).join()) wrong.push(`run ${token} has left ${own.join()}`);
    if (record === undefined) {
      // A crash may have cut off the answer about a run that exists, and a client may then have deleted it.
      if (own.length > 0 && !run.acknowledged && !run.mayBeGone)
        wrong.push(`run ${token} is in no store, and has left ${own.join()}`);
      return;
    }
    if (record.status === 'success' && own.length < whole.length)
      wrong.push(`run ${token} was a success, and has left ${own.join()}`);
    if (record.status === 'success' && ends === 'badly') wrong.push(`run ${token} fails, and was a success`);
    if (
      record.status === 'error' &&
      ends !== 'badly' &&
      record.error?.name !== 'ATTEMPTS_EXCEEDED' &&
      !this.#world.garbled.has(run.runId)
    )
      wrong.push(`run ${token} is an error: ${record.error?.message ?? ''}`);
  }

  /** What a resumable run has said is stored once, in order. */
  #checkEvents(run: KnownRun, wrong: string[]): void {
    let last = -1;
    for (const batch of this.#world.services.stores.events.read(LOCAL_CALLER, run.runId, -1)) {
      for (const { seq, bytes } of framesOf(batch)) {
        if (seq <= last) wrong.push(`event ${seq} of run ${run.runId} is stored after ${last}`);
        last = seq;
        this.#note(run.threadId, seq, Buffer.from(bytes).toString());
      }
    }
  }

  #note(threadId: string, seq: number, content: string): void {
    const key = `${threadId} ${seq}`;
    const before = this.#seen.get(key);
    if (before !== undefined && before !== content)
      this.#world.violations.push(
        `event ${seq} of ${short(threadId)} is ${JSON.stringify(content)}, and was ${JSON.stringify(before)}`,
      );
    this.#seen.set(key, content);
  }

  /** A request, whose answer comes when it comes; a server that dies answers nothing. */
  #ask<T>(what: string, ask: () => Promise<T>, answered: (value: T) => void): void {
    const { history, lives } = this.#world;
    history.push(what);
    const refused = (error: unknown): void => {
      const isRefusal = error instanceof ThreadmillError && (error.status < 500 || error.code === 'STORE_FAILED');
      if (!isRefusal)
        this.#world.violations.push(
          `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
      else history.push(`  ${what}: ${error.code}`);
    };
    try {
      ask().then((value) => {
        if (lives === this.#world.lives) answered(value);
      }, refused);
    } catch (error) {
      refused(error);
    }
  }
}

function short(id: string): string {
  return id.slice(-4);
}
