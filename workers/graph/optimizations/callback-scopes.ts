import type * as Packages from '../packages.js';
import { DIRECT } from './callback-calls.js';
import { mayTrace } from './idle-run-tree.js';

type Callbacks = typeof Packages.callbacks;
type Manager = InstanceType<Callbacks['CallbackManager']>;
type ChainRun = InstanceType<Callbacks['CallbackManagerForChainRun']>;
type Metadata = Record<string, unknown>;
type Handler = Manager['handlers'][number];
type Method = (...args: unknown[]) => unknown;
type Given = Manager | readonly (Handler | Scope)[] | undefined;
type ConfigureArguments = [
  ...[inheritableHandlers: Given, localHandlers: Given, inheritableTags?: string[], localTags?: string[]],
  ...[inheritableMetadata?: Metadata, localMetadata?: Metadata, options?: { verbose?: boolean }],
];

/** What a run's manager has for its children. */
interface ChainMembers {
  handlers: Handler[];
  inheritableHandlers: Handler[];
  inheritableTags: string[];
  inheritableMetadata: Metadata;
}

/** Has the library add a handler of its own. */
const VERBOSE = 'LANGCHAIN_VERBOSE';

/** Methods of handlers whose fourth argument is the id of the parent. */
const STARTS = [
  'handleChainStart',
  'handleChatModelStart',
  'handleLLMStart',
  'handleRetrieverStart',
  'handleToolStart',
];
const PARENT = 3;
const OTHERS = [
  ...['handleChainEnd', 'handleChainError', 'handleLLMEnd', 'handleLLMError', 'handleLLMNewToken'],
  ...['handleRetrieverEnd', 'handleRetrieverError', 'handleToolEnd', 'handleToolError'],
];

/**
 * What the children of a step get as their callbacks, in a list, if the step has one handler only and that is direct.
 * The library copies and merges lists at the cost of a list, and managers at twenty times that. It is a handler
 * itself, for code that adds it to a manager.
 */
class Scope {
  readonly name: string;
  readonly awaitHandlers = true;
  readonly raiseError = false;
  readonly [DIRECT] = true;
  readonly handler: Handler;
  readonly parentId: string;
  readonly tags: readonly string[];
  readonly inheritableTags: readonly string[];
  readonly metadata: Metadata;

  constructor(
    handler: Handler,
    parentId: string,
    { inheritableTags, inheritableMetadata }: ChainMembers,
    tag?: string,
  ) {
    this.name = handler.name;
    this.handler = handler;
    this.parentId = parentId;
    this.tags = tag === undefined || tag === '' ? inheritableTags : [...inheritableTags, tag];
    this.inheritableTags = inheritableTags;
    this.metadata = inheritableMetadata;
  }

  copy(): this {
    return this;
  }
}

for (const name of [...STARTS, ...OTHERS])
  Object.defineProperty(Scope.prototype, name, {
    value(this: Scope, ...args: unknown[]) {
      if (STARTS.includes(name)) args[PARENT] ??= this.parentId;
      return (this.handler as unknown as Record<string, Method | undefined>)[name]?.(...args);
    },
  });

/** Members of a manager. */
const MEMBERS = 'handlers inheritableHandlers tags inheritableTags metadata inheritableMetadata name _parentRunId';

/**
 * Makes it cheap to hand callbacks down while the only handler is a direct one (`DIRECT`). Children then get a list
 * with a scope instead of a manager, and a manager is made of it at the start of a step without looking for tracers.
 * With any other handler, everything is as in the library. Known to fit @langchain/core 1.4.
 */
