import { DatasetClone, DatasetSplitsPut, ExampleMetadataPatch } from '../../schemas/compiled/validators.js';
import type {
  DatasetClone as CloneBody,
  DatasetSplitsPut as SplitsBody,
  ExampleMetadataPatch as MetadataBody,
} from '../../schemas/compiled/types.js';
import { fail } from '../../src/base/errors.js';
import { canonicalUuid, randomIds } from '../../src/base/ids.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { packAttachments, unpackAttachments, type Attachment } from '../../src/store/evaluation/attachments.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { findEvaluationRun } from '../../src/store/evaluation/evaluation-runs.js';
import { writeExample, type ExampleVersion } from '../../src/store/evaluation/examples.js';
import { keys } from '../../src/store/keys.js';
import { unpack } from '../../src/wire/codec.js';
import type { ExampleWriteResult } from '../../src/wire/evaluation/example-writes.js';
import type { NumberedAttachment } from '../../src/wire/evaluation/ingest.js';
import { RequestObject } from '../../src/wire/evaluation/request-object.js';
import type { Caller } from '../../src/domain/caller.js';
import { AttachmentWriter, checkAttachmentCount } from './attachments.js';
import { receiveBody, receiveType } from './body.js';
import type { Caches } from './caches.js';
import { applyDatasetRules, type NewContent } from './dataset-rules.js';
import { DatasetExamples } from './dataset-examples.js';
import { newestVersion, type ExamplesDuplex, type Intent, type Kind, type WritePlace } from './example-intent.js';
import { metadataWithSplit, memberValue, defaultExampleName, SPLIT } from './example-metadata.js';
import { withMembers } from '../../src/base/json/members.js';
import { readFile, readFileInto } from './read-file.js';
import { readExamples, readLines, readParts, wholeBody, type ExampleChange } from './read-examples.js';
import { parseId } from './pages.js';
import { asOfTime, splitsOf } from './reads-datasets.js';
import { planRuns } from './run-examples.js';
import { putBlocks, Slices } from './slices.js';

/**
 * Writes examples, from their body to the last put. Existing examples are read only after the main thread has
 * locked the dataset.
 */
export async function writeExamples(duplex: ExamplesDuplex, caches: Caches): Promise<ExampleWriteResult> {
  const kind = await receiveType(duplex, 'kind');
  const body = await receiveBody(duplex, kind.encoding);
  caches.reader.refresh();
  const intent = await readIntent(caches, kind, body, duplex);
  duplex.send({
    type: 'identity',
    datasetId: intent.datasetId,
    count: intent.count,
    bytes: intent.bytes ?? body.byteLength - (intent.attachmentBytes ?? 0),
    hasAttachments: intent.attachmentBytes != null,
    wish: intent.wish ?? null,
  });
  const place = await receiveType(duplex, 'place');
  caches.reader.refresh();
  const files = new AttachmentWriter();
  const placed = (file: NumberedAttachment): Attachment => ({ ...file, group: place.attachmentGroup! });
  const {
    versions,
    added,
    missing,
    skipped = [],
  } = intent.plan(unpack(place.dataset), {
    versionUs: place.versionUs,
    store: (sent) => placed(files.add(sent)),
    copy: (stored) => placed(files.copy(stored)),
  });
  const slices = new Slices(duplex, caches.reader.cipher);
  if (files.count > 0) await files.write(place.attachmentGroup!, slices, caches.reader);
  await putBlocks(slices, 'E', place, {
    count: versions.length,
    write: (out, at) => writeExample(out, versions[at]!),
    keyOf: (at) => keys.example(versions[at]!.exampleId, versions[at]!.versionUs),
  });
  await slices.finish();
  const exampleIds = versions.map(({ exampleId }) => exampleId);
  return { added, missing, skipped, exampleIds, next: place.next + versions.length };
}

