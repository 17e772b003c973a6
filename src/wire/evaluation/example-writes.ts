import type { Caller } from '../../domain/caller.js';
import type { BodyMessage, SliceMessage } from './evaluation.js';

/** Format of a body that changes examples. */
export type ExampleWriteKind =
  /** One example as JSON, or a JSON list of examples. */
  | 'create'
  | 'createMany'
  | 'update'
  | 'updateMany'
  /** Multipart with one part for each example and field. */
  | 'createParts'
  | 'updateParts'
  /** JSON lines, as an export writes them. */
  | 'lines'
  /** A form with a CSV or JSON lines file that becomes a new dataset. */
  | 'file'
  /** Such a form for a dataset that exists. */
  | 'fileInto'
  /**
   * JSON that names examples: add them to or remove them from a split, change metadata, or copy from another
   * dataset.
   */
  | 'splits'
  | 'metadata'
  | 'clone'
  /** JSON that names runs of traces, or says which to find. */
  | 'runs';

/** A dataset to create for the examples. */
export interface NewDatasetRequest {
  name: string;
  description: string | null;
  dataType: 'kv' | 'llm' | 'chat';
}

/** Ids in the URL of the request. */
export interface ExampleWriteTarget {
  datasetId: string | null;
  exampleId: string | null;
}

/** Which runs to find: a query of runs. Without sessions: in all projects that have no dataset. */
export interface RunSelection {
  session: readonly string[] | null;
  filter: string | null;
  traceFilter: string | null;
  isRoot: boolean;
  limit: number;
}

/** A run that was not added. */
export interface SkippedRun {
  runId: string;
  reason: SkipReason;
}

export type SkipReason =
  | 'already_added'
  /** It has not ended. */
  | 'running'
  /** Nothing is at the path, or the run has no inputs. */
  | 'no_inputs'
  | 'no_outputs'
  /** The trace has only the beginning of the value. */
  | 'truncated';

export type ToExampleWriter =
  | BodyMessage
  | ({
      type: 'kind';
      kind: ExampleWriteKind;
      contentType: string;
      encoding: string;
      caller: Caller;
    } & ExampleWriteTarget)
  /** The dataset is locked: nothing else changes its examples until the task ends. */
  | {
      type: 'place';
      dataset: Uint8Array;
      list: number;
      next: number;
      versionUs: number;
      /** Null when the write brings no attachments. */
      attachmentGroup: number | null;
    }
  | { type: 'more' }
  /** The answer to `select`: ids of runs, oldest first. */
  | { type: 'selected'; runIds: readonly string[] };

export type FromExampleWriter =
  /** Comes before `identity`, if the body does not name its runs. */
  | { type: 'select'; selection: RunSelection }
  /** Summary of the parsed body. `datasetId` is derived from the examples if the request does not name it. */
  | {
      type: 'identity';
      datasetId: string;
      count: number;
      /** Without attachments. */
      bytes: number;
      hasAttachments: boolean;
      wish: NewDatasetRequest | null;
    }
  /** Chunks of attachments come before the examples. */
  | SliceMessage;

export interface ExampleWriteResult {
  /** Number of examples added to the dataset. */
  added: number;
  /** Ids of the written examples, in the order of the body. `missing`: ids in a `metadata` body that do not exist. */
  exampleIds: string[];
  missing: string[];
  /** Of a `runs` body. */
  skipped: SkippedRun[];
  /** Next free number in the list. */
  next: number;
}
