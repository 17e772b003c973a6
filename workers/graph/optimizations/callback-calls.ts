import { randomIds } from '../../../src/base/ids.js';
import type * as Packages from '../packages.js';

type Callbacks = typeof Packages.callbacks;
type ChainRun = InstanceType<Callbacks['CallbackManagerForChainRun']>;
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
  constructor: new (...args: never[]) => unknown;
}

/** Set on a callback handler whose methods do not throw, return no promise and do not use AsyncLocalStorage. */
export const DIRECT: unique symbol = Symbol('direct');

type Handler = Partial<Record<string, (...args: unknown[]) => unknown>> & { [DIRECT]?: boolean };

/** Members of a run's manager that its constructor sets, in the order of its parameters. */
const RUN_MEMBERS = 'runId handlers inheritableHandlers tags inheritableTags metadata inheritableMetadata _parentRunId';

/** Position of the last argument that handlers get, among those of the manager. */
const MORE = 4;
const FIRST_PROMPT = { prompt: 0, completion: 0 };

/** What handlers get of a step that has an end or a token, by the class of its manager and the name of the method. */
const ARGUMENTS: Record<string, Record<string, (run: Members, args: readonly unknown[]) => unknown[]>> = {
  CallbackManagerForChainRun: {
    handleChainEnd: (run, args) => [args[0], ...identity(run), args[MORE]],
    handleChainError: (run, args) => [args[0], ...identity(run), args[MORE]],
  },
  CallbackManagerForLLMRun: {
    handleLLMNewToken: (run, args) => [args[0], args[1] ?? FIRST_PROMPT, ...identity(run), args[5]],
    handleLLMEnd: (run, args) => [args[0], ...identity(run), args[MORE]],
  },
  CallbackManagerForToolRun: { handleToolEnd: (run, args) => [args[0], ...identity(run)] },
};

/**
 * Calls direct handlers (`DIRECT`) at once. The library calls each handler in several promises of its own, within a new
 * context of AsyncLocalStorage: with the copies of managers (callback-copies.ts), most of the CPU time of a run that is
 * recorded as a trace. It still calls all other handlers. Known to fit @langchain/core 1.4.
 */
export function callDirectHandlersAtOnce(callbacks: Callbacks): void {
  const { CallbackManager, CallbackManagerForChainRun: ChainManager } = callbacks;
  const classes = callbacks as unknown as Record<string, { prototype: Record<string, Method> } | undefined>;
  const ends = Object.entries(ARGUMENTS).flatMap(([name, methods]) =>
    Object.entries(methods).map(([method, argsOf]) => ({ prototype: classes[name]?.prototype, method, argsOf })),
  );
  const start = CallbackManager?.prototype.handleChainStart as Method | undefined;
  // Another release may have other members; then nothing is replaced.
  if (typeof start !== 'function' || ends.some(({ prototype, method }) => typeof prototype?.[method] !== 'function'))
    return;
  const probe = Reflect.construct(ChainManager, ['', [], [], [], [], {}, {}]) as ChainRun;
  if (Object.keys(probe).join(' ') !== RUN_MEMBERS) return;

  async function handleChainStart(this: Members, ...args: unknown[]): Promise<unknown> {
    const { handlers, inheritableHandlers, tags, inheritableTags, metadata, inheritableMetadata } = this;
    const parentId = this._parentRunId;
    const others = handlers.filter((handler) => !isDirect(handler));
    if (others.length === handlers.length) return start!.apply(this, args);
    const [serialized, inputs, runId = randomIds.next(), runType, , , runName, , extra] = args;
    for (const handler of handlers)
      if (isDirect(handler))
        handler['handleChainStart']?.(serialized, inputs, runId, parentId, tags, metadata, runType, runName, extra);
    if (others.length > 0)
      await start!.call(withHandlers(this, others, callbacks), serialized, inputs, runId, ...args.slice(3));
    return Reflect.construct(ChainManager, [
      ...[runId, handlers, inheritableHandlers, tags, inheritableTags, metadata, inheritableMetadata, parentId],
    ]);
  }
  Object.assign(CallbackManager.prototype, { handleChainStart });

  for (const { prototype, method, argsOf } of ends) {
    const original = prototype![method]!;
    prototype![method] = function callAtOnce(this: Members, ...args: unknown[]): Promise<unknown> {
      const { handlers } = this;
      const others = handlers.filter((handler) => !isDirect(handler));
      if (others.length === handlers.length) return original.apply(this, args);
      for (const handler of handlers) if (isDirect(handler)) handler[method]?.(...argsOf(this, args));
      return others.length === 0 ? Promise.resolve() : original.apply(withHandlers(this, others, callbacks), args);
    };
  }
}

function identity({ runId, _parentRunId, tags }: Members): unknown[] {
  return [runId, _parentRunId, tags];
}

function isDirect(handler: Handler): boolean {
  return handler[DIRECT] === true;
}

/**
 * The manager, as if it had these handlers only: one of the same class. An object that inherits from the manager would
 * make V8 keep a hidden class for each.
 */
function withHandlers(manager: Members, handlers: Handler[], classes: Callbacks): Members {
  const { inheritableHandlers, tags, inheritableTags, metadata, inheritableMetadata, _parentRunId: parentId } = manager;
  const { constructor } = manager;
  const lists = [inheritableHandlers, tags, inheritableTags, metadata, inheritableMetadata] as const;
  if (constructor === classes.CallbackManager)
    return Reflect.construct(constructor, [
      parentId,
      { handlers, inheritableHandlers, tags, inheritableTags, metadata, inheritableMetadata },
    ]) as Members;
  if (Object.keys(ARGUMENTS).some((name) => constructor === (classes as unknown as Record<string, unknown>)[name]))
    return Reflect.construct(constructor, [manager.runId, handlers, ...lists, parentId]) as Members;
  return Object.create(manager, { handlers: { value: handlers } }) as Members;
}
