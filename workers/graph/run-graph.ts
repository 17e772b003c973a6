import type { MessagePort } from 'node:worker_threads';
import { toErrorRecord, type ErrorRecord } from '../../src/base/errors.js';
import { asObject, parseJson, utf8, type JsonObject } from '../../src/base/json/json.js';
import { parseInPieces } from '../../src/base/json/parse-in-pieces.js';
import { LIMITS } from '../../src/base/limits.js';
import { unreachable } from '../../src/base/assert.js';
import { unpack } from '../../src/wire/codec.js';
import type { GraphWorkerData } from '../../src/wire/user-code/graph-source.js';
import {
  WIRE_VERSION,
  type EditJob,
  type EndStatus,
  type LoadReport,
  type ResumeRefusal,
  type RunJob,
  type ToWorker,
  type WorkerTask,
} from '../../src/wire/runs/messages.js';
import { exposeLoggerToSdk } from '../../src/wire/user-code/code-log.js';
import { exposeServerToSdk } from '../../src/wire/user-code/sdk-client.js';
import { guardProcess } from '../../src/wire/user-code/process-guard.js';
import { primordials } from '../../src/wire/user-code/primordials.js';
import { LISTENING } from '../../src/wire/runs/run-signals.js';
import { setLoadingGraph, startHeartbeat } from '../../src/wire/thread-metrics.js';
import { readWorkerData } from '../../src/wire/worker-data.js';
import { editState } from './edit-state.js';
import { Emitter, libraryModes, type LibraryMode } from './emitter.js';
import { graphHost, type Graph } from './graph-host.js';
import { commandOf, jobConfig } from './job-config.js';
import type { Library } from './library.js';
import { createItemStore } from './item-store.js';
import { Outbox } from './outbox.js';
import { yieldBetweenChunks } from './stream-yield.js';
import { answerProbes } from './probe.js';
import { cacheEnvironment } from './optimizations/environment.js';
import { poolRandomValues } from './optimizations/random-values.js';
import { observeOutside } from './recording/observe-outside.js';
import { openScope } from './recording/open-scope.js';
import { runScope } from './recording/run-scope.js';
import { stopBeforeGraph, waitForDebugger } from './replay/debugger.js';
import { RunReplayer } from './replay/run-replayer.js';
import { ProtocolEvents, type LibraryEvent } from './protocol-events.js';
import { createSaver } from './saver.js';
import { SpanRecorder } from './span-recorder.js';
import { Values } from './values.js';
import { isCheckpointChunk, Views, type CheckpointChunk } from './views.js';
import { warmThreads } from './warm.js';
import { WireJson } from './wire-json.js';

const { own, optimizations, outside } = readWorkerData<GraphWorkerData>();
if (optimizations.includes('environment')) cacheEnvironment();
if (optimizations.includes('random-values')) poolRandomValues();
if (outside.mode === 'recorded') observeOutside();
exposeServerToSdk(own);
guardProcess();

/** One per thread: text serialized for one run's stream is reused for the next run's checkpoint. */
const json = new WireJson();

/** The heap shrinks only until then, because people wait for what this thread does. */
let hasWorked = false;

/** Entry point of a graph worker's tasks. A task never rejects: whatever a graph does, its run ends with a status. */
export default async function work(task: WorkerTask): Promise<LoadReport | null> {
  switch (task.type) {
    case 'load': {
      if (outside.mode === 'replayed') {
        (await import('./replay/replace-outside.js')).replaceOutside(outside);
        if (outside.debugPort !== null) waitForDebugger(outside.debugPort);
      }
      const logError = exposeLoggerToSdk(task.log as MessagePort, () => graphHost.currentRun);
      const report = await graphHost.loadAll((position) => setLoadingGraph(task.beat, position), logError);
      startHeartbeat(task.beat, () => !hasWorked);
      answerProbes(task.probe as MessagePort);
      return report;
    }
    case 'run':
      hasWorked = true;
      await startTogether();
      await runGraph(unpack<RunJob>(task.job), task.port as MessagePort, new Int32Array(task.signals));
      return null;
    case 'edit':
      hasWorked = true;
      await editState(unpack<EditJob>(task.job), task.port as MessagePort, json);
      return null;
    default:
      return unreachable(task);
  }
}

