import { randomIds } from '../../../src/base/ids.js';
import type * as Packages from '../packages.js';
import { DIRECT } from './callback-calls.js';
import { bothMetadata } from './callback-copies.js';
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

/** What a step hands down to its children, beside its handlers. */
interface Inherited {
  inheritableTags: readonly string[];
  inheritableMetadata: Metadata;
}

/** What a run's manager has for its children. */
interface ChainMembers extends Inherited {
  handlers: Handler[];
  inheritableHandlers: Handler[];
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

  constructor(handler: Handler, parentId: string, { inheritableTags, inheritableMetadata }: Inherited, tag?: string) {
    this.name = handler.name;
    this.handler = handler;
    this.parentId = parentId;
    // As in the library, a tag that a child gets again is no longer handed down.
    const isRepeated = tag !== undefined && inheritableTags.includes(tag);
    this.inheritableTags = isRepeated ? inheritableTags.filter((one) => one !== tag) : inheritableTags;
    this.tags = tag === undefined || tag === '' ? inheritableTags : [...this.inheritableTags, tag];
    this.metadata = inheritableMetadata;
  }

  copy(): this {
    return this;
  }

  /** The same as with a manager of this scope, without one. */
  startChain(config: ChainConfig, start: ChainStart): ScopedRun {
    return new ScopedRun(this, config, start);
  }
}

for (const name of [...STARTS, ...OTHERS])
  Object.defineProperty(Scope.prototype, name, {
    value(this: Scope, ...args: unknown[]) {
      if (STARTS.includes(name)) args[PARENT] ??= this.parentId;
      return (this.handler as unknown as Record<string, Method | undefined>)[name]?.(...args);
    },
  });

/** The config of a chain that starts. */
export interface ChainConfig {
  callbacks?: unknown;
  runId?: string;
  runName?: string;
  tags?: readonly string[];
  metadata?: Metadata;
}

/** A chain, and what is said of it at its start. */
export interface ChainStart {
  chain: { toJSON(): unknown };
  inputs: object;
  extra: unknown;
}

/** The scope in which a chain with these callbacks runs. Null if handlers of others may have to be told. */
export type FindScope = (callbacks: unknown) => Scope | null;

/** A chain that runs in a scope, with the methods that its caller uses of a manager. */
class ScopedRun {
  readonly #scope: Scope;
  readonly #runId: string;
  readonly #tags: readonly string[];
  readonly #forChildren: Inherited;

  constructor(scope: Scope, config: ChainConfig, { chain, inputs, extra }: ChainStart) {
    const { runId = randomIds.next(), runName, tags = [], metadata = {} } = config;
    this.#scope = scope;
    this.#runId = runId;
    this.#tags = bothTags(scope.tags, tags);
    this.#forChildren = {
      inheritableTags: bothTags(scope.inheritableTags, tags),
      inheritableMetadata: bothMetadata(scope.metadata, metadata),
    };
    // Handlers read it only for the name of a chain that has none of its own.
    const component = runName === undefined ? chain.toJSON() : undefined;
    this.#call(
      ...['handleChainStart', component, inputs, runId, scope.parentId, this.#tags],
      ...[this.#forChildren.inheritableMetadata, undefined, runName, extra],
    );
  }

  getChild(tag: string | undefined): readonly Scope[] {
    return [new Scope(this.#scope.handler, this.#runId, this.#forChildren, tag)];
  }

  handleChainEnd(outputs: object): void {
    this.#call('handleChainEnd', outputs, this.#runId, this.#scope.parentId, this.#tags, undefined);
  }

  handleChainError(error: unknown): void {
    this.#call('handleChainError', error, this.#runId, this.#scope.parentId, this.#tags, undefined);
  }

  #call(method: string, ...args: unknown[]): void {
    (this.#scope.handler as unknown as Record<string, Method | undefined>)[method]?.(...args);
  }
}

/** As `addTags` of a manager: a tag that is there moves to the end. */
function bothTags(tags: readonly string[], added: readonly string[]): readonly string[] {
  return added.length === 0 ? tags : [...tags.filter((tag) => !added.includes(tag)), ...added];
}

/** Members of a manager. */
const MEMBERS = 'handlers inheritableHandlers tags inheritableTags metadata inheritableMetadata name _parentRunId';

/**
 * Makes it cheap to hand callbacks down while the only handler is a direct one (`DIRECT`). Children then get a list
 * with a scope instead of a manager, and a manager is made of it at the start of a step without looking for tracers.
 * With any other handler, everything is as in the library. Known to fit @langchain/core 1.4. Returns the function that
 * finds a scope, null if nothing is replaced.
 */
export function scopeDirectHandlers(
  { CallbackManager, CallbackManagerForChainRun: ChainManager, ensureHandler }: Callbacks,
  { AsyncLocalStorageProviderSingleton: provider }: typeof Packages.singletons,
): FindScope | null {
  const statics = CallbackManager as unknown as {
    _configureSync?: (...args: ConfigureArguments) => Manager | undefined;
  };
  const configure = statics?._configureSync;
  const chain = ChainManager?.prototype as ChainRun | undefined;
  const getChild = chain?.getChild;
  // Another release may have other members; then nothing is replaced.
  if (typeof configure !== 'function' || configure.length !== 7 || typeof getChild !== 'function') return null;
  if (typeof ensureHandler !== 'function' || Object.keys(new CallbackManager()).join(' ') !== MEMBERS) return null;

  statics._configureSync = function configureAtOnce(...args: ConfigureArguments): Manager | undefined {
    const [given, local, inheritableTags, localTags, inheritableMetadata, localMetadata, options] = args;
    const handlers = handlersOf(given);
    const isAlone =
      handlers.length > 0 && handlers.every((one) => isDirect(one) && sourceOf(one) === sourceOf(handlers[0]!));
    if (!isAlone && !handlers.some(isScope)) return configure.apply(CallbackManager, args);
    const manager = managerOf(given!);
    const isPlain = isAlone && isEmpty(local) && options?.verbose !== true;
    if (!isPlain || mayAddHandlers())
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
    if (!isAlone || !isDirect(handler!)) return getChild.call(this, tag);
    return [new Scope(handler!, this.runId, members, tag)] as never;
  };

  return (callbacks) => {
    const scope = onlyScope(callbacks);
    return scope === null || mayAddHandlers() ? null : scope;
  };

  /** True if the library may add a handler that nobody has given. */
  function mayAddHandlers(): boolean {
    const context = provider.getInstance().getStore() as Parameters<typeof mayTrace>[0];
    return process.env[VERBOSE] === 'true' || mayTrace(context, undefined);
  }

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

/** The scope that is all of these callbacks, or null. */
function onlyScope(callbacks: unknown): Scope | null {
  if (!Array.isArray(callbacks) || callbacks.length !== 1) return null;
  const [only] = callbacks as [unknown];
  return only instanceof Scope ? only : null;
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
