import { isObject, type JsonObject } from '../base/json/json.js';
import { KiB, MiB } from '../base/limits.js';
import type { TokenPrices } from '../wire/runs/spans.js';
import {
  TRACE_EXPORTS,
  TRACE_KEEP_MS,
  TRACE_VALUE_BYTES,
  type EvaluationRule,
  type ModuleFunction,
  type RecordingSettings,
  type TraceExport,
  type TraceSettings,
} from '../services/traces/trace-settings.js';
import { parseModuleSpec } from './auth.js';
import type { EvaluatorConfig } from './evaluators.js';

const DAY_MS = 24 * 3_600_000;
const KEEP_TRACES = 10_000;

/** Reads `traces` of langgraph.json. Null: runs are not recorded. `problem` makes an error that names the file. */
export function readTraces(
  traces: unknown,
  { root, evaluators }: { root: string; evaluators: readonly EvaluatorConfig[] },
  problem: (text: string) => Error,
): TraceSettings | null {
  if (traces === undefined || traces === null || traces === false) return null;
  if (traces !== true && !isObject(traces)) throw problem('traces: must be true, false or an object.');
  const given = traces === true ? {} : traces;
  const fields = new Fields(given, 'traces', problem);
  const hideFunction = fields.moduleFunction('hide_with', root);
  const recording = readRecording(fields, { ...DEFAULTS, hideFunction });
  const settings: TraceSettings = {
    ...recording,
    assistants: readAssistants(given['assistants'], recording, problem),
    prices: readPrices(given['prices'], problem),
    keepTraces:
      given['keep_traces'] === null ? null : Math.floor(fields.number('keep_traces', KEEP_TRACES, [1, 1_000_000])),
    keepMs:
      given['keep_days'] === null ? null : fields.number('keep_days', TRACE_KEEP_MS / DAY_MS, [0.001, 36_500]) * DAY_MS,
    answers: fields.flag('answers', true),
    export: readExport(given['export'], problem),
    evaluate: readRules(given['evaluate'], evaluators, problem),
  };
  return fields.flag('enabled', true) ? settings : null;
}

const DEFAULTS: RecordingSettings = {
  sampleRate: 1,
  hideInputs: false,
  hideOutputs: false,
  hide: [],
  hideFunction: null,
  valueBytesMax: TRACE_VALUE_BYTES,
  calls: 0,
};

/** The settings that assistants can have of their own. */
function readRecording(fields: Fields, defaults: RecordingSettings): RecordingSettings {
  const recording: RecordingSettings = {
    sampleRate: fields.number('sample_rate', defaults.sampleRate, [0, 1]),
    hideInputs: fields.flag('hide_inputs', defaults.hideInputs),
    hideOutputs: fields.flag('hide_outputs', defaults.hideOutputs),
    hide: fields.paths('hide', defaults.hide),
    hideFunction: defaults.hideFunction,
    valueBytesMax: Math.floor(fields.number('max_value_bytes', defaults.valueBytesMax, [KiB, 4 * MiB])),
    calls: fields.calls('record_calls', defaults.calls),
  };
  if (recording.calls !== 0) checkNothingHidden(fields, recording);
  return recording;
}

/** A recording has inputs and answers as they are, which `hide` is to prevent. */
function checkNothingHidden(fields: Fields, { hideInputs, hideOutputs, hide, hideFunction }: RecordingSettings): void {
  const hidden = [
    hideInputs && 'hide_inputs',
    hideOutputs && 'hide_outputs',
    hide.length > 0 && 'hide',
    hideFunction !== null && 'hide_with',
  ].find((name) => name !== false);
  if (hidden !== undefined)
    throw fields.problemAt(
      'record_calls',
      `cannot be combined with ${hidden}, because recordings contain inputs and answers as they are. Remove one of them.`,
    );
}

const ASSISTANT_KEYS = [
  'enabled',
  'sample_rate',
  'hide_inputs',
  'hide_outputs',
  'hide',
  'max_value_bytes',
  'record_calls',
];

