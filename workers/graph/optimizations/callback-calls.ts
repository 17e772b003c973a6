import { randomIds } from '../../../src/base/ids.js';
import { isSameList } from '../../../src/base/same-list.js';
import type * as Packages from '../packages.js';

type Callbacks = typeof Packages.callbacks;
type Class = abstract new (...args: never[]) => unknown;
type Method = (this: Members, ...args: unknown[]) => Promise<unknown>;

/** What managers have, also what their types hide. */
interface Members {
  runId: string;
  handlers: Handler[];
  inheritableHandlers: Handler[];
  tags: string[];
  inheritableTags: string[];
  metadata: Record<string, unknown>;
  inheritableMetadata: Record<string, unknown>;
  _parentRunId: string | undefined;
  [SPLIT]?: SplitHandlers & { handlers: Handler[] };
}

/**
 * Set on a callback handler whose methods do not throw, return no promise and do not use AsyncLocalStorage. It reads
 * the component of a chain only if the chain has no name.
 */
export const DIRECT: unique symbol = Symbol('direct');

/** Where a run's manager remembers its handlers. */
const SPLIT: unique symbol = Symbol('split');

type Handler = Partial<Record<string, (...args: unknown[]) => unknown>> & { [DIRECT]?: boolean };

/** Members of a run's manager that its constructor sets, in the order of its parameters. */
const RUN_MEMBERS = 'runId handlers inheritableHandlers tags inheritableTags metadata inheritableMetadata _parentRunId';

/** Position of the last argument that handlers get, among those of the manager. */
const MORE = 4;
const FIRST_PROMPT = { prompt: 0, completion: 0 };

interface Start {
  /** Class of the manager of the step that starts. */
  manager: 'CallbackManagerForChainRun' | 'CallbackManagerForLLMRun' | 'CallbackManagerForToolRun';
  /** What handlers get. */
  argumentsOf(parent: Members, args: readonly unknown[], runId: unknown): unknown[];
  /** For several inputs at once: the result is a list. Those of more than one are left to the library. */
  isList?: true;
}

/** The starts of steps, by the name of the method. The id of the step is always the third argument. */
const STARTS: Record<string, Start> = {
  handleChainStart: {
    manager: 'CallbackManagerForChainRun',
    argumentsOf: ({ _parentRunId, tags, metadata }, [chain, inputs, , runType, , , runName, , extra], runId) => [
      ...[chain, inputs, runId, _parentRunId, tags, metadata, runType, runName, extra],
    ],
  },
  handleChatModelStart: {
    manager: 'CallbackManagerForLLMRun',
    argumentsOf: ({ _parentRunId, tags, metadata }, [model, messages, , , extraParams, , , runName], runId) => [
      ...[model, messages, runId, _parentRunId, extraParams, tags, metadata, runName],
    ],
    isList: true,
  },
  handleToolStart: {
    manager: 'CallbackManagerForToolRun',
    argumentsOf: ({ _parentRunId, tags, metadata }, [tool, input, , , , , runName, toolCallId], runId) => [
      ...[tool, typeof input === 'string' ? input : JSON.stringify(input), runId, _parentRunId],
      ...[tags, metadata, runName, toolCallId],
    ],
  },
};

type ArgumentsOf = (run: Members, args: readonly unknown[]) => unknown[];

/** Of a step that has ended, with its result or error. */
const ofResult: ArgumentsOf = (run, args) => [args[0], run.runId, run._parentRunId, run.tags, args[MORE]];

/** What handlers get of a step that has an end or a token, by the class of its manager and the name of the method. */
const ARGUMENTS: Record<string, Record<string, ArgumentsOf>> = {
  CallbackManagerForChainRun: { handleChainEnd: ofResult, handleChainError: ofResult },
  CallbackManagerForLLMRun: {
    handleLLMNewToken: ({ runId, _parentRunId, tags }, args) => [
      ...[args[0], args[1] ?? FIRST_PROMPT, runId, _parentRunId, tags, args[5]],
    ],
    handleLLMEnd: ofResult,
  },
  CallbackManagerForToolRun: {
    handleToolEnd: ({ runId, _parentRunId, tags }, args) => [args[0], runId, _parentRunId, tags],
  },
};

/**
 * Calls direct handlers (`DIRECT`) at once. The library calls each handler in several promises of its own, within a new
 * context of AsyncLocalStorage: with the copies of managers (callback-copies.ts), most of the CPU time of a run that is
 * recorded as a trace. It still calls all other handlers. Known to fit @langchain/core 1.4.
 */
