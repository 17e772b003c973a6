import type { Caller } from '../../domain/caller.js';
import { jsonBytes, type JsonObject } from '../../base/json/json.js';
import { encodeOnce } from '../../base/json/encode-once.js';
import { LIMITS } from '../../base/limits.js';
import type { StoredAnswer } from '../../pool/graphs/run-port.js';
import type { Stores } from '../../store/stores.js';
import { isResumeMap } from '../../store/runs/kwargs.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import { WIRE_VERSION, type RunJob, type ThreadJob } from '../../wire/runs/messages.js';
import type { TraceJob } from '../../wire/runs/spans.js';
import type { GraphSource } from '../../wire/user-code/graph-source.js';
import { NO_CONTENT } from '../../wire/runs/content-block.js';
import { unpackBody, unpackMetadata, type SavedCheckpoint } from '../../wire/runs/state.js';
import type { LiveRun } from './live.js';
import { userConfigurable } from './user-configurable.js';

const NULL_TASK_ID = '00000000-0000-0000-0000-000000000000';
const RESUME_IDX = -4;

/** The state that a worker starts from, and where the thread's newest checkpoint of the root is stored. */
export interface ThreadStart {
  state: Pick<ThreadJob, 'head' | 'headShown' | 'warm' | 'content' | 'namespaces'>;
  /** Null without a checkpoint. */
  newestPosition: string | null;
}

export interface RunStart extends Pick<ThreadStart, 'newestPosition'> {
  job: RunJob;
}

/**
 * Everything that a worker needs for the next attempt. `rememberedHead` is the checkpoint that it has in memory,
 * `trace` says how it records the run, and `code` is the code to run instead of that which the worker has.
 */
export function runJob(
  stores: Stores,
  run: LiveRun,
  { rememberedHead, trace, code }: { rememberedHead: string | null; trace: TraceJob | null; code: GraphSource | null },
): RunStart {
  const { kwargs, record, thread, caller, alive } = run;
  const stored = alive === null ? null : thread.record;
  const { state, newestPosition } = startOf(stores, caller, stored, rememberedHead);
  const { head } = state;
  const { input, command } = remainingInput(run);
  const own = stored === null || head === null ? null : reached(stores, run, stored, head);
  const job: RunJob = {
    wireVersion: WIRE_VERSION,
    runId: record.runId,
    threadId: record.threadId,
    graphId: record.graphId,
    assistantId: record.assistantId,
    lease: record.lease,
    attempt: record.attempt,
    persistent: stored !== null,
    input: encodeOnce(input),
    command: command === null ? null : jsonBytes(command),
    config: jsonBytes(own === null ? kwargs.config : fromHead(kwargs.config)),
    context: kwargs.context === null || kwargs.context === undefined ? null : jsonBytes(kwargs.context),
    user: jsonBytes({ ...userConfigurable(caller), ...traced(run) }),
    streamModes: kwargs.stream_mode,
    subgraphs: kwargs.subgraphs,
    interruptBefore: kwargs.interrupt_before,
    interruptAfter: kwargs.interrupt_after,
    durability: kwargs.durability,
    strictResume: kwargs.strict_resume,
    wantsResult: run.wantsResult,
    seq: thread.seq,
    announced: run.wantsFrames,
    ...state,
    reached: own,
    trace,
    code,
  };
  return { job, newestPosition };
}

export function startOf(
  stores: Stores,
  caller: Caller,
  stored: ThreadRecord | null,
  rememberedHead: string | null,
): ThreadStart {
  if (stored === null)
    return {
      state: { head: null, headShown: true, warm: false, content: NO_CONTENT, namespaces: [] },
      newestPosition: null,
    };
  const record = stores.checkpoints.newest(caller, stored);
  const head = record === undefined ? null : stores.checkpoints.toSaved(stored, record);
  const warm = head !== null && rememberedHead === head.id;
  const content =
    head === null || warm ? NO_CONTENT : stores.checkpoints.contentFor(caller, stored, head, LIMITS.jobItemBytesMax);
  const headShown = record === undefined || record.isSource || stores.checkpoints.viewSize(stored, record) > 0;
  const namespaces = stores.checkpoints.namespaces(caller, stored);
  return { state: { head, headShown, warm, content, namespaces }, newestPosition: record?.position ?? null };
}

/** The input that the graph has not taken yet. A retry omits what an earlier attempt has stored (promise P4). */
function remainingInput(run: LiveRun): { input: unknown; command: unknown } {
  const { input, command } = run.kwargs;
  if (run.alive?.inputConsumed !== true) return { input, command };
  if (command !== null && isResumeMap(command['resume'])) {
    const answers = Object.entries(command['resume']).filter(([id]) => !run.alive!.answered.includes(id));
    if (answers.length > 0) return { input: null, command: { resume: Object.fromEntries(answers) } };
  }
  return { input: null, command: null };
}

/** The parent of the graph's own spans. */
function traced({ observer }: LiveRun): JsonObject {
  const traceparent = observer?.traceparent ?? null;
  return traceparent === null ? {} : { traceparent };
}

/** A retry continues from what the run has stored, not from the checkpoint that the client named. */
function fromHead(config: JsonObject): JsonObject {
  const {
    checkpoint_id: _id,
    checkpoint_ns: _ns,
    checkpoint_map: _map,
    ...configurable
  } = config['configurable'] as JsonObject;
  return { ...config, configurable };
}

/**
 * For a retry from the run's own checkpoint: its next nodes, and the nodes that led to it. Breakpoints are checked
 * against both.
 */
function reached(stores: Stores, run: LiveRun, stored: ThreadRecord, head: SavedCheckpoint): RunJob['reached'] {
  if (run.alive?.inputConsumed !== true) return null;
  const { checkpoints } = stores;
  const record = checkpoints.get(run.caller, stored, '', head.id);
  if (record?.runId !== run.record.runId) return null;
  const body = unpackBody(head.body);
  const { source } = unpackMetadata(body.metadata);
  const parent =
    body.parentId === null || source !== 'loop' ? undefined : checkpoints.view(run.caller, stored, '', body.parentId);
  return { next: checkpoints.viewOf(stored, record)?.next ?? [], ran: parent?.next ?? [] };
}

/** The stored answer to the head's only interrupt, if an earlier attempt or run stored one; else null. */
export function storedAnswer(head: SavedCheckpoint | null): StoredAnswer | null {
  const write = head?.writes.find(({ taskId, idx }) => taskId === NULL_TASK_ID && idx === RESUME_IDX);
  return write === undefined ? null : { ns: '', id: head!.id, taskId: write.taskId, idx: write.idx };
}