function readAssistants(
  assistants: unknown,
  defaults: RecordingSettings,
  problem: (text: string) => Error,
): Map<string, RecordingSettings | null> {
  if (assistants === undefined || assistants === null) return new Map();
  if (!isObject(assistants)) throw problem('traces.assistants: must be an object with an entry for each assistant.');
  return new Map(
    Object.entries(assistants).map(([name, given]) => {
      const place = `traces.assistants.${name}`;
      if (typeof given === 'boolean') return [name, given ? defaults : null];
      if (!isObject(given)) throw problem(`${place}: must be true, false or an object.`);
      const unknown = Object.keys(given).find((key) => !ASSISTANT_KEYS.includes(key));
      if (unknown !== undefined) throw problem(`${place}.${unknown}: is not one of ${ASSISTANT_KEYS.join(', ')}.`);
      const fields = new Fields(given, place, problem);
      const recording = readRecording(fields, defaults);
      return [name, fields.flag('enabled', true) ? recording : null];
    }),
  );
}

/** Reads members of an object, and says which one is wrong. */
class Fields {
  readonly #given: JsonObject;
  readonly #place: string;
  readonly #problem: (text: string) => Error;

  constructor(given: JsonObject, place: string, problem: (text: string) => Error) {
    this.#given = given;
    this.#place = place;
    this.#problem = problem;
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.#given[name] ?? otherwise;
    if (typeof value !== 'boolean') throw this.#problem(`${this.#place}.${name}: must be true or false.`);
    return value;
  }

  number(name: string, otherwise: number, [min, max]: readonly [number, number]): number {
    const value = this.#given[name] ?? otherwise;
    if (typeof value !== 'number' || !(value >= min && value <= max))
      throw this.#problem(`${this.#place}.${name}: must be a number from ${min} to ${max}.`);
    return value;
  }

  problemAt(name: string, text: string): Error {
    return this.#problem(`${this.#place}.${name}: ${text}`);
  }

  /** Which runs keep what they get from outside. */
  calls(name: string, otherwise: RecordingSettings['calls']): RecordingSettings['calls'] {
    const value = this.#given[name];
    if (value === undefined || value === null) return otherwise;
    if (value === true) return 1;
    if (value === false) return 0;
    if (value === 'on_error') return 'failed';
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
    throw this.problemAt(name, 'must be true, false, "on_error" or a share of the runs from 0 to 1.');
  }

  moduleFunction(name: string, root: string): ModuleFunction | null {
    const path = this.#given[name] ?? null;
    if (path === null) return null;
    if (typeof path !== 'string' || path === '')
      throw this.#problem(`${this.#place}.${name}: must be "path:function", such as "./privacy.ts:hide".`);
    return { path, ...parseModuleSpec(path, root) };
  }

  paths(name: string, otherwise: readonly string[]): readonly string[] {
    const value = this.#given[name] ?? otherwise;
    if (!isTexts(value) || value.length > PATHS_MAX)
      throw this.#problem(
        `${this.#place}.${name}: must be a list of at most ${PATHS_MAX} paths, such as "messages.*.content".`,
      );
    const wrong = value.find((path) => !isPath(path));
    if (wrong !== undefined)
      throw this.#problem(
        `${this.#place}.${name}: "${wrong}" must have 1 to ${PATH_PARTS_MAX} names between dots, and "**" once at most.`,
      );
    return value;
  }
}

const PATHS_MAX = 100;
const PATH_PARTS_MAX = 20;

function isPath(path: string): boolean {
  const parts = path.split('.');
  const wildcards = parts.filter((part) => part === '**').length;
  return !parts.includes('') && parts.length <= PATH_PARTS_MAX && wildcards <= 1 && parts.at(-1) !== '**';
}

function readExport(value: unknown, problem: (text: string) => Error): TraceExport {
  const found = TRACE_EXPORTS.find((one) => one === (value ?? 'spans'));
  if (found === undefined) throw problem(`traces.export: must be one of ${TRACE_EXPORTS.join(', ')}.`);
  return found;
}

