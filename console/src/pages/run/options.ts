import { isEmptyValue } from '../../shared/empty-value.js';

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

/** Options of a run. Text fields are kept as typed. Undefined: nothing was entered. */
export interface RunOptionValues {
  modes: readonly StreamMode[];
  config: unknown;
  context: unknown;
  interruptBefore: string;
  interruptAfter: string;
  multitask: 'enqueue' | 'reject' | 'interrupt' | 'rollback';
  durability: 'async' | 'sync' | 'exit';
}

/** The mode `debug` provides steps with timestamps of the worker, and the state after each step. */
export const DEFAULT_OPTIONS: RunOptionValues = {
  modes: ['messages-tuple', 'updates', 'custom', 'debug'],
  config: undefined,
  context: undefined,
  interruptBefore: '',
  interruptAfter: '',
  multitask: 'enqueue',
  durability: 'async',
};

/** The options as an SDK payload. */
export function runPayload({
  modes,
  config,
  context,
  interruptBefore,
  interruptAfter,
  multitask,
  durability,
}: RunOptionValues): Record<string, unknown> {
  const [ownConfig, ownContext] = [withoutEmpty(config), withoutEmpty(context)];
  return {
    streamMode: [...modes],
    streamSubgraphs: true,
    streamResumable: true,
    multitaskStrategy: multitask,
    durability,
    ...(ownConfig === undefined ? {} : { config: ownConfig }),
    ...(ownContext === undefined ? {} : { context: ownContext }),
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
    (name) => JSON.stringify(withoutEmpty(options[name])) !== JSON.stringify(DEFAULT_OPTIONS[name]),
  ).length;
}

/** A form leaves members behind that were entered and removed again. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => !isEmptyValue(one));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
