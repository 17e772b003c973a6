import type { Attachment } from '../../src/store/evaluation/attachments.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { versionsOf, type ExampleVersion } from '../../src/store/evaluation/examples.js';
import type {
  FromExampleWriter,
  NewDatasetRequest,
  SkippedRun,
  ToExampleWriter,
} from '../../src/wire/evaluation/example-writes.js';
import type { Duplex } from '../../src/wire/user-code/duplex.js';
import type { SentAttachment } from './attachments.js';
import type { Caches } from './caches.js';

export type ExamplesDuplex = Duplex<FromExampleWriter, ToExampleWriter>;
export type Kind = ToExampleWriter & { type: 'kind' };

/** The write that a parsed body requests: its dataset, and the versions to write once the dataset is locked. */
export interface Intent {
  datasetId: string;
  count: number;
  wish?: NewDatasetRequest;
  /** Bytes of the examples without attachments, if they are not those of the body. */
  bytes?: number;
  /** Bytes of the body that are attachments. Null when the write brings no attachments. */
  attachmentBytes?: number | null;
  plan(
    dataset: DatasetRecord,
    place: WritePlace,
  ): { versions: ExampleVersion[]; added: number; missing: string[]; skipped?: SkippedRun[] };
}

export interface WritePlace {
  versionUs: number;
  /** Stores a file that the request brings. */
  store(sent: SentAttachment): Attachment;
  /** Stores a copy of a file. */
  copy(stored: Attachment): Attachment;
}

export function newestVersion(
  caches: Caches,
  exampleId: string,
): { datasetId: string; version: ExampleVersion } | undefined {
  for (const found of versionsOf(caches.reader, exampleId)) return found;
  return undefined;
}
