import type { BodyMessage } from './evaluation.js';

/** What kind of body an ingest has. */
export type IngestKind = 'run' | 'batch' | 'multipart';

/** A run as it came, whole or in part: null is "not said". Free-form fields are JSON. */
export interface RunChange {
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
  /** A whole run, which says what it belongs to; a part of one may not. */
  whole: boolean;
  error: Uint8Array | null;
  tags: Uint8Array | null;
  inputs: Uint8Array | null;
  outputs: Uint8Array | null;
  extra: Uint8Array | null;
  events: Uint8Array | null;
  serialized: Uint8Array | null;
  firstTokenUs: number | null;
  promptTokens: number | null;
  completionTokens: number | null;
  totalTokens: number | null;
  promptCost: number | null;
  completionCost: number | null;
  totalCost: number | null;
}

/** Feedback as it came. */
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

export type Change = { run: RunChange; feedback?: undefined } | { feedback: FeedbackChange; run?: undefined };

export type ToIngest =
  | BodyMessage
  /** First: how the body is to be read. `runId` and `whole` are those of a single run. */
  | { type: 'kind'; kind: IngestKind; contentType: string; encoding: string; runId: string | null; whole: boolean }
  /** The front has taken the last slice. */
  | { type: 'more' };

/** Everything has been read and checked before the first slice is sent. */
export type FromIngest = { type: 'changes'; changes: Change[] };
