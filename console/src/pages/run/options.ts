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

/** What a run is started with besides its input; texts as they were typed. */
export interface Options {
  modes: readonly Mode[];
  config: string;
  context: unknown;
  interruptBefore: string;
  interruptAfter: string;
  multitask: 'enqueue' | 'reject' | 'interrupt' | 'rollback';
  durability: 'async' | 'sync' | 'exit';
}

/** `debug` has the steps with the times of the worker, and the state after each. */
export const USUAL: Options = {
  modes: ['messages-tuple', 'updates', 'custom', 'debug'],
  config: '',
  context: undefined,
  interruptBefore: '',
  interruptAfter: '',
  multitask: 'enqueue',
  durability: 'async',
};

/** In the words of the SDK. Throws where the configuration is no JSON. */
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

/** How many of them are not as they usually are. */
export function changedFrom(options: Options): number {
  return (Object.keys(USUAL) as (keyof Options)[]).filter(
    (name) => JSON.stringify(options[name]) !== JSON.stringify(USUAL[name]),
  ).length;
}
