import type { MessagePort } from 'node:worker_threads';
import type { Caller } from '../../domain/caller.js';
import { toErrorRecord, fail } from '../../base/errors.js';
import { unreachable } from '../../base/assert.js';
import { Commit } from '../../store/env.js';
import { keys, type Key } from '../../store/keys.js';
import type { Stores } from '../../store/stores.js';
import { CheckpointPositions } from '../../store/threads/checkpoint-positions.js';
import { UndoLog, UNDO_PER_LEASE, type WriterTag } from '../../store/threads/checkpoints.js';
import type { AliveRecord } from '../../store/runs/runs.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import { post, unpack } from '../../wire/codec.js';
import type { FrameBatch } from '../../wire/runs/frame.js';
import type { FromWorker, PackedView, ReplyValues, ToWorker } from '../../wire/runs/messages.js';
import { FRAMES_MADE, LISTENING } from '../../wire/runs/run-signals.js';
import { hashKey, splitHashes, type NewContent } from '../../wire/runs/state.js';
import { LIMITS } from '../../base/limits.js';
import { applyMemory } from './memory-port.js';

/** What belongs to one dispatch of a run; everything the worker says is taken to be about this and nothing else. */
export interface PortBinding {
  caller: Caller;
  /** Null for a run that keeps nothing. */
  thread: ThreadRecord | null;
  tag: WriterTag;
  /** Null when the run is not stored. */
  alive: AliveRecord | null;
  /** Frames are also stored. */
  resumable: boolean;
  hasCommand: boolean;
  /** Where the head's answer to a single question stands, when an earlier attempt stored one. */
  nullResume: Key | null;
}

export interface PortHooks {
  /**
   * Events of the run. `written` settles when they are on disk; it is null when they are not stored. Returns null when they are
   * published already, else a promise that settles then.
   */
  frames(batch: FrameBatch, written: Promise<void> | null): Promise<void> | null;
  /** The thread's head is this checkpoint; null when its view is still to come. */
  headView(checkpointId: string, view: PackedView | null): void;
  /** The worker is done. `pending` settles when all it wrote is on disk. */
  ended(end: Extract<FromWorker, { type: 'run.ended' }>, pending: Promise<void>): void;
}

/** Mirrors NULL_TASK_ID, RESUME and the place of INTERRUPT of LangGraph: how a command's answers are stored. */
const NULL_TASK_ID = '00000000-0000-0000-0000-000000000000';
const RESUME_CHANNEL = '__resume__';
const INTERRUPT_IDX = -3;
/** A map of answers is stored under interrupt ids (XXH3, 32 hex digits) where other writes have a task's id. */
const INTERRUPT_ID = /^[0-9a-f]{32}$/;

/** The front's end of a run's port: one life, one lease. After `close` nothing the worker sends changes anything (P6). */
export class RunPort {
  readonly #port: MessagePort;
  readonly #stores: Stores;
  readonly #binding: PortBinding;
  readonly #hooks: PortHooks;
  readonly #undo: UndoLog;
  #positions: CheckpointPositions | null = null;
  /** Content this lease has put; lmdb shows it only after the commit. */
  readonly #fresh = new Set<string>();
  /** Stored answers to a single question that no task has used yet. */
  readonly #nullResumes: Key[];
  #pending: Promise<void> = Promise.resolve();
  #failure: Error | null = null;
  #closed = false;
  /** Finished bytes for which the worker has not received credit yet. */
  #doneBytes = 0;
  #endHeard = false;
  readonly #signals: Int32Array;
  #framesTaken = 0;