let start: Promise<void> | null = null;

/**
 * Starts runs that arrive in the same turn of the event loop together. Their steps then interleave, and the
 * library's code stays in the CPU caches. Started one after the other, they take about a third longer
 * (bench/runs-wait.bench.ts).
 */
function startTogether(): Promise<void> {
  return (start ??= new Promise((resolve) => {
    primordials.setImmediate(() => {
      start = null;
      resolve();
    });
  }));
}

async function runGraph(received: RunJob, port: MessagePort, signals: Int32Array): Promise<void> {
  if (outside.mode === 'live') return attemptRun(received, port, signals, null);
  const { job, scope, reportFile } = await openScope(received, outside, await graphHost.library);
  if (scope === null) return attemptRun(job, port, signals, null);
  const finishScope = async ({ status, error }: RunEnd): Promise<Uint8Array | null> => {
    if (scope instanceof RunReplayer) {
      if (reportFile !== null) scope.writeReport(reportFile);
      return null;
    }
    const isKept = job.trace?.calls === 'all' || status === 'error';
    const recording = isKept ? await scope.finish({ status, error: error?.message ?? null }) : null;
    scope.release();
    return recording;
  };
  if (outside.mode === 'replayed' && outside.debugPort !== null) stopBeforeGraph();
  return runScope.run(scope, () => attemptRun(job, port, signals, finishScope));
}

interface RunEnd {
  status: EndStatus;
  error: ErrorRecord | null;
}

