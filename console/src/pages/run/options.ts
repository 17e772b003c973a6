import { readJson } from '../../components/read-json.js';

export const STREAM_MODES = [
  'messages-tuple',
  'updates',
  'custom',
  'debug',
  'values',
  'messages',
  'tasks',
  'checkpoints',
  'tools',
  'events',
] as const;
export type StreamMode = (typeof STREAM_MODES)[number];

/** Options of a run. Text fields are kept as typed. */
export interface RunOptionValues {
  modes: readonly StreamMode[];
  config: string;
  context: unknown;
  interruptBefore: string;
  interruptAfter: string;
  multitask: 'enqueue' | 'reject' | 'interrupt' | 'rollback';
  durability: 'async' | 'sync' | 'exit';
}

/** The mode `debug` provides steps with timestamps of the worker, and the state after each step. */
export const DEFAULT_OPTIONS: RunOptionValues = {
  modes: ['messages-tuple', 'updates', 'custom', 'debug'],
  config: '',
  context: undefined,
  interruptBefore: '',
  interruptAfter: '',
  multitask: 'enqueue',
  durability: 'async',
};

/** The options as an SDK payload. Throws if the configuration is not valid JSON. */
export function runPayload({
  modes,
  config,
  context,
  interruptBefore,
  interruptAfter,
  multitask,
  durability,
}: RunOptionValues): Record<string, unknown> {
  const { value, error } = readJson(config);
  if (error !== null) throw new Error(`Configuration: ${error}`);
  return {
    streamMode: [...modes],
    streamSubgraphs: true,
    streamResumable: true,
    multitaskStrategy: multitask,
    durability,
    ...(value === undefined ? {} : { config: value }),
    ...(context === undefined ? {} : { context }),
    ...(parseNodeNames(interruptBefore) === undefined ? {} : { interruptBefore: parseNodeNames(interruptBefore) }),
    ...(parseNodeNames(interruptAfter) === undefined ? {} : { interruptAfter: parseNodeNames(interruptAfter) }),
  };
}

function parseNodeNames(text: string): '*' | string[] | undefined {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? undefined : names.includes('*') ? '*' : names;
}

/** Number of options that differ from the defaults. */
export function changedOptionCount(options: RunOptionValues): number {
  return (Object.keys(DEFAULT_OPTIONS) as (keyof RunOptionValues)[]).filter(
    (name) => JSON.stringify(options[name]) !== JSON.stringify(DEFAULT_OPTIONS[name]),
  ).length;
}
