import { asObject, parseJson, type JsonObject } from '../../base/json/json.js';
import { RECORDING_NAME, unpackRecording, type Recording } from '../../wire/runs/recording.js';
import { type Client, CommandError, HttpError } from '../client.js';
import { ThreadFile } from './rewind-thread.js';
import type { SandboxRun } from './sandbox.js';
import { storedSteps, type TraceStep } from './trace-steps.js';

/** A run of a server, with everything that is needed to execute it again elsewhere. */
export interface RecordedRunFile {
  runId: string;
  graphId: string;
  /** Version of the code that executed it; null if it is not known. */
  codeVersion: string | null;
  steps: TraceStep[];
  /** Null: what it got from outside was not recorded. */
  recording: Recording | null;
  /** What a sandbox executes. */
  run: SandboxRun;
}

/** Settings of the config that the server adds. The replay's own server adds its own. */
const SERVER_SETTINGS = new Set([
  ...['run_id', 'thread_id', 'graph_id', 'assistant_id', 'langgraph_request_id', 'checkpoint_id', 'checkpoint_ns'],
  ...['checkpoint_map'],
]);

/** Reads a run from the server. `from`: a checkpoint to start from instead of its own. Throws CommandError. */
export async function readRecordedRun(client: Client, runId: string, from: string | null): Promise<RecordedRunFile> {
  const [steps, bytes] = await Promise.all([storedSteps(client, runId), readRecording(client, runId)]);
  const root = steps.find((step) => step.parent_run_id === null);
  if (root === undefined)
    throw new CommandError(
      `The server has no trace of the run ${runId}. Runs can be replayed if "traces" is on in langgraph.json when ` +
        'they execute.',
    );
  const recording = bytes === null ? null : unpackRecording(bytes);
  const metadata = root.extra?.metadata ?? {};
  const threadId = recording?.run.isStateless === true ? null : textOf(metadata['thread_id']);
  const file = threadId === null ? null : new ThreadFile(await exportOf(client, threadId));
  const graphId = recording?.run.graphId ?? textOf(metadata['graph_id']) ?? '';
  const kwargs = recording === null ? kwargsOf(runId, file) : recordedKwargs(recording);
  const ownHead = recording === null ? (file?.headBefore(runId) ?? null) : recording.run.headId;
  const { checkpoint_id: forkedFrom } = asObject(kwargs.config['configurable']);
  const headId = from ?? textOf(forkedFrom) ?? ownHead;
  return {
    ...{ runId, graphId, steps, recording, codeVersion: textOf(metadata['code_version']) },
    run: {
      replayId: runId,
      recording: bytes,
      code: null,
      thread: file === null ? null : { threadId: file.threadId, file: file.before(runId, headId) },
      body: bodyOf(graphId, kwargs),
      isPersistent: recording?.run.persistent ?? true,
    },
  };
}

/** The recording of a run, compressed. Null: it has none, or there is no such run. */
export async function readRecording(client: Client, runId: string): Promise<Buffer | null> {
  try {
    const link = await recordingLink(client, runId);
    return link === null ? null : await client.getBytes(link);
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null;
    throw error;
  }
}

/** Path of a run's recording. Null: it has none. */
export async function recordingLink(client: Client, runId: string): Promise<string | null> {
  const { s3_urls: urls } = JSON.parse(await client.get(`/runs/${encodeURIComponent(runId)}`)) as {
    s3_urls?: Record<string, { presigned_url: string }> | null;
  };
  const link = urls?.[`attachment.${RECORDING_NAME}`]?.presigned_url;
  if (link === undefined) return null;
  // With LANGGRAPH_API_URL the link is a whole address.
  return link.startsWith('/') ? link : new URL(link).pathname;
}

async function exportOf(client: Client, threadId: string): Promise<string> {
  try {
    return (await client.getBytes(`/threads/${threadId}/export`)).toString();
  } catch (error) {
    if (error instanceof HttpError && error.status === 404)
      throw new CommandError(
        `The thread ${threadId} of the run was deleted, and the state that it started from with it.`,
      );
    throw error;
  }
}

/** What a run was called with, in the words of its record. */
interface Kwargs {
  input: unknown;
  command: unknown;
  config: JsonObject;
  context: unknown;
  durability: string;
  interruptBefore: string[] | '*' | null;
  interruptAfter: string[] | '*' | null;
}

function recordedKwargs({ run }: Recording): Kwargs {
  const { input, command, config, context, durability, interruptBefore, interruptAfter } = run;
  return {
    ...{ durability, interruptBefore, interruptAfter },
    input: parseJson(input),
    command: command === null ? null : parseJson(command),
    config: parseJson(config) as JsonObject,
    context: context === null ? null : parseJson(context),
  };
}

function kwargsOf(runId: string, file: ThreadFile | null): Kwargs {
  const run = file?.run(runId);
  if (run === undefined)
    throw new CommandError(
      `What the run ${runId} got from outside was not recorded, and it is on no thread, so its input is not known. ` +
        'Record runs with "traces": {"record_calls": true} in langgraph.json.',
    );
  return readKwargs(JSON.parse(run.kwargs) as JsonObject);
}

function readKwargs(kwargs: JsonObject): Kwargs {
  return {
    input: kwargs['input'],
    command: kwargs['command'],
    config: kwargs['config'] as JsonObject,
    context: kwargs['context'],
    durability: kwargs['durability'] as string,
    interruptBefore: kwargs['interrupt_before'] as Kwargs['interruptBefore'],
    interruptAfter: kwargs['interrupt_after'] as Kwargs['interruptAfter'],
  };
}

/** The request that executes a pending run in a sandbox. `kwargs`: as the API shows them. */
export function bodyOfPendingRun(graphId: string, kwargs: JsonObject): JsonObject {
  return bodyOf(graphId, readKwargs(kwargs));
}

/** The checkpoint that it starts from is the newest of its thread. */
function bodyOf(graphId: string, kwargs: Kwargs): JsonObject {
  const { configurable, metadata: _metadata, ...config } = kwargs.config;
  const own = Object.entries(asObject(configurable)).filter(
    ([name]) => !SERVER_SETTINGS.has(name) && !name.startsWith('langgraph_auth_'),
  );
  return {
    assistant_id: graphId,
    input: kwargs.input,
    command: kwargs.command,
    config: { ...config, configurable: Object.fromEntries(own) },
    context: kwargs.context,
    durability: kwargs.durability,
    interrupt_before: kwargs.interruptBefore,
    interrupt_after: kwargs.interruptAfter,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