/** `onEnd` is called before the end is sent. It resolves with what the run got from outside, if that is kept. */
async function attemptRun(
  job: RunJob,
  port: MessagePort,
  signals: Int32Array,
  onEnd: ((end: RunEnd) => Promise<Uint8Array | null>) | null,
): Promise<void> {
  const outbox = new Outbox(port, job.seq, { signals, isFirstFrameUrgent: !job.announced });
  const abort = new AbortController();
  const hasListeners = (): boolean => Atomics.load(signals, LISTENING) === 1;
  port.on('message', (bytes: Uint8Array) => {
    const message = unpack<ToWorker>(bytes);
    switch (message.type) {
      case 'run.cancel':
        abort.abort(new RunCancelled(message.reason));
        break;
      case 'run.credit':
        outbox.addCredit(message.bytes);
        break;
      case 'reply':
        outbox.settleRequest(message.requestId, message.ok, message.ok ? message.value : message.error);
        break;
      default:
        unreachable(message);
    }
  });
  // User code may close the port. Pending requests are then rejected.
  port.on('close', () => outbox.close());

  let status: EndStatus = 'success';
  let error: ErrorRecord | null = null;
  let result = '{}';
  let views: Views | null = null;
  let isInterrupted = false;
  let refusal: ResumeRefusal | null = null;
  const isProtocol = job.streamModes.includes('protocol');
  // An older owner of the cluster does not know of traces.
  const { trace, runId, graphId, lease, attempt } = job;
  const { hideFunction } = graphHost;
  const recorder = trace
    ? new SpanRecorder({ trace, runId, graphId, lease, attempt, outbox, json, hideFunction })
    : null;
  try {
    if (job.wireVersion !== WIRE_VERSION)
      throw new Error(`This worker uses wire version ${WIRE_VERSION}, the server ${job.wireVersion}.`);
    // In the second protocol, the main thread emits the start and end of a run.
    if (hasListeners() && !isProtocol && !job.announced)
      outbox.frame('metadata', JSON.stringify({ run_id: job.runId, attempt: job.attempt }));
    const library = await graphHost.library;
    const config = runConfig(job);
    const graph = await graphHost.graph(job.graphId, config, { source: job.code });
    const values = new Values(library, library.serde, json);
    views = job.persistent ? new Views(outbox, values, json) : null;
    // Each run uses an object that inherits from the graph, so that the graph itself stays unchanged.
    const runGraphObject = Object.create(graph) as Graph;
    runGraphObject.checkpointer = views === null ? undefined : createSaver(library, { job, outbox, values, views });
    runGraphObject.store = createItemStore(library, outbox);
    yieldBetweenChunks(runGraphObject, outbox);
    const emitter = new Emitter({ outbox, json, views, wanted: job.streamModes, subgraphs: job.subgraphs, signals });
    if (reachedBreakpoint(job, graph)) {
      // The previous attempt reached its breakpoint. Continuing here would skip it.
      result = 'null';
    } else {
      const state = (): Promise<unknown> => runGraphObject.getState({ configurable: { thread_id: job.threadId } });
      // Its view was lost in a crash, or with a cancelled run. The graph emits only the checkpoints after it.
      if (!job.headShown) await views?.sendHead(state);
      try {
        const { signal } = abort;
        const execution = { graph: runGraphObject, library, job, config, emitter, outbox, signal, recorder };
        if (isProtocol) await streamProtocolRun(execution, new ProtocolEvents({ outbox, json, signals }));
        else await streamRun(execution);
      } finally {
        if (!abort.signal.aborted) await views?.completeHead(state);
      }
      isInterrupted = emitter.interrupts !== null;
      if (isInterrupted) views?.onInterrupt(emitter.lastValues);
      if (job.wantsResult) result = emitter.result();
    }
  } catch (thrown) {
    if (abort.signal.aborted) {
      status = 'interrupted';
      // Checkpoints that this run stored after the main thread had fenced it off were discarded.
      warmThreads.forget(job.threadId);
    } else {
      status = 'error';
      error = toErrorRecord(thrown);
      if (isMissingThread(thrown) && !job.persistent) error.message = MISSING_THREAD;
      refusal = findRefusal(thrown);
      if (hasListeners() && !isProtocol)
        outbox.frame('error', JSON.stringify({ error: error.name, message: error.message }));
    }
  }
  // The main thread ignores all messages after the end.
  await views?.flush();
  const recording = onEnd === null ? null : await onEnd({ status, error });
  await recorder?.pricing;
  // In one message, and the steps first: a reader of a trace that has ended finds its recording.
  recorder?.finish();
  if (recording !== null) outbox.send({ type: 'trace.recording', recording });
  outbox.send({
    type: 'run.ended',
    status,
    error,
    lastSeq: outbox.lastSeq,
    result: utf8(result),
    asks: isInterrupted,
    questions: outbox.takeKept(),
    refusal,
  });
  outbox.close();
  // A port lives until the next full garbage collection, and with it all that its listeners refer to.
  port.removeAllListeners();
  port.unref();
}

/** What a run is executed with. */
interface Execution {
  /** The run's own object. */
  graph: Graph;
  library: Library;
  job: RunJob;
  config: JsonObject;
  emitter: Emitter;
  outbox: Outbox;
  /** Aborted when the run is cancelled. */
  signal: AbortSignal;
  /** Null if the run is not recorded as a trace. */
  recorder: SpanRecorder | null;
}