export function scopeDirectHandlers(
  { CallbackManager, CallbackManagerForChainRun: ChainManager, ensureHandler }: Callbacks,
  { AsyncLocalStorageProviderSingleton: provider }: typeof Packages.singletons,
): void {
  const statics = CallbackManager as unknown as {
    _configureSync?: (...args: ConfigureArguments) => Manager | undefined;
  };
  const configure = statics?._configureSync;
  const chain = ChainManager?.prototype as ChainRun | undefined;
  const getChild = chain?.getChild;
  // Another release may have other members; then nothing is replaced.
  if (typeof configure !== 'function' || configure.length !== 7 || typeof getChild !== 'function') return;
  if (typeof ensureHandler !== 'function' || Object.keys(new CallbackManager()).join(' ') !== MEMBERS) return;

  statics._configureSync = function configureAtOnce(...args: ConfigureArguments): Manager | undefined {
    const [given, local, inheritableTags, localTags, inheritableMetadata, localMetadata, options] = args;
    const handlers = handlersOf(given);
    const isAlone =
      handlers.length > 0 && handlers.every((one) => isDirect(one) && sourceOf(one) === sourceOf(handlers[0]!));
    if (!isAlone && !handlers.some(isScope)) return configure.apply(CallbackManager, args);
    const manager = managerOf(given!);
    const context = provider.getInstance().getStore() as Parameters<typeof mayTrace>[0];
    const isPlain = isAlone && isEmpty(local) && options?.verbose !== true;
    if (!isPlain || process.env[VERBOSE] === 'true' || mayTrace(context, undefined))
      return configure.call(CallbackManager, manager, ...(args.slice(1) as never as [undefined]));
    if (inheritableTags !== undefined && inheritableTags.length > 0) manager.addTags(inheritableTags);
    if (localTags !== undefined && localTags.length > 0) manager.addTags(localTags, false);
    if (inheritableMetadata !== undefined) manager.addMetadata(inheritableMetadata);
    if (localMetadata !== undefined) manager.addMetadata(localMetadata, false);
    return manager;
  };

  chain!.getChild = function getScope(this: ChainRun, tag?: string): Manager {
    const members = this as unknown as ChainMembers;
    const { handlers, inheritableHandlers } = members;
    const [handler] = inheritableHandlers;
    const isAlone = handlers.length === 1 && inheritableHandlers.length === 1 && handlers[0] === handler;
    if (!isAlone || !isDirect(handler!) || (tag !== undefined && members.inheritableTags.includes(tag)))
      return getChild.call(this, tag);
    return [new Scope(handler!, this.runId, members, tag)] as never;
  };

  /** A manager of its own for these callbacks. */
  function managerOf(given: NonNullable<Given>): Manager {
    if (!('handlers' in given)) return managerOfList(given);
    const { _parentRunId: parentId, metadata, inheritableMetadata } = given as unknown as Record<string, never>;
    return new CallbackManager(parentId, {
      handlers: sources(given.handlers),
      inheritableHandlers: sources(given.inheritableHandlers),
      tags: [...given.tags],
      inheritableTags: [...given.inheritableTags],
      metadata,
      inheritableMetadata,
    });
  }

  function managerOfList(list: readonly (Handler | Scope)[]): Manager {
    // That of the innermost step is the last.
    const scope = list.findLast(isScope);
    const handlers = sources(list.map((one) => ensureHandler(one as Handler)));
    return new CallbackManager(scope?.parentId, {
      handlers,
      inheritableHandlers: [...handlers],
      tags: [...(scope?.tags ?? [])],
      inheritableTags: [...(scope?.inheritableTags ?? [])],
      metadata: scope?.metadata ?? {},
      inheritableMetadata: scope?.metadata ?? {},
    });
  }
}

function handlersOf(given: Given): readonly (Handler | Scope)[] {
  if (given === undefined || given === null) return [];
  return 'handlers' in given ? given.handlers : given;
}

/** The handlers without scopes, each once. */
function sources(handlers: readonly (Handler | Scope)[]): Handler[] {
  if (handlers.length === 1) return [sourceOf(handlers[0]!)];
  return [...new Set(handlers.map(sourceOf))];
}

function sourceOf(handler: Handler | Scope): Handler {
  return isScope(handler) ? handler.handler : handler;
}

function isScope(handler: Handler | Scope): handler is Scope {
  return handler instanceof Scope;
}

function isDirect(handler: Handler | Scope): boolean {
  return (handler as { [DIRECT]?: boolean })[DIRECT] === true;
}

function isEmpty(given: Given): boolean {
  return given === undefined || given === null || (Array.isArray(given) && given.length === 0);
}
