import { randomIds } from '../../../src/base/ids.js';
import type * as Packages from '../packages.js';

type Callbacks = typeof Packages.callbacks;
type Manager = InstanceType<Callbacks['CallbackManager']>;
type ChainRun = InstanceType<Callbacks['CallbackManagerForChainRun']>;
type ModelRun = InstanceType<Callbacks['CallbackManagerForLLMRun']>;
type Handler = Manager['handlers'][number];

/** Set on a callback handler whose methods do not throw, return no promise and do not use AsyncLocalStorage. */
export const DIRECT: unique symbol = Symbol('direct');

/** Members of a run's manager that its constructor sets, in the order of its parameters. */
const RUN_MEMBERS = 'runId handlers inheritableHandlers tags inheritableTags metadata inheritableMetadata _parentRunId';

/**
 * Calls direct handlers (`DIRECT`) of chains and tokens at once. The library calls each handler in several promises of
 * its own, within a new context of AsyncLocalStorage: with the copies of managers (callback-copies.ts), most of the CPU
 * time of a run that is recorded as a trace. Where a manager has another handler, too, the library's method is called.
 * Known to fit @langchain/core 1.4.
 */
export function callDirectHandlersAtOnce(callbacks: Callbacks): void {
  const {
    CallbackManager,
    CallbackManagerForChainRun: ChainManager,
    CallbackManagerForLLMRun: ModelManager,
  } = callbacks;
  const [manager, chain, model] = [CallbackManager, ChainManager, ModelManager].map((one) => one?.prototype) as [
    Manager | undefined,
    ChainRun | undefined,
    ModelRun | undefined,
  ];
  const start = manager?.handleChainStart;
  const [end, fail, token] = [chain?.handleChainEnd, chain?.handleChainError, model?.handleLLMNewToken];
  // Another release may have other members; then nothing is replaced.
  if (manager === undefined || chain === undefined || model === undefined) return;
  if ([start, end, fail, token].some((method) => typeof method !== 'function')) return;
  const probe = Reflect.construct(ChainManager, ['', [], [], [], [], {}, {}]) as ChainRun;
  if (Object.keys(probe).join(' ') !== RUN_MEMBERS) return;

  manager.handleChainStart = function handleChainStart(this: Manager, ...args) {
    if (!this.handlers.every(isDirect)) return start!.apply(this, args);
    const [serialized, inputs, runId = randomIds.next(), runType, , , runName, , extra] = args;
    const { _parentRunId: parentId, handlers, tags, metadata } = this as unknown as Members;
    for (const handler of handlers)
      void handler.handleChainStart?.(serialized, inputs, runId, parentId, tags, metadata, runType, runName, extra);
    const { inheritableHandlers, inheritableTags, inheritableMetadata } = this as unknown as Members;
    return Promise.resolve(
      Reflect.construct(ChainManager, [
        ...[runId, handlers, inheritableHandlers, tags, inheritableTags, metadata, inheritableMetadata, parentId],
      ]) as ChainRun,
    );
  };
  chain.handleChainEnd = function handleChainEnd(this: ChainRun, ...args) {
    const { handlers, _parentRunId: parentId, tags } = this as unknown as Members;
    if (!handlers.every(isDirect)) return end!.apply(this, args);
    for (const handler of handlers) void handler.handleChainEnd?.(args[0], this.runId, parentId, tags, args[4]);
    return Promise.resolve();
  };
  chain.handleChainError = function handleChainError(this: ChainRun, ...args) {
    const { handlers, _parentRunId: parentId, tags } = this as unknown as Members;
    if (!handlers.every(isDirect)) return fail!.apply(this, args);
    for (const handler of handlers) void handler.handleChainError?.(args[0], this.runId, parentId, tags, args[4]);
    return Promise.resolve();
  };
  model.handleLLMNewToken = function handleLLMNewToken(this: ModelRun, ...args) {
    const { handlers, _parentRunId: parentId, tags } = this as unknown as Members;
    if (!handlers.every(isDirect)) return token!.apply(this, args);
    const [text, position = { prompt: 0, completion: 0 }, , , , fields] = args;
    for (const handler of handlers)
      void handler.handleLLMNewToken?.(text, position, this.runId, parentId, tags, fields);
    return Promise.resolve();
  };
}

/** What managers have, also what their types hide. */
interface Members {
  handlers: Handler[];
  inheritableHandlers: Handler[];
  tags: string[];
  inheritableTags: string[];
  metadata: Record<string, unknown>;
  inheritableMetadata: Record<string, unknown>;
  _parentRunId: string | undefined;
}

function isDirect(handler: Handler): boolean {
  return (handler as { [DIRECT]?: boolean })[DIRECT] === true;
}