function readIntent(caches: Caches, kind: Kind, body: Uint8Array, duplex: ExamplesDuplex): Intent | Promise<Intent> {
  switch (kind.kind) {
    case 'create':
    case 'createMany':
      return planCreation(caches, kind, readExamples(body, kind.kind === 'createMany', kind.exampleId));
    case 'createParts':
      return planCreation(caches, kind, readParts(body, kind.contentType));
    case 'file': {
      const { wish, datasetId, changes } = readFile(body, kind.contentType);
      return { ...planCreation(caches, { ...kind, datasetId: datasetId ?? randomIds.next() }, changes), wish };
    }
    case 'lines':
      return planCreation(caches, kind, readLines(body));
    case 'fileInto':
      return planCreation(caches, kind, readFileInto(body, kind.contentType));
    case 'update':
    case 'updateMany':
      return planUpdate(caches, kind, readExamples(body, kind.kind === 'updateMany', kind.exampleId));
    case 'updateParts':
      return planUpdate(caches, kind, readParts(body, kind.contentType));
    case 'splits':
      return planSplitChange(caches, kind, body);
    case 'metadata':
      return planMetadataChange(caches, kind, body);
    case 'clone':
      return planCopy(caches, kind, body);
    case 'runs':
      return planRuns(caches, kind, body, duplex);
  }
}

/** Place of an example in the body. */
function placeOf({ kind }: Kind, at: number, exampleId: string | null): (string | number)[] {
  switch (kind) {
    case 'create':
    case 'update':
      return [];
    case 'createParts':
    case 'updateParts':
      return [exampleId ?? at];
    default:
      return [at];
  }
}

function planCreation(caches: Caches, kind: Kind, changes: readonly ExampleChange[]): Intent {
  const { datasetId, caller } = kind;
  const target = singleDataset(changes, datasetId);
  return {
    datasetId: target,
    count: changes.length,
    attachmentBytes: attachmentBytesOf(changes),
    plan(dataset, { versionUs, store, copy }) {
      const seen = new Set<string>();
      const sources = changes.map((change, at) => withSource(caches, caller, change, at));
      const contents = applyDatasetRules(
        dataset,
        changes.map(({ exampleId }, at) => ({ loc: placeOf(kind, at, exampleId), ...sources[at]! })),
      );
      const versions = changes.map((change, at) => {
        const exampleId = change.exampleId ?? randomIds.next();
        const newest = newestVersion(caches, exampleId);
        if (
          seen.has(exampleId) ||
          (newest !== undefined && (newest.datasetId !== dataset.datasetId || !newest.version.removed))
        )
          throw fail('EXAMPLE_EXISTS', { exampleId });
        seen.add(exampleId);
        const { inputs, outputs } = contents[at]!;
        const { attachments } = sources[at]!;
        return {
          exampleId,
          versionUs,
          createdAtUs: change.createdAtUs ?? versionUs,
          removed: false,
          name: change.name ?? defaultExampleName(exampleId),
          inputs,
          outputs,
          metadata: metadataWithSplit(change.metadata, change.split, null),
          sourceRunId: change.sourceRunId,
          attachments: packAttachments([...attachments.map(copy), ...change.attachments.map(store)]),
          rowId: null,
        };
      });
      return { versions, added: versions.length, missing: [] };
    },
  };
}

/** Null when no example brings or copies an attachment. */
function attachmentBytesOf(changes: readonly ExampleChange[]): number | null {
  const bringsAny = changes.some(
    ({ attachments, sourceAttachments }) => attachments.length + sourceAttachments.length > 0,
  );
  return bringsAny
    ? changes.flatMap(({ attachments }) => attachments).reduce((sum, { content }) => sum + content.byteLength, 0)
    : null;
}

/**
 * Inputs are required, but may come from the run that the example is created from. `attachments`: those of the run
 * to copy.
 */
