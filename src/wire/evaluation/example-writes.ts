import type { Caller } from '../../domain/caller.js';
import type { BodyMessage, SliceMessage } from './evaluation.js';

/** How a body that changes examples is to be read. */
export type ExampleWriteKind =
  /** One example as JSON; several in a list. */
  | 'create'
  | 'createMany'
  | 'update'
  | 'updateMany'
  /** Multipart with a part for each example and field. */
  | 'createParts'
  | 'updateParts'
  /** Lines of JSON, as an export writes them. */
  | 'lines'
  /** A form with a CSV or JSON lines file that becomes a dataset of its own. */
  | 'file'
  /** JSON that names examples: put into or out of a split; operations on metadata; copied from another dataset. */
  | 'splits'
  | 'metadata'
  | 'clone';

/** A dataset that is to be made for the examples. */
export interface NewDatasetWish {
  name: string;
  description: string | null;
  dataType: 'kv' | 'llm' | 'chat';
}

/** Ids that the address of the request says. */
export interface ExampleWriteTarget {
  datasetId: string | null;
  exampleId: string | null;
}

export type ToExamples =
  | BodyMessage
  | ({
      type: 'kind';
      kind: ExampleWriteKind;
      contentType: string;
      encoding: string;
      caller: Caller;
    } & ExampleWriteTarget)
  /** The dataset is locked: nobody else changes its examples until the task is done. */
  | { type: 'place'; dataset: Uint8Array; list: number; next: number; versionUs: number }
  | { type: 'more' };

export type FromExamples =
  /** What has been read; the dataset follows from the examples when the request does not say it. */
  { type: 'identity'; datasetId: string; count: number; bytes: number; wish: NewDatasetWish | null } | SliceMessage;

export interface ExamplesDone {
  /** Examples that the dataset has more than before. */
  added: number;
  /** Ids of what was written, in the order of the body; of those that are not there for `metadata`. */
  exampleIds: string[];
  missing: string[];
  /** Next number in the list. */
  next: number;
}
