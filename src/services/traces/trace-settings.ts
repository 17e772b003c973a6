import { KiB } from '../../base/limits.js';
import type { ValueSettings } from '../../domain/trace-values.js';
import type { ReceivedTraceSettings } from '../../wire/evaluation/evaluation.js';
import type { TokenPrices, TraceJob } from '../../wire/runs/spans.js';

/** Which runs are recorded, and what of them. */
export interface RecordingSettings extends ValueSettings {
  /** Share of the runs that are recorded, from 0 to 1. */
  sampleRate: number;
  /** A function of the project that gets inputs and outputs after `hide`, and returns what is stored. */
  hideFunction: ModuleFunction | null;
  /** Which runs keep what they got from outside: a share of all runs from 0 to 1, or those that failed. */
  calls: number | 'failed';
}

/** A function that a module of the project exports. */
export interface ModuleFunction {
  /** Absolute path. */
  file: string;
  exportName: string;
  /** As written in langgraph.json, for messages. */
  path: string;
}

/** `traces` of langgraph.json. */
export interface TraceSettings extends RecordingSettings {
  /** Other settings for some assistants, by their name, their id or the name of their graph. Null: not recorded. */
  assistants: ReadonlyMap<string, RecordingSettings | null>;
  /** Prices of models, by name. */
  prices: Readonly<Record<string, TokenPrices>>;
  /** Traces of each project that are kept, the newest ones, and for how long. Null: no limit. */
  keepTraces: number | null;
  keepMs: number | null;
  /** What people answer to interrupts becomes feedback on the run that asked. */
  answers: boolean;
  /** How much of each step is sent to the OpenTelemetry collector, if one is configured. */
  export: TraceExport;
  /** Which of the recorded runs are scored. */
  evaluate: readonly EvaluationRule[];
}

/** Nothing; steps without what users wrote; everything that is stored. */
export const TRACE_EXPORTS = ['none', 'spans', 'content'] as const;
export type TraceExport = (typeof TRACE_EXPORTS)[number];

/** An entry of `traces.evaluate`: evaluators for some of the recorded runs. */
export interface EvaluationRule {
  /** Names of evaluators of langgraph.json. */
  evaluators: readonly string[];
  /** Ids or names of assistants, or names of graphs; null: all. */
  assistants: readonly string[] | null;
  /** In the filter language of runs; null: all. */
  filter: string | null;
  /** Share of these runs that are scored, from 0 to 1. */
  sampleRate: number;
  runsPerHour: number;
}

/** An assistant as settings and rules name it. */
export interface NamedAssistant {
  assistantId: string;
  name: string;
  graphId: string;
}

/** How runs of an assistant are recorded. Its name counts before its id and its graph. Null: they are not. */
export function recordingOf(settings: TraceSettings, assistant: NamedAssistant): RecordingSettings | null {
  const { name, assistantId, graphId } = assistant;
  const named = [name, assistantId, graphId].find((one) => settings.assistants.has(one));
  return named === undefined ? settings : settings.assistants.get(named)!;
}

/** How long traces are kept, if the configuration does not say. */
export const TRACE_KEEP_MS = 14 * 86_400_000;

/** Longest inputs or outputs of a step, if the configuration does not say. */
export const TRACE_VALUE_BYTES = 64 * KiB;

/** What is kept of spans that others send: the same as of runs, whether these are recorded or not. */
export function receivedTraceSettings(settings: TraceSettings | null): ReceivedTraceSettings {
  const {
    hideInputs = false,
    hideOutputs = false,
    hide = [],
    valueBytesMax = TRACE_VALUE_BYTES,
    prices = {},
  } = settings ?? {};
  return { hideInputs, hideOutputs, hide, valueBytesMax, prices };
}

/** Whether what a recorded run gets from outside is recorded, too. */
export function callsOf(runId: string, { calls }: RecordingSettings): TraceJob['calls'] {
  if (calls === 'failed') return calls;
  return calls > 0 && isSampled(runId, { sampleRate: calls }) ? 'all' : 'none';
}

/** True if a run may be recorded with what it gets from outside. */
export function recordsCalls(settings: TraceSettings | null): boolean {
  return (
    settings !== null && [settings, ...settings.assistants.values()].some((one) => one !== null && one.calls !== 0)
  );
}

/** Random digits at the end of a run's id. */
const SAMPLE_DIGITS = 6;

/** True if the run is recorded. The run's id decides, so that all attempts on all nodes agree. */
export function isSampled(runId: string, { sampleRate }: Pick<RecordingSettings, 'sampleRate'>): boolean {
  return sampleRate >= 1 || Number.parseInt(runId.slice(-SAMPLE_DIGITS), 16) < sampleRate * 16 ** SAMPLE_DIGITS;
}
