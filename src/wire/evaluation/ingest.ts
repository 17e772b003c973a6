import type { Usage } from '../../domain/usage.js';
import type { BodyMessage, SliceMessage } from './evaluation.js';

/** Format of an ingest body. */
export type IngestKind = 'run' | 'batch' | 'multipart' | 'otlp' | 'lines';

/** Result of an ingest task. */
export interface IngestResult {
  /** Number of runs and feedback that were read. */
  changes: number;
  /** Spans that cannot be stored, and why. Null if there are none. */
  refused: { count: number; message: string } | null;
}

/**
 * A run as received, complete or partial. Null means that the client did not send the field. Free-form fields
 * are JSON.
 */
export interface RunChange extends Usage {
  runId: string;
  traceId: string | null;
  parentRunId: string | null;
  name: string | null;
  runType: string | null;
  startUs: number | null;
  endUs: number | null;
  dottedOrder: string | null;
  exampleId: string | null;
  sessionId: string | null;
  sessionName: string | null;
  /** Project of a run that names none, if its trace is not in one. */
  defaultProject: string | null;
  /** True for a complete run, which names its project and trace. A partial run may omit them. */
  whole: boolean;
  error: Uint8Array | null;
  tags: Uint8Array | null;
  inputs: Uint8Array | null;
  outputs: Uint8Array | null;
  extra: Uint8Array | null;
  events: Uint8Array | null;
  serialized: Uint8Array | null;
  firstTokenUs: number | null;
  /** Files that the body brings for the run, numbered over the whole body. */
  attachments: NumberedAttachment[];
}

/** A file that a request brings. */
export interface NumberedAttachment {
  name: string;
  mime: string;
  bytes: number;
  /** Number of the file in the request. */
  at: number;
}

/** Feedback as received. */
export interface FeedbackChange {
  feedbackId: string | null;
  runId: string | null;
  traceId: string | null;
  sessionId: string | null;
  key: string;
  createdAtUs: number | null;
  modifiedAtUs: number | null;
  error: boolean;
  comment: Uint8Array | null;
  score: Uint8Array | null;
  value: Uint8Array | null;
  correction: Uint8Array | null;
  source: Uint8Array | null;
  config: Uint8Array | null;
  extra: Uint8Array | null;
  groupId: string | null;
  comparativeId: string | null;
}

export type IngestChange = { run: RunChange; feedback?: undefined } | { feedback: FeedbackChange; run?: undefined };

/** Parameters of the request besides its body. */
export interface IngestTarget {
  /** Of a single run. */
  runId: string | null;
  whole: boolean;
  /** Project of spans that name none, or of all lines. */
  project: string | null;
}

export type ToIngest =
  | BodyMessage
  /** The first message: format of the body. */
  | ({ type: 'kind'; kind: IngestKind; contentType: string; encoding: string } & IngestTarget)
  /** The group for the attachments of the body. */
  | { type: 'place'; group: number }
  /** The front thread has processed the last slice. */
  | { type: 'more' };

/** Sent only after the whole body has been read and validated. */
export type FromIngest =
  | { type: 'changes'; changes: IngestChange[] }
  /** All changes are sent, and bring attachments, whose slices follow. */
  | { type: 'attachments' }
  | SliceMessage;
