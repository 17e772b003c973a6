import { randomIds } from '../../../src/base/ids.js';
import type * as Packages from '../packages.js';

type Provider = typeof Packages.singletons.AsyncLocalStorageProviderSingleton;
type Storage = ReturnType<Provider['getInstance']>;
type Callback = () => unknown;

interface CallbackHandlers {
  handlers?: readonly { name?: string }[];
}

interface RunnableConfig {
  callbacks?: readonly { name?: string }[] | CallbackHandlers;
}

/** What the library keeps in its AsyncLocalStorage: a LangSmith RunTree, with these members of interest here. */
interface Context {
  tracingEnabled?: boolean;
  extra?: Record<PropertyKey, unknown>;
  [CONTEXT_VARIABLES]?: unknown;
}

const CHILD_CONFIG = Symbol.for('lc:child_config');
const CONTEXT_VARIABLES = Symbol.for('lc:context_variables');
const TRACING_VARIABLES = ['LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING_V2', 'LANGSMITH_TRACING', 'LANGCHAIN_TRACING'];

/**
 * Members of a RunTree that traces nothing, in the order of its constructor. Another release may have others; then
 * nothing is replaced. Known to fit langsmith 0.12 with @langchain/core 1.4.
 */
const MEMBERS =
  'id name run_type project_name address parent_run parent_run_id child_runs start_time end_time extra tags error ' +
  'serialized inputs outputs reference_example_id client events trace_id dotted_order tracingEnabled ' +
  'execution_order child_execution_order attachments replicas distributedParentId _serialized_start_time ' +
  '_postedAttachmentNames _awaitInputsOnPost api_url api_key caller_options';

/**
 * Makes it cheap to remember the config of a node while nobody traces. LangChain keeps it in a LangSmith RunTree, whose
 * constructor reads the environment, makes an id and formats a date; that was a tenth of a run's CPU. Here the same
 * object is filled directly. When tracing is on, or a callback is a tracer, the library's own method is called.
 */
export function skipIdleRunTrees({ AsyncLocalStorageProviderSingleton: provider }: typeof Packages.singletons): void {
  const original = provider?.runWithConfig as
    | ((config: unknown, callback: Callback, avoidCreatingRootRunTree?: boolean) => unknown)
    | undefined;
  if (typeof original !== 'function') return;
  let createTree: ((config: unknown) => Context) | null = null;

  const runWithConfig = (config: RunnableConfig | undefined, callback: Callback, noTree?: boolean): unknown => {
    const storage = provider.getInstance() as Storage & { run(store: unknown, callback: Callback): unknown };
    const context = storage.getStore() as unknown as Context | undefined;
    if (mayTrace(context, config)) return original.call(provider, config, callback, noTree);
    if (noTree === true) return storage.run(undefined, callback);
    if (createTree === null) {
      // The library's own tree shows which members its constructor gives.
      let template: Context | undefined;
      const readTemplate = (): void => {
        template = storage.getStore() as unknown as Context | undefined;
      };
      original.call(provider, {}, readTemplate);
      createTree = treeFactory(template);
      if (createTree === null) {
        Object.assign(provider, { runWithConfig: original });
        return original.call(provider, config, callback, noTree);
      }
    }
    return storage.run(createTree(config), callback);
  };
  Object.assign(provider, { runWithConfig });
}

/** True if something may trace: the environment, the current context, or a callback. */
export function mayTrace(context: Context | undefined, config: RunnableConfig | undefined): boolean {
  if (context !== undefined && (context.tracingEnabled === true || context[CONTEXT_VARIABLES] !== undefined))
    return true;
  const callbacks = config?.callbacks;
  const handlers = Array.isArray(callbacks)
    ? (callbacks as { name?: string }[])
    : (callbacks as CallbackHandlers)?.handlers;
  if (handlers?.some((handler) => handler?.name === 'langchain_tracer') === true) return true;
  return TRACING_VARIABLES.some((name) => process.env[name] === 'true');
}

/** Returns a function that creates trees like this one. Null if it is not a tree of a known release. */
function treeFactory(template: Context | undefined): ((config: unknown) => Context) | null {
  if (template === undefined || Object.keys(template).join(' ') !== MEMBERS) return null;
  const { name, run_type, client, tracingEnabled, project_name, address, replicas, api_url, api_key } =
    template as unknown as Record<string, unknown>;
  class IdleRunTree {
    readonly id = randomIds.next();
    name = name;
    run_type = run_type;
    project_name = project_name;
    address = address;
    parent_run = undefined;
    parent_run_id = undefined;
    child_runs = [];
    start_time = Date.now();
    end_time = undefined;
    extra: Record<PropertyKey, unknown>;
    tags = undefined;
    error = undefined;
    serialized = {};
    inputs = {};
    outputs = undefined;
    reference_example_id = undefined;
    client = client;
    events = undefined;
    trace_id = this.id;
    dotted_order: string;
    tracingEnabled = tracingEnabled as boolean;
    execution_order = 1;
    child_execution_order = 1;
    attachments = undefined;
    replicas = [...(replicas as unknown[])];
    distributedParentId = undefined;
    _serialized_start_time = timeTexts(this.start_time).iso;
    _postedAttachmentNames = undefined;
    _awaitInputsOnPost = undefined;
    api_url = api_url;
    api_key = api_key;
    caller_options = {};

    constructor(config: unknown) {
      this.extra = { metadata: {}, [CHILD_CONFIG]: config };
      this.dotted_order = timeTexts(this.start_time).compact + this.id;
    }
  }
  // `instanceof` holds, and the library's methods are there.
  Object.setPrototypeOf(IdleRunTree.prototype, Object.getPrototypeOf(template) as object);
  Reflect.deleteProperty(IdleRunTree.prototype, 'constructor');
  return (config) => new IdleRunTree(config);
}

let last = { ms: 0, iso: '', compact: '' };

/**
 * ISO time with microseconds, which the library uses for the order of execution, and the same without punctuation. Many
 * trees begin in a millisecond.
 */
function timeTexts(ms: number): { iso: string; compact: string } {
  if (ms !== last.ms) {
    const iso = `${new Date(ms).toISOString().slice(0, -1)}001Z`;
    last = { ms, iso, compact: iso.replaceAll(/[-:.]/g, '') };
  }
  return last;
}