export function callDirectHandlersAtOnce(callbacks: Callbacks): void {
  const classes = callbacks as unknown as Record<string, { prototype: Record<string, Method> } | undefined>;
  const parent = classes['CallbackManager']?.prototype;
  const ends = Object.entries(ARGUMENTS).flatMap(([name, methods]) =>
    Object.entries(methods).map(([method, argsOf]) => ({ prototype: classes[name]?.prototype, method, argsOf })),
  );
  // Another release may have other members; then nothing is replaced.
  if (Object.keys(STARTS).some((method) => typeof parent?.[method] !== 'function')) return;
  if (ends.some(({ prototype, method }) => typeof prototype?.[method] !== 'function')) return;
  if (!Object.keys(ARGUMENTS).every((name) => hasRunMembers(classes[name] as unknown as Class))) return;

  for (const [method, start] of Object.entries(STARTS)) {
    const original = parent![method]!;
    const RunManager = callbacks[start.manager] as unknown as new (...members: unknown[]) => Members;
    parent![method] = async function startAtOnce(this: Members, ...args: unknown[]): Promise<unknown> {
      const { direct, others } = splitHandlers(this);
      const isOfOne = start.isList !== true || (args[1] as unknown[]).length === 1;
      if (direct.length === 0 || !isOfOne) return original.apply(this, args);
      const runId = args[2] ?? randomIds.next();
      for (const handler of direct) handler[method]?.(...start.argumentsOf(this, args, runId));
      if (others !== null)
        return withHandlers(this, others, () => original.call(this, args[0], args[1], runId, ...args.slice(3)));
      const { handlers, inheritableHandlers, tags, inheritableTags, metadata, inheritableMetadata } = this;
      const run = new RunManager(
        runId,
        handlers,
        inheritableHandlers,
        tags,
        inheritableTags,
        metadata,
        inheritableMetadata,
        this._parentRunId,
      );
      return start.isList === true ? [run] : run;
    };
  }

  for (const { prototype, method, argsOf } of ends) {
    const original = prototype![method]!;
    // A model call has many tokens, which all go to the same handlers. All else happens once.
    const handlersOf = method === 'handleLLMNewToken' ? rememberedHandlers : splitHandlers;
    prototype![method] = function callAtOnce(this: Members, ...args: unknown[]): Promise<unknown> {
      const { direct, others } = handlersOf(this);
      if (direct.length === 0) return original.apply(this, args);
      const given = argsOf(this, args);
      for (const handler of direct) handler[method]?.(...given);
      return others === null ? Promise.resolve() : withHandlers(this, others, () => original.apply(this, args));
    };
  }
}

function hasRunMembers(manager: Class): boolean {
  const probe = Reflect.construct(manager, ['', [], [], [], [], {}, {}]) as object;
  return Object.keys(probe).join(' ') === RUN_MEMBERS;
}

function isDirect(handler: Handler): boolean {
  return handler[DIRECT] === true;
}

interface SplitHandlers {
  direct: Handler[];
  /** Null if there are direct handlers only. */
  others: Handler[] | null;
}

function splitHandlers({ handlers }: Members): SplitHandlers {
  if (handlers.length === 1 && isDirect(handlers[0]!)) return { direct: handlers, others: null };
  const direct: Handler[] = [];
  const others: Handler[] = [];
  for (const handler of handlers) (isDirect(handler) ? direct : others).push(handler);
  return { direct, others: others.length === 0 ? null : others };
}

/** Like `splitHandlers`, for as long as the handlers are the same. */
function rememberedHandlers(manager: Members): SplitHandlers {
  const { handlers } = manager;
  let known = manager[SPLIT];
  if (known === undefined || !isSameList(known.handlers, handlers))
    known = manager[SPLIT] = { ...splitHandlers(manager), handlers: [...handlers] };
  return known;
}

/**
 * Calls a method of the library while the manager has these handlers only. The methods read the handlers before they
 * wait for anything, and a run's manager, which they make at the end, gets all of them.
 */
function withHandlers<T>(manager: Members, handlers: Handler[], call: () => T): T {
  const all = manager.handlers;
  manager.handlers = handlers;
  try {
    return call();
  } finally {
    manager.handlers = all;
  }
}