const RULE_KEYS = ['evaluators', 'assistants', 'filter', 'sample_rate', 'runs_per_hour'];
const RUNS_PER_HOUR = 1_000;

function readRules(
  rules: unknown,
  known: readonly EvaluatorConfig[],
  problem: (text: string) => Error,
): EvaluationRule[] {
  if (rules === undefined || rules === null) return [];
  if (!Array.isArray(rules))
    throw problem(
      'traces.evaluate: must be a list of rules, such as [{"evaluators": ["polite"], "sample_rate": 0.1}].',
    );
  return rules.map((rule: unknown, at) => {
    const place = `traces.evaluate.${at}`;
    if (!isObject(rule)) throw problem(`${place}: must be an object, such as {"evaluators": ["polite"]}.`);
    const unknown = Object.keys(rule).find((key) => !RULE_KEYS.includes(key));
    if (unknown !== undefined) throw problem(`${place}.${unknown}: is not one of ${RULE_KEYS.join(', ')}.`);
    const {
      evaluators,
      assistants = null,
      filter = null,
      sample_rate: sampleRate = 1,
      runs_per_hour: runsPerHour = RUNS_PER_HOUR,
    } = rule;
    if (!isTexts(evaluators) || evaluators.length === 0)
      throw problem(`${place}.evaluators: must be a list of names of "evaluators" of this file.`);
    for (const name of evaluators) {
      const evaluator = known.find((one) => one.name === name);
      if (evaluator === undefined) throw problem(`${place}.evaluators: "evaluators" of this file has no "${name}".`);
      if (evaluator.isSummary)
        throw problem(`${place}.evaluators: "${name}" scores an experiment as a whole, not a single run.`);
    }
    if (assistants !== null && !isTexts(assistants))
      throw problem(`${place}.assistants: must be a list of names or ids of assistants.`);
    if (filter !== null && typeof filter !== 'string')
      throw problem(`${place}.filter: must be a filter for runs, such as 'gt(latency, 5)'.`);
    if (typeof sampleRate !== 'number' || !(sampleRate >= 0 && sampleRate <= 1))
      throw problem(`${place}.sample_rate: must be a number from 0 to 1.`);
    if (typeof runsPerHour !== 'number' || !Number.isInteger(runsPerHour) || runsPerHour < 1)
      throw problem(`${place}.runs_per_hour: must be a whole number above 0.`);
    return { evaluators, assistants, filter, sampleRate, runsPerHour };
  });
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '');
}

const PRICE_KEYS = ['input', 'output', 'cache_read', 'cache_write'];

function readPrices(prices: unknown, problem: (text: string) => Error): Record<string, TokenPrices> {
  if (prices === undefined || prices === null) return {};
  if (!isObject(prices)) throw problem('traces.prices: must be an object with an entry for each model.');
  return Object.fromEntries(
    Object.entries(prices).map(([model, given]) => {
      const place = `traces.prices.${model}`;
      if (!isObject(given)) throw problem(`${place}: must be an object, such as {"input": 3, "output": 15}.`);
      const unknown = Object.keys(given).find((key) => !PRICE_KEYS.includes(key));
      if (unknown !== undefined) throw problem(`${place}.${unknown}: is not one of ${PRICE_KEYS.join(', ')}.`);
      const price = (key: string): number | undefined => {
        const value = given[key];
        if (value === undefined && key.startsWith('cache_')) return undefined;
        if (typeof value !== 'number' || !(value >= 0 && value < Infinity))
          throw problem(`${place}.${key}: must be a number of US dollars for a million tokens.`);
        return value;
      };
      const [cacheRead, cacheWrite] = [price('cache_read'), price('cache_write')];
      return [
        model,
        {
          input: price('input')!,
          output: price('output')!,
          ...(cacheRead === undefined ? {} : { cacheRead }),
          ...(cacheWrite === undefined ? {} : { cacheWrite }),
        },
      ];
    }),
  );
}
