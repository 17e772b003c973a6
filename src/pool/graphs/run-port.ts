import type { Caller } from '../../domain/caller.js';
import { toErrorRecord, fail } from '../../base/errors.js';
import { unreachable } from '../../base/assert.js';
import { Commit } from '../../store/store.js';
import type { Key, WriteId } from '../../store/keys.js';
import type { Stores } from '../../store/stores.js';
import { CheckpointPositions } from '../../store/threads/checkpoint-positions.js';
import type { WriterTag } from '../../store/threads/checkpoint-rows.js';
import { CheckpointWriter } from '../../store/threads/checkpoint-writer.js';
import type { ActiveRunRecord } from '../../store/runs/runs.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import { unpack } from '../../wire/codec.js';
import type { FrameBatch } from '../../wire/runs/frame.js';
import type { FromWorker, PackedView, ReplyValues, ToWorker } from '../../wire/runs/messages.js';
import { NO_CONTENT } from '../../wire/runs/content-block.js';
import { hashKey, splitHashes, type NewContent } from '../../wire/runs/state.js';
import { LIMITS } from '../../base/limits.js';
import { applyMemoryOperations } from './memory-port.js';
import type { RunChannel } from './run-channel.js';

/** Context of one dispatch of a run. All messages of the worker apply to this context only. */
export interface PortBinding {
  caller: Caller;
  /** Null for a run that stores nothing. */
  thread: ThreadRecord | null;
  tag: WriterTag;
  /** Null if the run is not stored. */
  alive: ActiveRunRecord | null;
  /** True if frames are also stored. */
  resumable: boolean;
  hasCommand: boolean;
  /** The stored answer to the head's single interrupt, if an earlier attempt stored one. */
  nullResume: StoredAnswer | null;
  /** Namespaces that the thread has. */
  namespaces: readonly string[];
  /** Position of the thread's newest checkpoint of the root; null without one. It is read if it is not given. */
  newestPosition?: string | null;
  /** Id of the first event that can arrive. */
  nextSeq: number;
  /** Number of frames that this attempt's worker has sent already, to an earlier owner of the cluster. */
  framesSent: number;
}

/** A message of the worker that is not finished, or that follows one that is not. */
interface OpenMessage {
  bytes: number;
  /** Id of the first event after it. */
  nextSeq: number;
  /** Ids of its requests to change long-term memory. */
  memoryRequests: readonly number[];
  isFinished: boolean;
}

/** A write that holds an answer, and its checkpoint. */
export interface StoredAnswer extends WriteId {
  ns: string;
  id: string;
}

/** Where a run stores its checkpoints. */
interface RunTarget {
  thread: ThreadRecord;
  writer: CheckpointWriter;
  positions: CheckpointPositions;
}

export interface RunPortHooks {
  /**
   * Receives events of the run. `written` settles when they are on disk; null if they are not stored. Returns
   * null if they are already published, otherwise a promise that settles when they are.
   */
  onFrames(batch: FrameBatch, written: Promise<void> | null): Promise<void> | null;
  /** The thread has a new head checkpoint. `view` is null if it follows later. */
  onHeadView(checkpointId: string, view: PackedView | null): void;
  /**
   * Steps of the run have begun or ended. `steps`: see `packSteps`. `leftOut`: number of further steps that are not
   * recorded. Called only if the job asks for them.
   */
  onSteps?(steps: Uint8Array, leftOut: number): void;
  onRecording?(recording: Uint8Array): void;
  /**
   * The worker has finished. All that it wrote is passed to the store, so later commits reach the disk after it. Wait
   * for `written` to read it. `failure`: something could not be passed to the store.
   */
  onEnd(end: Extract<FromWorker, { type: 'run.ended' }>, failure: Error | null): void;
}

/** Copies of LangGraph's NULL_TASK_ID and RESUME, which define how the answers of a command are stored. */
const NULL_TASK_ID = '00000000-0000-0000-0000-000000000000';
const RESUME_CHANNEL = '__resume__';
/** A map of answers is stored under interrupt ids (XXH3, 32 hex digits) in the place of task ids. */
const INTERRUPT_ID = /^[0-9a-f]{32}$/;

/**
 * Applies what a worker sends for one dispatch of a run with one lease. After `close`, its messages change nothing
 * (P6).
 */