function withSource(
  caches: Caches,
  caller: Caller,
  change: ExampleChange,
  at: number,
): Pick<NewContent, 'inputs' | 'outputs' | 'runExtra'> & { attachments: Attachment[] } {
  const { sourceRunId, useSourceRun, sourceAttachments } = change;
  const found =
    sourceRunId !== null && (useSourceRun || sourceAttachments.length > 0)
      ? findEvaluationRun(caches.reader, sourceRunId)
      : undefined;
  const run =
    found !== undefined && caches.experiments.ofList(caller, found.place.list) !== undefined ? found.run : undefined;
  const inputs = change.inputs ?? (useSourceRun ? run?.inputs : null) ?? null;
  const loc = change.exampleId ?? at;
  if (inputs === null) throw invalidRequest('body', [{ loc: [loc, 'inputs'], msg: 'is required', type: 'missing' }]);
  const stored = unpackAttachments(run?.attachments);
  const copied = sourceAttachments.map((name, index) => {
    const one = stored.find((attachment) => attachment.name === name);
    if (one !== undefined) return one;
    throw invalidRequest('body', [
      {
        loc: [loc, 'use_source_run_attachments', index],
        msg: 'is not an attachment of the source run',
        type: 'missing',
      },
    ]);
  });
  const sent = new Set(change.attachments.map(({ name }) => name));
  const attachments = copied.filter(({ name }, index) => !sent.has(name) && sourceAttachments.indexOf(name) === index);
  checkAttachmentCount([loc, 'use_source_run_attachments'], attachments.length + sent.size);
  return {
    inputs,
    outputs: change.outputs ?? (useSourceRun ? run?.outputs : null) ?? null,
    runExtra: (useSourceRun ? run?.extra : null) ?? null,
    attachments,
  };
}

function planUpdate(caches: Caches, kind: Kind, sent: readonly ExampleChange[]): Intent {
  const { datasetId, caller } = kind;
  const last = lastOfEach(sent);
  const changes = last.map(({ change }) => change);
  const places = last.map(({ change, at }) => placeOf(kind, at, change.exampleId));
  const first = changes[0]?.exampleId ?? null;
  const known = first === null ? undefined : newestVersion(caches, first);
  // The request names no dataset. Do not reveal that a dataset of another user exists.
  if (datasetId === null && (known === undefined || caches.datasets.get(caller, known.datasetId) === undefined))
    throw fail('EXAMPLE_NOT_FOUND', { exampleId: first ?? '' });
  return {
    datasetId: datasetId ?? known!.datasetId,
    count: changes.length,
    attachmentBytes: attachmentBytesOf(changes),
    plan(dataset, { versionUs, store }) {
      const stored = changes.map((change) => {
        const before = currentVersion(caches, dataset, change.exampleId ?? '');
        if (before === undefined) throw fail('EXAMPLE_NOT_FOUND', { exampleId: change.exampleId ?? '' });
        return before;
      });
      const contents = changedContents(dataset, changes, stored, places);
      const versions = changes.map((change, at) => {
        const before = stored[at]!;
        return {
          ...before,
          versionUs,
          name: change.name ?? before.name,
          ...contents[at]!,
          metadata:
            change.metadata === null && change.split === null
              ? before.metadata
              : metadataWithSplit(change.metadata, change.split, before.metadata),
          sourceRunId: change.sourceRunId ?? before.sourceRunId,
          attachments: changedAttachments(before, change, store),
        };
      });
      return { versions, added: 0, missing: [] };
    },
  };
}

/** The content of updated examples. Examples whose content stays may be older than the schema, and are not checked. */
function changedContents(
  dataset: DatasetRecord,
  changes: readonly ExampleChange[],
  stored: readonly ExampleVersion[],
  places: readonly (string | number)[][],
): { inputs: Uint8Array; outputs: Uint8Array | null }[] {
  const contents = stored.map(({ inputs, outputs }, at) => ({
    inputs: changes[at]!.inputs ?? inputs,
    outputs: changes[at]!.outputs ?? outputs,
  }));
  const changed = contents.flatMap((content, at) => {
    const { inputs, outputs } = changes[at]!;
    return inputs === null && outputs === null ? [] : [{ at, loc: places[at]!, runExtra: null, ...content }];
  });
  const applied = applyDatasetRules(dataset, changed);
  for (const [index, { at }] of changed.entries()) {
    const { inputs, outputs } = applied[index]!;
    contents[at] = { inputs, outputs };
  }
  return contents;
}

