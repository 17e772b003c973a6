import { ExamplesFromRuns } from '../../schemas/compiled/validators.js';
import type { ExamplesFromRuns as RunsBody } from '../../schemas/compiled/types.js';
import { fail } from '../../src/base/errors.js';
import { canonicalUuid, contentHash, randomIds, uuidOf } from '../../src/base/ids.js';
import { asObject, type JsonBytes } from '../../src/base/json/json.js';
import { withMembers, type MemberChange } from '../../src/base/json/members.js';
import { bytesOf, elements, isObjectSlice, memberMap, parse, wholeValue } from '../../src/base/json/slices.js';
import { LIMITS } from '../../src/base/limits.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import type { Caller } from '../../src/domain/caller.js';
import { isTruncatedTraceValue } from '../../src/domain/trace-values.js';
import { findEvaluationRun } from '../../src/store/evaluation/evaluation-runs.js';
import type { EvaluationRun } from '../../src/wire/evaluation/evaluation-run.js';
import type { ExampleVersion } from '../../src/store/evaluation/examples.js';
import type { SkippedRun, SkipReason } from '../../src/wire/evaluation/example-writes.js';
import { RequestObject } from '../../src/wire/evaluation/request-object.js';
import { receiveType } from './body.js';
import type { Caches } from './caches.js';
import { applyDatasetRules } from './dataset-rules.js';
import { newestVersion, type ExamplesDuplex, type Intent, type Kind } from './example-intent.js';
import { defaultExampleName, memberValue, metadataWithSplit } from './example-metadata.js';
import { partOf } from './json-path.js';
import { wholeBody } from './read-examples.js';
import { threadIdOf } from './run-subject.js';

/** A run that the body names or a query has found. */
interface ChosenRun {
  runId: string;
  /** Place in the body. */
  at: number;
  /** Instead of those of the run. Undefined: those of the run; null: none. */
  inputs?: JsonBytes | null | undefined;
  outputs?: JsonBytes | null | undefined;
}

/** The content of an example. */
interface RunContent {
  runId: string;
  at: number;
  inputs: JsonBytes;
  outputs: JsonBytes | null;
  extra: JsonBytes | null;
  origin: MemberChange[];
}

/**
 * Examples of runs. Their content is read before the dataset is locked, because runs that have ended do not change. The
 * id of an example follows from its dataset and run, so a run is not added twice.
 */
export async function planRuns(
  caches: Caches,
  { datasetId, caller }: Kind,
  body: Uint8Array,
  duplex: ExamplesDuplex,
): Promise<Intent> {
  const read = new RequestObject(body, wholeBody(body), ExamplesFromRuns);
  const [runs, metadata] = [read.freeForm('runs'), read.freeForm('metadata')];
  read.finish();
  const values = read.values as RunsBody;
  const chosen = runs === null ? await selectRuns(caches, values, duplex) : namedRuns(runs, values);
  const allowsDuplicates = values.allow_duplicates === true;
  const skipped: SkippedRun[] = [];
  const contents: RunContent[] = [];
  let bytes = 0;
  for (const one of chosen) {
    if (!allowsDuplicates && exists(caches, datasetId!, exampleIdOf(datasetId!, one.runId))) {
      skipped.push({ runId: one.runId, reason: 'already_added' });
      continue;
    }
    const found = visibleRun(caches, caller, one.runId);
    if (found === undefined) {
      // Deleted since the query has found it.
      if (runs === null) continue;
      throw fail('EVALUATION_RUN_NOT_FOUND', { runId: one.runId });
    }
    const content = contentOf(found, one, values);
    if (typeof content === 'string') {
      skipped.push({ runId: one.runId, reason: content });
      continue;
    }
    bytes += content.inputs.byteLength + (content.outputs?.byteLength ?? 0);
    if (bytes > LIMITS.examplesOfRunsBytesMax) throw tooLarge();
    contents.push({ runId: one.runId, at: one.at, origin: originOf(caches, found), ...content });
  }
  const split = values.split === undefined || values.split === null ? null : [values.split].flat();
  return {
    datasetId: datasetId!,
    count: contents.length,
    bytes,
    plan(dataset, { versionUs }) {
      const checked = applyDatasetRules(
        dataset,
        contents.map(({ at, inputs, outputs, extra }) => ({ loc: ['runs', at], inputs, outputs, runExtra: extra })),
      );
      const versions: ExampleVersion[] = [];
      for (const [index, { runId, origin }] of contents.entries()) {
        const exampleId = allowsDuplicates ? randomIds.next() : exampleIdOf(dataset.datasetId, runId);
        if (exists(caches, dataset.datasetId, exampleId)) {
          skipped.push({ runId, reason: 'already_added' });
          continue;
        }
        versions.push({
          exampleId,
          versionUs,
          createdAtUs: versionUs,
          removed: false,
          name: defaultExampleName(exampleId),
          ...checked[index]!,
          metadata: metadataWithSplit(withMembers(metadata, origin), split, null),
          sourceRunId: runId,
          attachments: null,
          rowId: null,
        });
      }
      return { versions, added: versions.length, missing: [], skipped };
    },
  };
}

/** The id of the example that a run becomes in a dataset. */
function exampleIdOf(datasetId: string, runId: string): string {
  return uuidOf(contentHash(`${datasetId} ${runId}`));
}