export class RunPort {
  readonly #channel: RunChannel;
  readonly #stores: Stores;
  readonly #binding: PortBinding;
  readonly #hooks: RunPortHooks;
  /** Null for a run that stores nothing. */
  readonly #target: RunTarget | null;
  /** Hashes of content that this lease has put. lmdb returns the content only after the commit. */
  readonly #addedContent = new Set<string>();
  /** Stored answers to a single interrupt that no task has used yet. */
  readonly #nullResumes: StoredAnswer[];
  #written: Promise<void> = Promise.resolve();
  #failure: Error | null = null;
  #isFenced = false;
  #isClosed = false;
  /** In the order in which they came. */
  readonly #openMessages: OpenMessage[] = [];
  /** Bytes of finished messages that the channel was not told of yet. */
  #finishedBytes = 0;
  /** Ids of requests in them to change long-term memory. */
  readonly #finishedRequests: number[] = [];
  #endReceived = false;
  #framesReceived: number;
  #nextSeq: number;

  constructor(channel: RunChannel, stores: Stores, binding: PortBinding, hooks: RunPortHooks) {
    this.#channel = channel;
    this.#stores = stores;
    this.#binding = binding;
    this.#hooks = hooks;
    this.#nullResumes = binding.nullResume === null ? [] : [binding.nullResume];
    this.#framesReceived = binding.framesSent;
    this.#nextSeq = binding.nextSeq;
    const { thread, tag, namespaces, newestPosition } = binding;
    this.#target =
      thread === null
        ? null
        : {
            thread,
            writer: new CheckpointWriter(stores.store, thread.uid, tag, namespaces),
            positions: new CheckpointPositions(stores.checkpoints, thread.uid, newestPosition),
          };
    channel.receive(
      (bytes) => this.#receive(bytes),
      // The pool settles the runs of a dead worker. Nothing else is needed here.
      () => this.close(),
    );
  }

  /** Resolves when everything written so far is on disk. Rejects if a write of this lease failed. */
  get written(): Promise<void> {
    return this.#failure ? Promise.reject(this.#failure) : this.#written;
  }

  /** Keys of the undo records of this dispatch. The last ones may not be on disk yet. */
  get undoKeys(): readonly Key[] {
    return this.#target?.writer.undoKeys ?? [];
  }

  cancel(reason: string): void {
    this.#send({ type: 'run.cancel', reason });
  }

  /** Requests frames: the worker sends all events from now on. */
  requestFrames(): void {
    this.#channel.requestFrames();
  }

  /** True if the worker has reported the end of the run, or its messages no longer count. */
  get isFinished(): boolean {
    return this.#endReceived || this.#isFenced;
  }

  /**
   * Number of frames that the worker has created and that have not arrived here. They are lost if the worker is
   * dead.
   */
  get framesMissing(): number {
    return this.#channel.framesMade - this.#framesReceived;
  }

  /**
   * Fences off the worker: its further messages are ignored. Until `close`, another owner of the cluster can take the
   * run over.
   */
  fence(): void {
    this.#isFenced = true;
  }

  /** Fences off the worker and lets go of it. */
  close(): void {
    this.#isFenced = true;
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#channel.close(this.#endReceived);
  }

  #send(message: ToWorker): void {
    if (!this.#isFenced) this.#channel.send(message);
  }

  /** A message contains everything that the worker did in one turn of its event loop. It becomes one commit. */
  #receive(bytes: Uint8Array): void {
    if (this.#isFenced) return;
    let commit: Commit | null = null;
    let batches: FrameBatch[] = [];
    /** Requests to answer when the commit is on disk. */
    const replies: number[] = [];
    /** Settle when the parts of the message are on disk, published and answered. */
    const underWay: Promise<void>[] = [];
    const memoryRequests: number[] = [];
    // All commits of one turn become one transaction.
    const flush = (): void => {
      const written = commit === null ? null : this.#commit(commit);
      if (written !== null) underWay.push(written);
      for (const batch of batches) {
        const published = this.#hooks.onFrames(batch, this.#binding.resumable ? written : null);
        if (published !== null) underWay.push(published);
      }
      commit = null;
      batches = [];
    };
    const handle = (message: FromWorker): void => {
      switch (message.type) {
        case 'run.frames':
          this.#countFrames(message.batch);
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
          // Everything that the worker wrote before comes first.
          flush();
          if (message.type === 'memory.batch') memoryRequests.push(message.requestId);
          underWay.push(this.#reply(message.requestId, this.#readValue(message)));
          break;
        case 'trace.steps':
          this.#hooks.onSteps?.(message.steps, message.leftOut);
          break;
        case 'trace.recording':
          this.#hooks.onRecording?.(message.recording);
          break;
        case 'run.ended':
          this.#endReceived = true;
          if (message.questions) this.#countFrames(message.questions);
          flush();
          this.#hooks.onEnd(message, this.#failure);
          break;
        default:
          unreachable(message);
      }
    };
    for (const message of this.#decode(bytes)) {
      try {
        handle(message);
      } catch (error) {
        // The run fails when it ends, and its end may come later in this batch.
        this.#recordFailure(error);
      }
    }
    flush();
    for (const requestId of replies)
      underWay.push(
        this.#reply(
          requestId,
          this.written.then(() => null),
        ),
      );
    const isFinished = underWay.length === 0;
    const open = { bytes: bytes.byteLength, nextSeq: this.#nextSeq, memoryRequests, isFinished };
    this.#openMessages.push(open);
    if (isFinished) this.#finishMessages();
    else
      Promise.all(underWay).then(
        () => {
          open.isFinished = true;
          this.#finishMessages();
        },
        () => undefined,
      );
  }

  #countFrames({ firstSeq, lastSeq }: FrameBatch): void {
    this.#framesReceived += lastSeq - firstSeq + 1;
    this.#nextSeq = lastSeq + 1;
  }

