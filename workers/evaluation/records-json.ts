import { asObject, joinBytes, parseJson, type JsonBytes, type JsonObject } from '../../src/base/json/json.js';
import { isoMicros } from '../../src/base/micros.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import {
  experimentIdsOf,
  type ExperimentRecord,
  type StatisticsRecord,
} from '../../src/store/evaluation/experiments.js';
import type { Reader } from '../../src/store/reader.js';

/** The server has no workspaces. This id represents the whole server wherever clients expect a workspace. */
export const TENANT_ID = '00000000-0000-4000-8000-000000000001';

/** Serializes an object. Values of type Uint8Array are already JSON. Undefined values are omitted. */
export function jsonObject(fields: Record<string, unknown>): Buffer {
  const parts: (string | Uint8Array)[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    parts.push(
      `${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`,
      value instanceof Uint8Array ? value : JSON.stringify(value),
    );
  }
  return joinBytes(parts.length === 0 ? ['{}'] : [...parts, '}']);
}

export function jsonArray(items: readonly (Uint8Array | string)[]): Buffer {
  const parts: (Uint8Array | string)[] = ['['];
  items.forEach((item, at) => {
    if (at > 0) parts.push(',');
    parts.push(item);
  });
  parts.push(']');
  return joinBytes(parts);
}

/** The metadata of an experiment or a run, which is in its `extra`. */
export function metadataOf({ extra }: { extra: JsonBytes | null }): JsonObject {
  return extra === null ? {} : asObject(asObject(parseJson(extra))['metadata']);
}

export function isoOrNull(us: number | null): string | null {
  return us === null ? null : isoMicros(us);
}

/** The number of experiments of a dataset, and the start of the newest one. */
export function experimentCounts(
  reader: Reader,
  datasetId: string,
): { sessionCount: number; lastSessionStartUs: number | null } {
  let sessionCount = 0;
  let lastSessionStartUs: number | null = null;
  for (const { startTimeUs } of experimentIdsOf(reader, datasetId)) {
    lastSessionStartUs ??= startTimeUs;
    sessionCount += 1;
  }
  return { sessionCount, lastSessionStartUs };
}

/** Fields of evaluation-api.md, 2.1, and interface.md, 2.3. */
export function datasetJson(
  record: DatasetRecord,
  live: { sessionCount: number; lastSessionStartUs: number | null },
): Buffer {
  return jsonObject({
    id: record.datasetId,
    tenant_id: TENANT_ID,
    name: record.name,
    description: record.description,
    created_at: isoMicros(record.createdAtUs),
    modified_at: isoMicros(record.modifiedAtUs),
    data_type: record.dataType,
    inputs_schema_definition: record.inputsSchema,
    outputs_schema_definition: record.outputsSchema,
    externally_managed: record.externallyManaged,
    transformations: record.transformations,
    metadata: record.metadata,
    baseline_experiment_id: record.baselineExperimentId,
    example_count: record.exampleCount,
    session_count: live.sessionCount,
    last_session_start_time: isoOrNull(live.lastSessionStartUs),
  });
}

const NO_STATISTICS: Record<string, null> = {
  run_count: null,
  latency_p50: null,
  latency_p99: null,
  first_token_p50: null,
  first_token_p99: null,
  total_tokens: null,
  prompt_tokens: null,
  completion_tokens: null,
  total_cost: null,
  prompt_cost: null,
  completion_cost: null,
  last_run_start_time: null,
  last_run_start_time_live: null,
  feedback_stats: null,
  session_feedback_stats: null,
  run_facets: null,
  error_rate: null,
  streaming_rate: null,
};

/**
 * Fields of evaluation-api.md, 2.3. Statistics are computed shortly after the runs arrive; until then their
 * fields are null.
 */
export function experimentJson(
  record: ExperimentRecord,
  statistics: StatisticsRecord | null,
  runCount: number | null = null,
): Buffer {
  const plain = jsonObject({
    id: record.experimentId,
    tenant_id: TENANT_ID,
    name: record.name,
    description: record.description,
    start_time: isoMicros(record.startTimeUs),
    end_time: isoOrNull(record.endTimeUs),
    extra: record.extra,
    default_dataset_id: record.defaultDatasetId,
    reference_dataset_id: record.referenceDatasetId,
    trace_tier: record.traceTier,
    test_run_number: record.testRunNumber,
    experiment_progress: record.progress,
  });
  const filled: JsonBytes =
    statistics === null ? jsonObject({ ...NO_STATISTICS, run_count: runCount }) : statistics.fields;
  return joinBytes([plain.subarray(0, plain.byteLength - 1), ',', filled.subarray(1)]);
}