/** An example that was deleted does not count. */
function exists(caches: Caches, datasetId: string, exampleId: string): boolean {
  const newest = newestVersion(caches, exampleId);
  return newest !== undefined && newest.datasetId === datasetId && !newest.version.removed;
}

/** The runs of the list `json`. Of a run that is named twice, the first one counts. */
function namedRuns(json: JsonBytes, values: RunsBody): ChosenRun[] {
  for (const name of ['threads', 'session', 'filter', 'limit', 'is_root'] as const)
    if (values[name] !== undefined && values[name] !== null)
      throw invalidRequest('body', [{ loc: [name], msg: 'cannot be combined with runs', type: 'value_error' }]);
  const chosen = new Map<string, ChosenRun>();
  let at = 0;
  for (const slice of elements(json, wholeValue(json))) {
    const edited = isObjectSlice(json, slice);
    const members = edited ? memberMap(json, slice) : null;
    const id = members === null ? parse(json, slice) : parse(json, members.get('id')!);
    const runId = canonicalUuid(id as string);
    const loc = ['runs', at, ...(edited ? ['id'] : [])];
    if (runId === null) throw invalidRequest('body', [{ loc, msg: 'must be a UUID', type: 'uuid_parsing' }]);
    const editedValue = (name: 'inputs' | 'outputs'): JsonBytes | null | undefined => {
      const value = members?.get(name);
      return value === undefined ? undefined : isObjectSlice(json, value) ? bytesOf(json, value) : null;
    };
    if (!chosen.has(runId))
      chosen.set(runId, { runId, at, inputs: editedValue('inputs'), outputs: editedValue('outputs') });
    at += 1;
  }
  return [...chosen.values()];
}

/** The runs that a query finds, oldest first. The front thread asks the thread that has the index of runs. */
async function selectRuns(caches: Caches, values: RunsBody, duplex: ExamplesDuplex): Promise<ChosenRun[]> {
  const { threads, session, filter, limit, is_root: isRoot } = values;
  if (threads == null && session == null && filter == null)
    throw invalidRequest('body', [
      { loc: ['runs'], msg: 'is required when none of threads, session and filter is given', type: 'missing' },
    ]);
  duplex.send({
    type: 'select',
    selection: {
      session: session ?? null,
      filter: filter ?? null,
      // Steps do not repeat the metadata of their trace.
      traceFilter: threads == null ? null : `in(thread_id, ${JSON.stringify(threads)})`,
      isRoot: isRoot ?? true,
      limit: limit ?? LIMITS.examplesOfRunsDefault,
    },
  });
  const { runIds } = await receiveType(duplex, 'selected');
  caches.reader.refresh();
  return runIds.map((runId, at) => ({ runId, at }));
}

function visibleRun(caches: Caches, caller: Caller, runId: string): EvaluationRun | undefined {
  const found = findEvaluationRun(caches.reader, runId);
  return found === undefined || caches.experiments.ofList(caller, found.place.list) === undefined
    ? undefined
    : found.run;
}

/** The content of the example, or why there is none. */
function contentOf(
  run: EvaluationRun,
  edited: ChosenRun,
  { inputs_path: inputsPath, outputs_path: outputsPath }: RunsBody,
): Pick<RunContent, 'inputs' | 'outputs' | 'extra'> | SkipReason {
  const takesOutputs = edited.outputs === undefined;
  if (run.endUs === null && takesOutputs) return 'running';
  const [wholeInputs, wholeOutputs] = [edited.inputs ?? run.inputs, takesOutputs ? run.outputs : edited.outputs];
  if ([wholeInputs, wholeOutputs].some((value) => value != null && isTruncatedTraceValue(value))) return 'truncated';
  // What a person has edited is the part already.
  const inputs = edited.inputs ?? (wholeInputs === null ? null : partOf(wholeInputs, inputsPath ?? null));
  if (inputs === null) return 'no_inputs';
  const outputs = !takesOutputs
    ? (edited.outputs ?? null)
    : wholeOutputs === null
      ? null
      : partOf(wholeOutputs!, outputsPath ?? null);
  if (outputs === null && takesOutputs && outputsPath != null && outputsPath !== '') return 'no_outputs';
  return { inputs, outputs, extra: run.extra };
}

/** Metadata that says where an example comes from. */
function originOf(caches: Caches, run: EvaluationRun): MemberChange[] {
  // Steps do not repeat the metadata of their root.
  const root = run.traceId === run.runId ? run : findEvaluationRun(caches.reader, run.traceId)?.run;
  const threadId = [run, root].map((one) => threadOf(one?.extra ?? null)).find((id) => id !== null) ?? null;
  return [
    ['source_trace_id', JSON.stringify(run.traceId)],
    ...(threadId === null ? [] : [['source_thread_id', JSON.stringify(threadId)] satisfies MemberChange]),
  ];
}

function threadOf(extra: JsonBytes | null): string | null {
  return threadIdOf(asObject(memberValue(extra, 'metadata')));
}

function tooLarge(): Error {
  return invalidRequest('body', [
    {
      loc: ['limit'],
      msg: `the runs have more than ${LIMITS.examplesOfRunsBytesMax} bytes together; add fewer at once`,
      type: 'too_large',
    },
  ]);
}