async function streamRun(execution: Execution): Promise<void> {
  const { graph, library, job, emitter, outbox, signal } = execution;
  // Subgraph checkpoints have views too, so subgraph chunks are needed whenever checkpoints are stored.
  const subgraphs = job.subgraphs || job.persistent;
  const options = { ...runOptions(execution), streamMode: libraryModes(job.streamModes, job.persistent), subgraphs };
  const input = await runInput(job, library);
  const take = (chunk: unknown): void => {
    if (subgraphs) {
      const [ns, mode, payload] = chunk as [string[], LibraryMode, unknown];
      emitter.chunk(ns, mode, payload);
    } else {
      const [mode, payload] = chunk as [LibraryMode, unknown];
      emitter.chunk([], mode, payload);
    }
  };
  const endStream = (): void => {
    outbox.keepFrames();
    emitter.sendInterrupts();
  };
  if (!job.streamModes.includes('events')) {
    const stream = await graph.stream(input, options as never);
    cancelOn(signal, stream);
    for await (const chunk of stream) {
      take(chunk);
      if (outbox.isFull) await outbox.waitForCredit();
    }
    endStream();
    return;
  }
  const events = (await graph.streamEvents(input, {
    ...options,
    signal,
    version: 'v2',
  } as never)) as unknown as AsyncIterable<{ event: string; run_id: string; data: { chunk?: unknown } }>;
  for await (const event of events) {
    const ofRun = event.event === 'on_chain_stream' && event.run_id === job.runId;
    if (!ofRun) emitter.libraryEvent(event);
    else {
      const [mode] = (event.data.chunk as unknown[]).slice(subgraphs ? 1 : 0) as [LibraryMode];
      if (emitter.wantsMode(mode))
        emitter.libraryEvent({
          ...event,
          data: { ...event.data, chunk: clientChunk(event.data.chunk, job, subgraphs) },
        });
      take(event.data.chunk);
    }
    if (outbox.isFull) await outbox.waitForCredit();
  }
  endStream();
}

/** Like `streamRun`, for clients of the second protocol (streaming-protocol-v2.md, section 16). */
async function streamProtocolRun(execution: Execution, events: ProtocolEvents): Promise<void> {
  const { graph, library, job, emitter, outbox, signal } = execution;
  const { createGraphRunStream, STREAM_EVENTS_V3_MODES } = library.langgraph;
  // Views need the full checkpoints, while the protocol only sends an envelope of each.
  const options = {
    ...runOptions(execution),
    version: 'v3',
    streamMode: [...STREAM_EVENTS_V3_MODES, 'checkpoints'],
    subgraphs: true,
  };
  const source = await graph.stream(await runInput(job, library), options as never);
  cancelOn(signal, source);
  const chunks = async function* (): AsyncGenerator<unknown> {
    // The library emits a state before its checkpoint; the protocol requires the opposite order.
    let state: unknown = null;
    for await (const chunk of source) {
      const [ns, mode, payload] = chunk as [string[], LibraryMode, unknown];
      if (mode === 'values' || mode === 'checkpoints') emitter.chunk(ns, mode, payload);
      const envelope = mode === 'checkpoints' && isCheckpointChunk(payload) ? checkpointEnvelope(payload) : null;
      if (envelope !== null) yield [ns, mode, envelope];
      if (state !== null) yield state;
      state = mode === 'values' ? chunk : null;
      if (mode !== 'values' && mode !== 'checkpoints') yield chunk;
      // The graph waits here until the main thread has capacity.
      if (outbox.isFull) await outbox.waitForCredit();
    }
    if (state !== null) yield state;
  };
  try {
    for await (const event of createGraphRunStream(chunks() as never, graph.streamTransformers as never))
      events.emit(event as unknown as LibraryEvent);
    outbox.keepFrames();
    events.sendInterrupts();
    events.close('completed');
  } catch (error) {
    events.close('failed');
    throw error;
  }
}

/** Null for the checkpoint of the input, which clients do not get. */
function checkpointEnvelope({ config, parentConfig, metadata }: CheckpointChunk): object | null {
  const { step, source } = asObject(metadata);
  if (source === 'input') return null;
  const parent = parentConfig?.configurable?.['checkpoint_id'];
  return {
    id: config?.configurable?.['checkpoint_id'],
    ...(parent === undefined ? {} : { parent_id: parent }),
    step,
    source,
  };
}

function runOptions({ job, config, recorder }: Execution): JsonObject {
  return {
    ...config,
    ...(recorder === null ? {} : { callbacks: [recorder] }),
    durability: job.durability,
    runId: job.runId,
    ...(job.interruptBefore === null ? {} : { interruptBefore: job.interruptBefore }),
    ...(job.interruptAfter === null ? {} : { interruptAfter: job.interruptAfter }),
  };
}