/** An example has one version per commit. If a request changes it several times, the last change counts. */
function lastOfEach(changes: readonly ExampleChange[]): { change: ExampleChange; at: number }[] {
  return [...new Map(changes.map((change, at) => [change.exampleId, { change, at }])).values()];
}

/** Attachments that are kept share their bytes with the version before. New ones win over kept ones of their name. */
function changedAttachments(
  before: ExampleVersion,
  { attachments: sent, operations, exampleId }: ExampleChange,
  store: WritePlace['store'],
): ExampleVersion['attachments'] {
  if (sent.length === 0 && operations === null) return before.attachments;
  const stored = new Map(unpackAttachments(before.attachments).map((one) => [one.name, one]));
  const named = (name: string, loc: (string | number)[]): Attachment => {
    const found = stored.get(name);
    if (found !== undefined) return found;
    throw invalidRequest('body', [{ loc, msg: `the example has no attachment "${name}"`, type: 'missing' }]);
  };
  const kept =
    operations === null
      ? stored
      : new Map([
          ...operations.retain.map((name, at) => [name, named(name, [...operations.loc, 'retain', at])] as const),
          ...operations.rename.map(
            ([from, to]) => [to, { ...named(from, [...operations.loc, 'rename', from]), name: to }] as const,
          ),
        ]);
  for (const one of sent) kept.set(one.name, store(one));
  checkAttachmentCount([exampleId ?? 0, 'attachments'], kept.size);
  return packAttachments([...kept.values()]);
}

function planSplitChange(caches: Caches, { datasetId }: Kind, body: Uint8Array): Intent {
  const read = new RequestObject(body, wholeBody(body), DatasetSplitsPut);
  read.finish();
  const { split_name: split, examples, remove } = read.values as unknown as SplitsBody;
  return planEachChange(caches, { datasetId: datasetId!, ids: examples, refuseMissing: true }, ({ metadata }) => {
    const splits = splitsOf({ [SPLIT]: memberValue(metadata, SPLIT) });
    const next = remove === true ? splits.filter((one) => one !== split) : [...new Set([...splits, split])];
    return withMembers(metadata, [[SPLIT, JSON.stringify(next)]]);
  });
}

function planMetadataChange(caches: Caches, { datasetId }: Kind, body: Uint8Array): Intent {
  const read = new RequestObject(body, wholeBody(body), ExampleMetadataPatch);
  // Stop here if the body is invalid: the list of operations may be missing or malformed.
  read.finish();
  for (const [at, { operation }] of (read.values as unknown as MetadataBody).operations.entries()) {
    if (!['set', 'array_add', 'array_remove'].includes(operation.toLowerCase()))
      read.problems.push({
        loc: ['operations', at, 'operation'],
        msg: 'must be set, array_add or array_remove',
        type: 'enum',
      });
  }
  read.finish();
  const { example_ids: ids, operations } = read.values as unknown as MetadataBody;
  return planEachChange(caches, { datasetId: datasetId!, ids, refuseMissing: false }, (version) =>
    operations.reduce(
      (metadata, { key, operation, value, values }) => {
        const wanted = values ?? [value];
        const before = memberValue(metadata, key);
        const list = Array.isArray(before)
          ? before
          : before === undefined || before === null
            ? []
            : [before as unknown];
        const has = (one: unknown): boolean => list.some((item) => JSON.stringify(item) === JSON.stringify(one));
        switch (operation.toLowerCase()) {
          case 'set':
            return withMembers(metadata, [[key, JSON.stringify(values ?? value ?? null)]]);
          case 'array_add':
            return withMembers(metadata, [[key, JSON.stringify([...list, ...wanted.filter((one) => !has(one))])]]);
          default:
            return withMembers(metadata, [
              [
                key,
                JSON.stringify(
                  list.filter((item) => !wanted.some((one) => JSON.stringify(one) === JSON.stringify(item))),
                ),
              ],
            ]);
        }
      },
      version.metadata ?? Buffer.from('{}'),
    ),
  );
}

/**
 * Changes the metadata of each example to what `change` returns. Missing examples are reported in the response, or
 * refuse the request.
 */
