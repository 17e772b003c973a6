import type { JsonBytes } from '../../base/json/json.js';
import { pack, unpack } from '../../wire/codec.js';
import { keys } from '../keys.js';
import type { Lookup } from '../lookup.js';
import type { Reader } from '../reader.js';
import type { Commit } from '../store.js';

export type RuleTrigger = 'end' | 'feedback';

/** How a rule adds a run to a dataset. */
export interface DatasetAction {
  datasetId: string;
  /** The part of the inputs or outputs to take; null: all. */
  inputsPath: string | null;
  outputsPath: string | null;
  splits: readonly string[] | null;
  /** The correction of a feedback replaces the outputs. */
  prefersCorrection: boolean;
}

/** What a rule does with a run. At least one of them is given. */
export interface RuleActions {
  dataset: DatasetAction | null;
  queueId: string | null;
  /** Names of evaluators of langgraph.json. */
  evaluators: readonly string[];
}

/** What a rule has done since it was made. */
export interface RuleCounts {
  matched: number;
  /** Runs on which every action succeeded. */
  acted: number;
  /** Runs that were left out because too many waited. */
  dropped: number;
  actedAtMs: number | null;
  error: string | null;
  errorAtMs: number | null;
}

/** A rule that somebody made over the API. The filter of experiments applies to its metadata. */
export interface RuleRecord {
  ruleId: string;
  name: string;
  isEnabled: boolean;
  /** Null: the projects of all assistants. */
  projectId: string | null;
  trigger: RuleTrigger;
  /** In the filter language of runs: on the run, on the root of its trace, and on any step of its trace. */
  filter: string | null;
  traceFilter: string | null;
  treeFilter: string | null;
  samplingRate: number;
  runsPerHour: number;
  actions: RuleActions;
  metadata: JsonBytes | null;
  /** The caller who made the last change, sealed. The rule sees and does what that caller may see and do. */
  sealed: Uint8Array;
  createdAtMs: number;
  modifiedAtMs: number;
  counts: RuleCounts;
}

/** Every rule, without access check. */
export function* ruleRecords(reader: Reader): Generator<RuleRecord> {
  for (const [, bytes] of reader.entries({ prefix: keys.rules() })) yield unpack<RuleRecord>(bytes);
}

export function hasRule(lookup: Lookup, ruleId: string): boolean {
  return lookup.get(keys.rule(ruleId)) !== undefined;
}

export function putRule(commit: Commit, record: RuleRecord): void {
  commit.put(keys.rule(record.ruleId), pack(record));
}

export function removeRule(commit: Commit, ruleId: string): void {
  commit.remove(keys.rule(ruleId));
}
