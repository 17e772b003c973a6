import { fail } from '../../src/base/errors.js';
import { isoMicros } from '../../src/base/micros.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { unpackExample, type ExampleVersion } from '../../src/store/evaluation/examples.js';
import { attachmentUrls } from './attachment-urls.js';
import { BlockCursor } from './block-cursor.js';
import type { Caches } from './caches.js';
import type { ExampleDirectory, ExampleEntry } from './example-directory.js';

/** The examples of a dataset: which there are, and their content. For one query or one export. */
export class DatasetExamples {
  readonly dataset: DatasetRecord;
  readonly directory: ExampleDirectory;
  readonly #caches: Caches;
  readonly #blocks: BlockCursor;

  constructor(caches: Caches, dataset: DatasetRecord) {
    this.dataset = dataset;
    this.#caches = caches;
    this.directory = caches.directory(dataset);
    this.#blocks = new BlockCursor(caches.reader, 'E');
  }

  /** The content of a version, which never changes. Throws DATASET_NOT_FOUND when the dataset was deleted meanwhile. */
  load({ place }: Pick<ExampleEntry, 'place'>): ExampleVersion {
    const item = this.#blocks.item(place);
    if (item === undefined) throw fail('DATASET_NOT_FOUND', { datasetId: this.dataset.datasetId });
    return unpackExample(item);
  }

  /** The example in the format of the API. */
  fields(entry: ExampleEntry): Record<string, unknown> {
    return exampleFields(this.load(entry), this.dataset.datasetId);
  }

  /** The same with links to its attachments. */
  fieldsWithLinks(entry: ExampleEntry): Record<string, unknown> {
    const versions = this.directory.versions.get(entry.exampleId);
    return {
      ...this.fields(entry),
      ...linksOf(this.#caches, this.load(entry), { live: versions?.at(-1)?.removed === false }),
    };
  }
}

/** The member with links to the attachments of an example. `live`: its newest version is not a removal. */
export function linksOf(
  { links }: Caches,
  { exampleId, versionUs, attachments }: ExampleVersion,
  { live }: { live: boolean },
): { attachment_urls?: unknown } {
  const urls = attachmentUrls(links, { owner: 'example', ownerId: exampleId, versionUs, live }, attachments);
  return urls === null ? {} : { attachment_urls: urls };
}

/** Fields of evaluation-api.md, 2.2. Exports leave the dataset's id out. */
export function exampleFields(version: ExampleVersion, datasetId?: string): Record<string, unknown> {
  return {
    id: version.exampleId,
    dataset_id: datasetId,
    name: version.name,
    created_at: isoMicros(version.createdAtUs),
    modified_at: isoMicros(version.versionUs),
    inputs: version.inputs,
    outputs: version.outputs,
    metadata: version.metadata,
    source_run_id: version.sourceRunId,
    // Not in the API of the clients: which row of an upload the example comes from.
    ...(version.rowId === null || datasetId === undefined ? {} : { row_id: version.rowId }),
  };
}
