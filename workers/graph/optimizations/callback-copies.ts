import type * as Packages from '../packages.js';

type Callbacks = typeof Packages.callbacks;
type Manager = InstanceType<Callbacks['CallbackManager']>;
type ChainRun = InstanceType<Callbacks['CallbackManagerForChainRun']>;
type Handlers = Manager['handlers'];
type Metadata = Record<string, unknown>;

/** Members of a manager that `copy` sets, in the order of its constructor. */
const MEMBERS = 'handlers inheritableHandlers tags inheritableTags metadata inheritableMetadata name _parentRunId';

/** Those that its type hides. */
interface HiddenMembers {
  metadata: Metadata;
  inheritableMetadata: Metadata;
  _parentRunId: string | undefined;
}

/** What a run's manager has for its children. */
interface Inheritable {
  inheritableHandlers: Handlers;
  inheritableTags: string[];
  inheritableMetadata: Metadata;
}

/** Name of a handler that a manager has at most once. */
const CONSOLE = 'console_callback_handler';

/**
 * Makes copies of LangChain's callback managers cheap. Every step with callbacks makes several. The library's `copy`
 * adds each tag and each entry of the metadata by itself, copying all others each time: half of the cost of the
 * callbacks of a run. These methods copy lists as a whole and share metadata, with the same result: managers replace
 * their metadata and, with `removeMetadata` here, change none. Known to fit @langchain/core 1.4.
 */
export function copyCallbacksAtOnce({ CallbackManager, CallbackManagerForChainRun: ChainManager }: Callbacks): void {
  const prototype = CallbackManager?.prototype as Manager | undefined;
  const chain = ChainManager?.prototype as ChainRun | undefined;
  const [copy, add, remove, child] = [
    prototype?.copy,
    prototype?.addMetadata,
    prototype?.removeMetadata,
    chain?.getChild,
  ];
  // Another release may have other members; then nothing is replaced.
  if (prototype === undefined || chain === undefined) return;
  if ([copy, add, remove, child].some((method) => typeof method !== 'function')) return;
  if (Object.keys(new CallbackManager()).join(' ') !== MEMBERS) return;

  prototype.addMetadata = function addMetadata(this: Manager, metadata: Metadata, inherit = true): void {
    const own = this as unknown as HiddenMembers;
    const isShared = own.metadata === own.inheritableMetadata;
    // Most steps add none that is new.
    if (hasAll(own.metadata, metadata) && (!inherit || isShared || hasAll(own.inheritableMetadata, metadata))) return;
    if (inherit && isShared) own.metadata = own.inheritableMetadata = bothMetadata(own.metadata, metadata);
    else add!.call(this, metadata, inherit);
  };

  prototype.removeMetadata = function removeMetadata(this: Manager, metadata: Metadata): void {
    const own = this as unknown as HiddenMembers;
    own.metadata = { ...own.metadata };
    own.inheritableMetadata = { ...own.inheritableMetadata };
    remove!.call(this, metadata);
  };

  prototype.copy = function copyAtOnce(this: Manager, additionalHandlers: Handlers = [], inherit = true): Manager {
    // The library moves a repeated tag to its last place.
    if (new Set(this.tags).size < this.tags.length) return copy!.call(this, additionalHandlers, inherit);
    const { metadata, inheritableMetadata, _parentRunId } = this as unknown as HiddenMembers;
    const manager = new CallbackManager(_parentRunId, {
      handlers: [...this.handlers],
      inheritableHandlers: this.handlers.filter((handler) => this.inheritableHandlers.includes(handler)),
      tags: [...this.tags],
      inheritableTags: this.tags.filter((tag) => this.inheritableTags.includes(tag)),
      metadata,
      inheritableMetadata: metadata === inheritableMetadata ? metadata : inBoth(metadata, inheritableMetadata),
    });
    for (const handler of additionalHandlers) {
      const isSecond = handler.name === CONSOLE && manager.handlers.some(({ name }) => name === CONSOLE);
      if (!isSecond) manager.addHandler(handler, inherit);
    }
    return manager;
  };

  chain.getChild = function getChild(this: ChainRun, tag?: string): Manager {
    const { inheritableHandlers, inheritableTags, inheritableMetadata } = this as unknown as Inheritable;
    if (tag !== undefined && inheritableTags.includes(tag)) return child!.call(this, tag);
    return new CallbackManager(this.runId, {
      handlers: [...inheritableHandlers],
      inheritableHandlers: [...inheritableHandlers],
      tags: tag === undefined || tag === '' ? [...inheritableTags] : [...inheritableTags, tag],
      inheritableTags: [...inheritableTags],
      metadata: inheritableMetadata,
      inheritableMetadata,
    });
  };
}

/** All entries; `added` counts where both have one. Most steps get all that their parents have. */
export function bothMetadata(metadata: Metadata, added: Metadata): Metadata {
  if (hasAll(metadata, added)) return metadata;
  // A copy of one object is ten times smaller than one of two.
  return hasNames(added, metadata) ? { ...added } : { ...metadata, ...added };
}

/** `for in` makes no list of the names. */
function hasAll(list: Metadata, metadata: Metadata): boolean {
  for (const name in metadata) if (list[name] !== metadata[name] || !(name in list)) return false;
  return true;
}

function hasNames(list: Metadata, metadata: Metadata): boolean {
  for (const name in metadata) if (!(name in list)) return false;
  return true;
}

/** The members of the first whose names the second has, too. */
function inBoth(metadata: Metadata, other: Metadata): Metadata {
  const found: Metadata = {};
  for (const name of Object.keys(metadata)) if (Object.hasOwn(other, name)) found[name] = metadata[name];
  return found;
}