  /** Tells the channel of finished messages, in large steps: most runs end before the first one. */
  #finishMessages(): void {
    const open = this.#openMessages;
    while (open[0]?.isFinished === true) {
      const { bytes, nextSeq, memoryRequests } = open.shift()!;
      this.#finishedBytes += bytes;
      if (memoryRequests.length > 0) this.#finishedRequests.push(...memoryRequests);
      if (this.#finishedBytes < this.#channel.finishStepBytes || this.#isFenced) continue;
      this.#channel.finish(this.#finishedBytes, nextSeq);
      this.#finishedBytes = 0;
      this.#forgetRequests();
    }
  }

  /** The worker's node does not send finished requests again. */
  #forgetRequests(): void {
    if (this.#finishedRequests.length === 0) return;
    const finished = new Set(this.#finishedRequests.splice(0));
    const place = this.#binding.alive?.place ?? null;
    if (place !== null) place.memoryRequests = place.memoryRequests.filter((requestId) => !finished.has(requestId));
  }

  /** Returns an empty list if the bytes are not a message. */
  #decode(bytes: Uint8Array): FromWorker[] {
    try {
      const messages = unpack<unknown>(bytes);
      if (Array.isArray(messages)) return messages as FromWorker[];
      throw new Error('a worker sent something that is not a message');
    } catch (error) {
      this.#recordFailure(error);
      return [];
    }
  }

  #commit(commit: Commit): Promise<void> {
    this.#target?.writer.flush(commit);
    const written = this.#stores.store.write(commit);
    this.#written = written;
    written.catch((error: unknown) => this.#recordFailure(error));
    return written;
  }

