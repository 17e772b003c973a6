import { readJson } from '../../components/json-editor.js';

export const MODES = [
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
export type Mode = (typeof MODES)[number];

/** Options of a run. Text fields are kept as typed. */
export interface Options {
  modes: readonly Mode[];
  config: string;
  context: unknown;
  interruptBefore: string;
  interruptAfter: string;
  multitask: 'enqueue' | 'reject' | 'interrupt' | 'rollback';
  durability: 'async' | 'sync' | 'exit';
}

/** The mode `debug` provides steps with timestamps of the worker, and the state after each step. */
export const USUAL: Options = {
  modes: ['messages-tuple', 'updates', 'custom', 'debug'],
  config: '',
  context: undefined,
  interruptBefore: '',
  interruptAfter: '',
  multitask: 'enqueue',
  durability: 'async',
};

/** The options as an SDK payload. Throws if the configuration is not valid JSON. */
export function payloadOf({
  modes,
  config,
  context,
  interruptBefore,
  interruptAfter,
  multitask,
  durability,
}: Options): Record<string, unknown> {
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
    ...(nodesOf(interruptBefore) === undefined ? {} : { interruptBefore: nodesOf(interruptBefore) }),
    ...(nodesOf(interruptAfter) === undefined ? {} : { interruptAfter: nodesOf(interruptAfter) }),
  };
}

function nodesOf(text: string): '*' | string[] | undefined {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? undefined : names.includes('*') ? '*' : names;
}

/** Number of options that differ from the defaults. */
export function changedFrom(options: Options): number {
  return (Object.keys(USUAL) as (keyof Options)[]).filter(
    (name) => JSON.stringify(options[name]) !== JSON.stringify(USUAL[name]),
  ).length;
}