function planEachChange(
  caches: Caches,
  { datasetId, ids, refuseMissing }: { datasetId: string; ids: readonly string[]; refuseMissing: boolean },
  change: (version: ExampleVersion) => Uint8Array,
): Intent {
  const exampleIds = [...new Set(ids.map((id, at) => parseId(id, [at], 'body')))];
  return {
    datasetId,
    count: exampleIds.length,
    plan(dataset, { versionUs }) {
      const missing: string[] = [];
      const versions: ExampleVersion[] = [];
      for (const exampleId of exampleIds) {
        const before = currentVersion(caches, dataset, exampleId);
        if (before === undefined) missing.push(exampleId);
        else versions.push({ ...before, versionUs, metadata: change(before) });
      }
      if (refuseMissing && missing.length > 0) throw fail('EXAMPLE_NOT_FOUND', { exampleId: missing[0]! });
      return { versions, added: 0, missing };
    },
  };
}

function planCopy(caches: Caches, { caller }: Kind, body: Uint8Array): Intent {
  const read = new RequestObject(body, wholeBody(body), DatasetClone);
  const [sourceId, targetId] = [read.uuid('source_dataset_id'), read.uuid('target_dataset_id')];
  read.finish();
  const { as_of: asOf, split, examples } = read.values as unknown as CloneBody;
  const source = caches.datasets.get(caller, sourceId!);
  if (source === undefined) throw fail('DATASET_NOT_FOUND', { datasetId: sourceId! });
  const splits = split === undefined || split === null ? null : [split].flat();
  const chosen =
    examples === undefined || examples === null ? null : new Set(examples.map((id) => canonicalUuid(id) ?? id));
  const copied = new DatasetExamples(caches, source);
  const found = copied.directory
    .newestFirst(asOfTime(source, asOf))
    .filter(({ exampleId }) => chosen === null || chosen.has(exampleId))
    .map((entry) => copied.load(entry))
    .filter(
      ({ metadata }) =>
        splits === null || splitsOf({ [SPLIT]: memberValue(metadata, SPLIT) }).some((one) => splits.includes(one)),
    );
  return {
    datasetId: targetId!,
    count: found.length,
    attachmentBytes: found.some(({ attachments }) => attachments !== null) ? 0 : null,
    plan: (dataset, { versionUs, copy }) => ({
      versions: withRules(dataset, found).map((version) => ({
        ...version,
        exampleId: randomIds.next(),
        versionUs,
        createdAtUs: versionUs,
        attachments: packAttachments(unpackAttachments(version.attachments).map(copy)),
      })),
      added: found.length,
      missing: [],
    }),
  };
}

/** Copied examples as the rules of the dataset that they are copied to want them. */
function withRules(dataset: DatasetRecord, versions: readonly ExampleVersion[]): ExampleVersion[] {
  const contents = applyDatasetRules(
    dataset,
    versions.map(({ exampleId, inputs, outputs }) => ({
      loc: ['examples', exampleId],
      inputs,
      outputs,
      runExtra: null,
    })),
  );
  return versions.map((version, at) => ({
    ...version,
    inputs: contents[at]!.inputs,
    outputs: contents[at]!.outputs,
  }));
}

/** The dataset in the URL, or the one that all examples of the body name. Throws INVALID_REQUEST. */
function singleDataset(changes: readonly ExampleChange[], datasetId: string | null): string {
  const named = new Set(changes.map((change) => change.datasetId ?? datasetId));
  const [only] = named;
  if (datasetId !== null && named.size <= 1 && (only === undefined || only === datasetId)) return datasetId;
  if (named.size !== 1 || only === null || only === undefined)
    throw invalidRequest('body', [
      { loc: ['dataset_id'], msg: 'is required, and must be the same for all examples', type: 'missing' },
    ]);
  return only;
}

/** The example's current version in this dataset; undefined if it does not exist. */
function currentVersion(caches: Caches, dataset: DatasetRecord, exampleId: string): ExampleVersion | undefined {
  const newest = newestVersion(caches, exampleId);
  return newest === undefined || newest.datasetId !== dataset.datasetId || newest.version.removed
    ? undefined
    : newest.version;
}