  #recordFailure(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
  }

  #putCheckpoint(commit: Commit, message: Extract<FromWorker, { type: 'checkpoint.put' }>): void {
    const { thread, writer, positions } = this.#requireTarget();
    this.#putContent(commit, thread, message.content, message.uses);
    const { ns, id, body, view } = message;
    const place = { ns, id, ...positions.assign(ns, id) };
    writer.putCheckpoint(commit, place, { body, view: view?.bytes ?? null });
    if (ns !== '') return;
    this.#hooks.onHeadView(id, view);
    // Not stored: the next start finds a checkpoint of this run.
    if (this.#binding.alive !== null) this.#binding.alive.inputConsumed = true;
  }

  #putView(commit: Commit, message: Extract<FromWorker, { type: 'checkpoint.view' }>): void {
    const { thread, writer, positions } = this.#requireTarget();
    this.#putContent(commit, thread, message.content, message.uses);
    const { ns, id, view } = message;
    const position = positions.of(ns, id);
    if (position !== null) writer.putView({ ns, position }, view.bytes);
    if (ns === '') this.#hooks.onHeadView(id, view);
  }

  #putWrites(commit: Commit, message: Extract<FromWorker, { type: 'checkpoint.writes' }>): void {
    const { thread, writer, positions } = this.#requireTarget();
    this.#putContent(commit, thread, message.content, message.uses);
    this.#deleteUsedAnswers(commit, message);
    const { ns, id } = message;
    writer.putWrites({ ns, id, position: positions.of(ns, id) }, message.writes);
    // The answers of a command are its input. Once they are stored, a retry must not give them again.
    const answers = message.writes.some((write) => write.taskId === NULL_TASK_ID || write.channel === RESUME_CHANNEL);
    if (this.#binding.hasCommand && answers) this.#storeInputConsumed(commit);
  }

  /**
   * Deletes a used answer in the commit that stores what the task did with it. The library deletes it only in
   * memory. If it stayed in the store, it would answer the task's next interrupt on a retry.
   */
  #deleteUsedAnswers(commit: Commit, message: Extract<FromWorker, { type: 'checkpoint.writes' }>): void {
    const { thread, writer, positions } = this.#requireTarget();
    const { ns, id } = message;
    for (const { taskId, idx, channel } of message.writes) {
      if (channel !== RESUME_CHANNEL || INTERRUPT_ID.test(taskId)) continue;
      if (taskId === NULL_TASK_ID) {
        this.#nullResumes.push({ ns, id, taskId, idx });
        continue;
      }
      for (const answer of this.#nullResumes.splice(0)) {
        const position = positions.of(answer.ns, answer.id);
        writer.removeWrite(commit, { ...answer, position }, answer);
      }
      const { alive } = this.#binding;
      const interruptIds = this.#stores.checkpoints.interruptIds(thread, ns, id, taskId);
      if (alive === null || interruptIds.length === 0) continue;
      alive.answered.push(...interruptIds);
      this.#stores.runs.updateActive(commit, alive);
    }
  }

  #storeInputConsumed(commit: Commit): void {
    const { alive } = this.#binding;
    if (alive === null || alive.inputConsumed) return;
    alive.inputConsumed = true;
    this.#stores.runs.updateActive(commit, alive);
  }

  #putContent(commit: Commit, thread: ThreadRecord, content: readonly NewContent[], uses: Uint8Array): void {
    for (const [hash] of content) this.#addedContent.add(hashKey(hash));
    for (const hash of splitHashes(uses)) {
      const key = hashKey(hash);
      if (!this.#addedContent.has(key) && !this.#stores.checkpoints.hasContent(thread, key))
        throw fail('STORE_DAMAGED', { key: `content ${key}` });
    }
    this.#stores.checkpoints.putContent(commit, thread.uid, content);
  }

  #requireTarget(): RunTarget {
    if (this.#target === null) throw fail('FOREIGN_THREAD', { asked: 'of a run that keeps nothing' });
    return this.#target;
  }

  async #readValue(
    message: Extract<FromWorker, { type: 'checkpoint.get' | 'checkpoint.list' | 'content.get' | 'memory.batch' }>,
  ): Promise<ReplyValues[keyof ReplyValues]> {
    const { caller } = this.#binding;
    const { checkpoints } = this.#stores;
    if (message.type === 'memory.batch') return this.#applyMemory(message);
    // A run reads its own writes, so they must be on disk before the reply.
    await this.#written;
    const { thread } = this.#requireTarget();
    switch (message.type) {
      case 'checkpoint.get': {
        const saved = checkpoints.loadSaved(caller, thread, message.ns, message.id) ?? null;
        return {
          saved,
          content: saved === null ? NO_CONTENT : checkpoints.contentFor(caller, thread, saved, LIMITS.jobItemBytesMax),
        };
      }
      case 'checkpoint.list': {
        const found = [];
        for (const record of checkpoints.list(caller, thread, message.ns, message.before)) {
          if (found.length >= message.limit) break;
          found.push(checkpoints.toSaved(thread, record));
        }
        return found;
      }
      case 'content.get':
        return message.hashes.map((hash) => checkpoints.content(caller, thread, hash) ?? null);
    }
  }

  /**
   * An earlier owner of the cluster may have written the changes of a request whose answer the worker did not get. They
   * are not written again, because others may have changed the items since.
   */
  #applyMemory({
    requestId,
    operations,
  }: Extract<FromWorker, { type: 'memory.batch' }>): Promise<ReplyValues['memory.batch']> {
    const { caller, alive } = this.#binding;
    return applyMemoryOperations(this.#stores, caller, operations, {
      isCurrent: () => !this.#isFenced,
      isWritten: alive?.place?.memoryRequests.includes(requestId) === true,
      onWrite: (commit) => {
        if (alive === null || !alive.place) return;
        alive.place.memoryRequests.push(requestId);
        this.#stores.runs.updateActive(commit, alive);
      },
    });
  }

  /** Resolves when the reply is sent. */
  #reply(requestId: number, value: Promise<unknown>): Promise<void> {
    return value.then(
      (answer) => this.#send({ type: 'reply', requestId, ok: true, value: answer }),
      (error: unknown) => this.#send({ type: 'reply', requestId, ok: false, error: toErrorRecord(error) }),
    );
  }
}
