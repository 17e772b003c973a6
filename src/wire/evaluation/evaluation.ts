import type { MessagePort } from 'node:worker_threads';
import type { Caller } from '../../domain/caller.js';
import type { ValueSettings } from '../../domain/trace-values.js';
import type { CipherKeys } from '../../base/cipher-keys.js';
import type { ErrorCode } from '../../base/errors.js';
import type { TokenPrices } from '../runs/spans.js';
import type { LinkSettings } from './attachment-links.js';

/** Start data of an evaluation thread. */
export interface EvaluationWorkerData {
  /** Path of the data file. The thread opens it read-only. */
  dataFile: string;
  /** Null when the data folder is not encrypted. */
  encryption: CipherKeys | null;
  /** Largest accepted body, also after decompression. */
  uploadBytesMax: number;
  attachmentLinks: LinkSettings;
  receivedTraces: ReceivedTraceSettings;
  /** Shared memory for the thread's metrics (wire/thread-metrics.ts). */
  vitals: SharedArrayBuffer;
}

/** What is kept of spans that others send (`traces` of langgraph.json). */
export interface ReceivedTraceSettings extends ValueSettings {
  /** By model; they take precedence over the list of the package. */
  prices: Readonly<Record<string, TokenPrices>>;
}

/** A task for an evaluation thread. Request bodies and results travel over the port, in both directions. */
export type EvaluationTask =
  | { type: 'read'; ask: Uint8Array }
  | { type: 'statistics'; list: number }
  /** Makes the thread ready for uploads. */
  | { type: 'warm-up' }
  | { type: 'upload'; port: MessagePort }
  | { type: 'ingest'; port: MessagePort }
  | { type: 'examples'; port: MessagePort }
  | { type: 'export'; port: MessagePort; ask: Uint8Array };

/** Result of a task. An error has a code of the error table, or it is unexpected: then `code` is null. */
export type EvaluationResult =
  | { ok: true; value: unknown }
  | { ok: false; code: ErrorCode; params: Record<string, unknown> }
  | { ok: false; code: null; stack: string };

/** A read with a single response. `name` is a read of workers/evaluation/reads.ts. */
export interface ReadRequest {
  name: string;
  caller: Caller;
  params: unknown;
}

export interface ReadResponse {
  body: Uint8Array;
  contentType: string;
  headers: Record<string, string>;
}

/** Messages that carry a request body. */
export type BodyMessage =
  | { type: 'body'; bytes: Uint8Array }
  | { type: 'bodyEnd' }
  /** The client disconnected or sent too much. */
  | { type: 'abort' };

/** How the client describes its upload. The worker sends this after it has read and validated the whole body. */
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
  /** True if the client chose ids for some of the feedback. */
  ownIds: boolean;
  hasAttachments: boolean;
}

/**
 * The ids and numbers that the front thread has allocated, so that the worker can encode. Records are packed in
 * their stored form.
 */
export interface UploadAllocation {
  dataset: Uint8Array;
  /** True if the dataset already exists. Rows may then name its examples. */
  existing: boolean;
  experiment: Uint8Array;
  exampleList: number;
  /** Null when the upload brings no attachments. */
  attachmentGroup: number | null;
  /** Version time of the examples of this upload. */
  versionUs: number;
  nowUs: number;
}

export type ToUpload =
  | BodyMessage
  /** The first message. The body is one JSON object, or JSON lines with the header on the first line. */
  | { type: 'form'; lines: boolean; encoding: string }
  | ({ type: 'place' } & UploadAllocation)
  /** The front thread has processed the last slice. */
  | { type: 'more' };

export type FromUpload = ({ type: 'identity' } & UploadIdentity) | SliceMessage;

/** Records with their checksums, concatenated in `bytes`. */
export interface SliceMessage {
  type: 'slice';
  puts: [key: (string | number)[], byteLength: number][];
  bytes: Uint8Array<ArrayBuffer>;
}

/** Result of an upload task: what the publishing commit needs in addition to the staged records. */
export interface UploadResult {
  /** Number of examples added to the dataset. This includes removed examples that came back. */
  examplesAdded: number;
  /** True if the example list is not empty. */
  examplesWritten: boolean;
  nextRun: number;
  nextFeedback: number;
  /** The first configuration in the upload for each feedback key, as JSON. */
  configs: [key: string, config: Uint8Array][];
  /** Statistics of the experiment. `fields` is JSON. */
  statistics: { runCount: number; fields: Uint8Array };
  /** The HTTP response body, as JSON. */
  answer: Uint8Array;
}