  constructor(port: MessagePort, signals: SharedArrayBuffer, stores: Stores, binding: PortBinding, hooks: PortHooks) {
    this.#port = port;
    this.#signals = new Int32Array(signals);
    this.#stores = stores;
    this.#binding = binding;
    this.#hooks = hooks;
    this.#nullResumes = binding.nullResume === null ? [] : [binding.nullResume];
    this.#undo = new UndoLog(binding.tag.runId, binding.tag.lease * UNDO_PER_LEASE);
    port.on('message', (bytes: Uint8Array) => this.#receive(bytes));
    // A dead worker's runs are settled by the pool; the port itself has nothing to add.
    port.on('messageerror', () => this.close());
  }

  /** Everything written so far is on disk. Rejects when a write of this lease failed. */
  get pending(): Promise<void> {
    return this.#failure ? Promise.reject(this.#failure) : this.#pending;
  }

  cancel(reason: string): void {
    this.#send({ type: 'run.cancel', reason });
  }

  /** Asks for frames: whatever the graph does from now on is heard. */
  listen(): void {
    Atomics.store(this.#signals, LISTENING, 1);
  }

  /** The worker has told how the run ended, or nothing that it tells counts any more. */
  get isOver(): boolean {
    return this.#endHeard || this.#closed;
  }

  /** How many frames the worker has made that did not arrive here. Once the worker is dead they are lost. */
  get framesMissing(): number {
    return Atomics.load(this.#signals, FRAMES_MADE) - this.#framesTaken;
  }

  /** Fences the worker off: what it still sends is ignored. The port itself is closed when the worker lets go. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#port.unref();
    this.#port.removeAllListeners('message');
    setTimeout(() => this.#port.close(), LIMITS.silentMs).unref();
  }

  #send(message: ToWorker): void {
    if (!this.#closed) post(this.#port, message);
  }

  /** One message holds what the worker did in one turn; it becomes one commit. */
  #receive(bytes: Uint8Array): void {
    if (this.#closed) return;
    let commit: Commit | null = null;
    let batches: FrameBatch[] = [];
    /** Requests that are answered when the commit is on disk. */
    const replies: number[] = [];
    /** Settle when the parts of the message are on disk and published. */
    const underWay: Promise<void>[] = [];
    // All of one turn is one transaction, however many commits it is.
    const flush = (): void => {
      const written = commit === null ? null : this.#commit(commit);
      if (written !== null) underWay.push(written);
      for (const batch of batches) {
        const told = this.#hooks.frames(batch, this.#binding.resumable ? written : null);
        if (told !== null) underWay.push(told);
      }
      commit = null;
      batches = [];
    };
    const handle = (message: FromWorker): void => {
      switch (message.type) {
        case 'run.frames':
          this.#framesTaken += message.batch.lastSeq - message.batch.firstSeq + 1;
          if (this.#binding.resumable)
            this.#stores.events.append((commit ??= new Commit()), this.#binding.tag.runId, message.batch);
          batches.push(message.batch);
          break;
        case 'checkpoint.put':
          if (message.requestId !== null) replies.push(message.requestId);
          this.#putCheckpoint((commit ??= new Commit()), message);
          break;
        case 'checkpoint.view':
          this.#putView((commit ??= new Commit()), message);
          break;
        case 'checkpoint.writes':
          if (message.requestId !== null) replies.push(message.requestId);
          this.#putWrites((commit ??= new Commit()), message);
          break;
        case 'checkpoint.get':
        case 'checkpoint.list':
        case 'content.get':
        case 'memory.batch':
          // What the worker wrote before goes first.
          flush();
          void this.#answer(message);
          break;
        case 'run.ended':
          this.#endHeard = true;
          flush();
          this.#hooks.ended(message, this.pending);
          break;
        default:
          unreachable(message);
      }
    };
    for (const message of this.#read(bytes)) {
      try {
        handle(message);
      } catch (error) {
        // The run fails with its end, which may stand behind this in the same batch.
        this.#failed(error);
      }
    }
    flush();
    for (const requestId of replies)
      this.#reply(
        requestId,
        this.pending.then(() => null),
      );
    if (underWay.length === 0) this.#credit(bytes.byteLength);
    else
      Promise.all(underWay).then(
        () => this.#credit(bytes.byteLength),
        () => undefined,
      );
  }

  /** Gives the worker credit for finished bytes, in large steps: most runs end before the first one. */
  #credit(bytes: number): void {
    this.#doneBytes += bytes;
    if (this.#doneBytes < LIMITS.creditStepBytes) return;
    this.#send({ type: 'run.credit', bytes: this.#doneBytes });
    this.#doneBytes = 0;
  }

  /** None when it is no message. */
  #read(bytes: Uint8Array): FromWorker[] {
    try {
      const messages = unpack<unknown>(bytes);
      if (Array.isArray(messages)) return messages as FromWorker[];
      throw new Error('a worker said what is no message');
    } catch (error) {
      this.#failed(error);
      return [];
    }
  }

  #commit(commit: Commit): Promise<void> {
    this.#undo.flush(commit);
    const written = this.#stores.store.write(commit);
    this.#pending = written;
    written.catch((error: unknown) => this.#failed(error));
    return written;
  }

  #failed(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
  }

  #putCheckpoint(commit: Commit, message: Extract<FromWorker, { type: 'checkpoint.put' }>): void {
    const thread = this.#thread();
    this.#putContent(commit, thread, message.content, message.uses);
    const { ns, id, body } = message;
    this.#positions ??= new CheckpointPositions(this.#stores.checkpoints, thread.uid);
    const position = this.#positions.of(ns, id);
    this.#stores.checkpoints.putCheckpoint(commit, thread.uid, this.#binding.tag, this.#undo, {
      ns,
      id,
      position,
      body,
    });
    if (message.view !== null)
      this.#stores.checkpoints.putView(commit, thread.uid, this.#undo, message.ns, message.id, message.view.bytes);
    if (message.ns === '') {
      this.#hooks.headView(message.id, message.view);
      this.#consume(commit);
    }
  }

  #putView(commit: Commit, message: Extract<FromWorker, { type: 'checkpoint.view' }>): void {
    const thread = this.#thread();
    this.#putContent(commit, thread, message.content, message.uses);
    this.#stores.checkpoints.putView(commit, thread.uid, this.#undo, message.ns, message.id, message.view.bytes);
    if (message.ns === '') this.#hooks.headView(message.id, message.view);
  }

  #putWrites(commit: Commit, message: Extract<FromWorker, { type: 'checkpoint.writes' }>): void {
    const thread = this.#thread();
    this.#putContent(commit, thread, message.content, message.uses);
    this.#followAnswers(commit, thread, message);
    this.#stores.checkpoints.putWrites(
      commit,
      thread.uid,
      this.#binding.tag,
      this.#undo,
      message.ns,
      message.id,
      message.writes,
    );
    // A command's answers are its input: once they are stored, a retry must not give them again.
    const answers = message.writes.some((write) => write.taskId === NULL_TASK_ID || write.channel === RESUME_CHANNEL);
    if (this.#binding.hasCommand && answers) this.#consume(commit);
  }

  /**
   * An answer is used up in the commit that stores what the task did with it. The library forgets a used answer only in
   * memory; left in the store, it would answer the task's next question on a retry.
   */
  #followAnswers(
    commit: Commit,
    thread: ThreadRecord,
    message: Extract<FromWorker, { type: 'checkpoint.writes' }>,
  ): void {
    for (const write of message.writes) {
      if (write.channel !== RESUME_CHANNEL || INTERRUPT_ID.test(write.taskId)) continue;
      if (write.taskId === NULL_TASK_ID) {
        this.#nullResumes.push(keys.write(thread.uid, message.ns, message.id, write.taskId, write.idx));
        continue;
      }
      for (const key of this.#nullResumes.splice(0)) {
        this.#undo.note(key, this.#stores.store.get(key) ?? null);
        commit.remove(key);
      }
      const { alive } = this.#binding;
      const question = this.#stores.checkpoints.interruptIds(
        thread,
        message.ns,
        message.id,
        write.taskId,
        INTERRUPT_IDX,
      );
      if (alive === null || question.length === 0) continue;
      alive.answered.push(...question);
      this.#stores.runs.updateAlive(commit, alive);
    }
  }

  #consume(commit: Commit): void {
    const { alive } = this.#binding;
    if (alive === null || alive.inputConsumed) return;
    alive.inputConsumed = true;
    this.#stores.runs.updateAlive(commit, alive);
  }

  #putContent(commit: Commit, thread: ThreadRecord, content: readonly NewContent[], uses: Uint8Array): void {
    for (const [hash] of content) this.#fresh.add(hashKey(hash));
    for (const hash of splitHashes(uses)) {
      const key = hashKey(hash);
      if (!this.#fresh.has(key) && !this.#stores.checkpoints.hasContent(thread, key))
        throw fail('STORE_DAMAGED', { key: `content ${key}` });
    }
    this.#stores.checkpoints.putContent(commit, thread.uid, content);
  }

  #thread(): ThreadRecord {
    if (this.#binding.thread === null) throw fail('FOREIGN_THREAD', { asked: 'of a run that keeps nothing' });
    return this.#binding.thread;
  }

  async #answer(
    message: Extract<FromWorker, { type: 'checkpoint.get' | 'checkpoint.list' | 'content.get' | 'memory.batch' }>,
  ): Promise<void> {
    this.#reply(message.requestId, this.#answerTo(message));
  }

  async #answerTo(
    message: Extract<FromWorker, { type: 'checkpoint.get' | 'checkpoint.list' | 'content.get' | 'memory.batch' }>,
  ): Promise<ReplyValues[keyof ReplyValues]> {
    const { caller } = this.#binding;
    const { checkpoints } = this.#stores;
    if (message.type === 'memory.batch')
      return applyMemory(this.#stores, caller, message.operations, () => !this.#closed);
    // A run reads its own writes: what it has sent is on disk before it is answered.
    await this.#pending;
    const thread = this.#thread();
    switch (message.type) {
      case 'checkpoint.get': {
        const saved = checkpoints.saved(caller, thread, message.ns, message.id) ?? null;
        return {
          saved,
          content: saved === null ? [] : checkpoints.contentOf(caller, thread, saved, LIMITS.jobItemBytesMax),
        };
      }
      case 'checkpoint.list': {
        const found = [];
        for (const record of checkpoints.list(caller, thread, message.ns, message.before)) {
          if (found.length >= message.limit) break;
          found.push(checkpoints.savedForm(caller, thread, record));
        }
        return found;
      }
      case 'content.get':
        return message.hashes.map((hash) => checkpoints.content(caller, thread, hash) ?? null);
    }
  }

  #reply(requestId: number, value: Promise<unknown>): void {
    value.then(
      (answer) => this.#send({ type: 'reply', requestId, ok: true, value: answer }),
      (error: unknown) => this.#send({ type: 'reply', requestId, ok: false, error: toErrorRecord(error) }),
    );
  }
}