/**
 * Cancels the stream directly. The stream has a signal of its own; passing a second one costs each run 5 % of
 * its time (bench/wait-throughput).
 */
function cancelOn(signal: AbortSignal, stream: { cancel(reason: unknown): Promise<void> }): void {
  const stop = (): void => {
    stream.cancel(signal.reason).catch(() => undefined);
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
}

/** The chunk in the shape of the client's own modes. */
function clientChunk(chunk: unknown, job: RunJob, subgraphs: boolean): unknown {
  return subgraphs && !job.subgraphs && Array.isArray(chunk) ? (chunk as unknown[]).slice(1) : chunk;
}

async function runInput(job: RunJob, library: Library): Promise<never> {
  if (job.command !== null) return commandOf(parseJson(job.command) as JsonObject, library) as never;
  return (
    job.input.byteLength <= LIMITS.jsonPieceBytes ? parseJson(job.input) : await parseInSlices(job.input)
  ) as never;
}

/** Parses in slices, so that heartbeats and other runs continue meanwhile. */
async function parseInSlices(json: Uint8Array): Promise<unknown> {
  const steps = parseInPieces(Buffer.from(json.buffer, json.byteOffset, json.byteLength), Infinity);
  for (;;) {
    const until = performance.now() + LIMITS.sliceMs;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

function runConfig(job: RunJob): JsonObject {
  const config = jobConfig(job);
  const address = process.env['LANGGRAPH_API_URL'] ?? '';
  return {
    ...config,
    configurable: {
      ...asObject(config['configurable']),
      ...(job.strictResume ? { __pregel_strict_resume: true } : {}),
    },
    metadata: {
      ...asObject(config['metadata']),
      run_attempt: job.attempt,
      ...(address === '' ? {} : { langgraph_api_url: address }),
    },
  };
}

/** True when the newest checkpoint of an earlier attempt is at a breakpoint of this run. */
function reachedBreakpoint(job: RunJob, graph: Graph): boolean {
  if (job.reached === null) return false;
  const before = job.interruptBefore ?? (graph.interruptBefore as string[] | '*' | undefined) ?? [];
  const after = job.interruptAfter ?? (graph.interruptAfter as string[] | '*' | undefined) ?? [];
  return matchesBreakpoint(before, job.reached.next) || matchesBreakpoint(after, job.reached.ran);
}

function matchesBreakpoint(at: string[] | '*', names: readonly string[]): boolean {
  return at === '*' ? names.length > 0 : names.some((name) => at.includes(name));
}

/** The details of the library's UnknownInterruptError; null for any other error. */
function findRefusal(thrown: unknown): ResumeRefusal | null {
  let refusal: JsonObject;
  try {
    refusal = { ...asObject(thrown), name: (thrown as Error).name };
  } catch {
    // Reading a thrown value may throw.
    return null;
  }
  const { name, reason, interruptIds, pendingIds } = refusal;
  return name === 'UnknownInterruptError' && typeof reason === 'string'
    ? { reason, interruptIds: interruptIds as string[], pendingIds: pendingIds as string[] }
    : null;
}

const MISSING_THREAD =
  'The graph stopped for an answer (interrupt) or read its own state, which a run without a thread does not keep. ' +
  'Start it on a thread: POST /threads, then POST /threads/{thread_id}/runs.';

/** True for the library's error about a missing checkpointer, alone or among those of several nodes. */
function isMissingThread(thrown: unknown): boolean {
  try {
    const { lc_error_code: code, errors } = asObject(thrown);
    return code === 'MISSING_CHECKPOINTER' || (Array.isArray(errors) && errors.some(isMissingThread));
  } catch {
    return false;
  }
}

class RunCancelled extends Error {
  override readonly name = 'UserInterrupt';
}
