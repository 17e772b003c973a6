import { gunzipSync } from 'node:zlib';
import { pack, unpack } from '../codec.js';
import type { EndStatus, RunJob } from './messages.js';

/**
 * A recording of what one attempt of a run got from outside: answers to HTTP requests, items of long-term memory,
 * times and random values. It is an attachment of the run's trace, so it is visible, exported and deleted with it
 * (docs/decisions/0078-recorded-calls.md).
 */
export interface Recording {
  v: typeof RECORDING_VERSION;
  run: RecordedRun;
  calls: RecordedCall[];
  memory: RecordedMemory[];
  values: RecordedValues;
  /** Names of environment variables that look like secrets. Without them, many clients refuse to start. */
  secretVariables: string[];
  outcome: { status: EndStatus; error: string | null };
  /** False if the run made more calls than a recording holds. */
  isComplete: boolean;
}

export const RECORDING_VERSION = 1;
/** Name and type of the attachment. */
export const RECORDING_NAME = 'threadmill.recording';
export const RECORDING_TYPE = 'application/vnd.threadmill.recording+gzip';

/** The job of the attempt, without the state that it started from. Secrets are removed. */
export type RecordedRun = Pick<
  RunJob,
  | 'runId'
  | 'threadId'
  | 'graphId'
  | 'assistantId'
  | 'attempt'
  | 'persistent'
  | 'config'
  | 'context'
  | 'user'
  | 'durability'
  | 'input'
  | 'command'
  | 'streamModes'
  | 'subgraphs'
  | 'interruptBefore'
  | 'interruptAfter'
  | 'strictResume'
> & {
  /** Newest checkpoint of the thread when the attempt began. Null: the thread had none. */
  headId: string | null;
  /** True for a run whose thread is deleted with it. */
  isStateless: boolean;
  /** Milliseconds since 1970. */
  startedAtMs: number;
};

/** An HTTP request and its answer, without secrets. */
export interface RecordedCall {
  /** See `laneOf`. */
  lane: string;
  method: string;
  url: string;
  /** Null: it is not text, is a stream, or is too long. */
  requestBody: Uint8Array | null;
  /** Of the request's body without secrets; empty if the body could not be read. */
  requestHash: string;
  /** Null: there was no answer. */
  status: number | null;
  statusText: string;
  headers: [name: string, value: string][];
  /** The body as it arrived, in milliseconds after the request. */
  chunks: [afterMs: number, bytes: Uint8Array][];
  /** Why there was no answer, or none to the end. */
  error: string | null;
  /** False if the run did not read the answer to its end. */
  isComplete: boolean;
}

/** Reads of long-term memory in one request of the graph, and their results. */
export interface RecordedMemory {
  lane: string;
  /** Hash of the operations. */
  hash: string;
  /** Packed MemoryResult[]. */
  results: Uint8Array;
}

/** Values by lane, in the order in which they were taken. */
export interface RecordedValues {
  /** Milliseconds since 1970; after the first one of a lane, the difference to the one before. */
  times: Record<string, number[]>;
  /** Numbers of `Math.random`, and the bytes of ids. */
  randoms: Record<string, (number | Uint8Array)[]>;
}

export function unpackRecording(bytes: Uint8Array): Recording {
  const recording = unpack<Recording>(gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX }));
  const version: number = recording.v;
  if (version !== RECORDING_VERSION)
    throw new Error(`The recording has version ${version}; this program reads ${RECORDING_VERSION}.`);
  return recording;
}

const UNPACKED_BYTES_MAX = 256 * 1_024 * 1_024;

/** The same, before it is compressed. */
export function packRecording(recording: Recording): Uint8Array<ArrayBuffer> {
  return pack(recording);
}
