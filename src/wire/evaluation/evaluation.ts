import type { MessagePort } from 'node:worker_threads';
import type { Caller } from '../../domain/caller.js';
import type { CipherKeys } from '../../base/cipher-keys.js';
import type { ErrorCode } from '../../base/errors.js';

/** What an evaluation thread is started with. */
export interface EvaluationWorkerData {
  /** The store's file; opened to read only. */
  dataFile: string;
  /** Null: the folder is not encrypted. */
  encryption: CipherKeys | null;
  /** Largest body, also after decompression. */
  uploadBytesMax: number;
  /** Where it says how it is (wire/vitals.ts). */
  vitals: SharedArrayBuffer;
}

/** One thing an evaluation thread is asked to do. Bodies and what comes of them travel over the port, in both directions. */
export type EvaluationTask =
  | { type: 'read'; ask: Uint8Array }
  | { type: 'statistics'; list: number }
  | { type: 'upload'; port: MessagePort }
  | { type: 'ingest'; port: MessagePort }
  | { type: 'examples'; port: MessagePort }
  | { type: 'export'; port: MessagePort; ask: Uint8Array };

/** How a task ends. An error is one of the table, or one that should not have happened. */
export type EvaluationResult =
  | { ok: true; value: unknown }
  | { ok: false; code: ErrorCode; params: Record<string, unknown> }
  | { ok: false; code: null; stack: string };

/** A question that one answer answers; `name` is one of the reads of workers/evaluation/reads.ts. */
export interface ReadAsk {
  name: string;
  caller: Caller;
  params: unknown;
}

export interface ReadAnswer {
  body: Uint8Array;
  contentType: string;
  headers: Record<string, string>;
}

/** A body on its way, for tasks that have one. */
export type BodyMessage =
  | { type: 'body'; bytes: Uint8Array }
  | { type: 'bodyEnd' }
  /** The client went away, or sent too much. */
  | { type: 'abort' };

/** What an upload asks to be kept as, told by the worker once the body has been read and keeps every rule. */
export interface UploadIdentity {
  experimentName: string;
  datasetId: string | null;
  datasetName: string | null;
  datasetDescription: string | null;
  startUs: number;
  endUs: number;
  description: string | null;
  /** JSON or null. */
  metadata: Uint8Array | null;
  /** Some of the feedback has ids that the client chose. */
  ownIds: boolean;
}

/** What the front has decided: all ids and numbers, so that the worker can encode. Records are packed as they will be stored. */
export interface UploadPlace {
  dataset: Uint8Array;
  /** The dataset is there already: rows may name examples that it has. */
  existing: boolean;
  experiment: Uint8Array;
  exampleList: number;
  /** Time of this upload's example versions. */
  versionUs: number;
  nowUs: number;
}

export type ToUpload =
  | BodyMessage
  /** First of all: one JSON object, or one a line, the first of which is the header. */
  | { type: 'form'; lines: boolean; encoding: string }
  | ({ type: 'place' } & UploadPlace)
  /** The front has taken the last slice. */
  | { type: 'more' };

export type FromUpload = ({ type: 'identity' } & UploadIdentity) | SliceMessage;

/** Records with their checksum, one after the other in `bytes`. */
export interface SliceMessage {
  type: 'slice';
  puts: [key: (string | number)[], byteLength: number][];
  bytes: Uint8Array<ArrayBuffer>;
}

/** What an upload's task resolves with: what the publishing commit needs besides what has been staged. */
export interface UploadDone {
  /** Examples that the dataset has more than before; removed ones that came back included. */
  examplesAdded: number;
  /** True when anything stands in the example list. */
  examplesWritten: boolean;
  nextRun: number;
  nextFeedback: number;
  /** First configuration that the upload gives for a feedback key, JSON. */
  configs: [key: string, config: Uint8Array][];
  /** JSON of the answer. */
  answer: Uint8Array;
}
