import type * as Packages from '../packages.js';

type Manager = InstanceType<typeof Packages.callbacks.CallbackManager>;
type Handlers = Manager['handlers'];

/** Members of a manager that `copy` sets, in the order of its constructor. */
const MEMBERS = 'handlers inheritableHandlers tags inheritableTags metadata inheritableMetadata name _parentRunId';

/** Name of a handler that a manager has at most once. */
const CONSOLE = 'console_callback_handler';

/**
 * Makes copies of LangChain's callback managers cheap. Every step with callbacks copies one. The library's method adds
 * each tag and each entry of the metadata by itself, copying all others each time: half of the cost of the callbacks of
 * a run. This one copies lists and objects as a whole, with the same result. Known to fit @langchain/core 1.4.
 */
export function copyCallbacksAtOnce({ CallbackManager }: typeof Packages.callbacks): void {
  const prototype = CallbackManager?.prototype as Manager | undefined;
  const original = prototype?.copy;
  const addMetadata = prototype?.addMetadata;
  // Another release may have other members; then nothing is replaced.
  if (prototype === undefined || typeof original !== 'function' || typeof addMetadata !== 'function') return;
  if (Object.keys(new CallbackManager()).join(' ') !== MEMBERS) return;

  // Most steps add none, and the library copies all that is there.
  prototype.addMetadata = function add(this: Manager, metadata: Record<string, unknown>, inherit = true): void {
    for (const _ in metadata) return addMetadata.call(this, metadata, inherit);
  };

  prototype.copy = function copy(this: Manager, additionalHandlers: Handlers = [], inherit = true): Manager {
    // The library moves a repeated tag to its last place.
    if (new Set(this.tags).size < this.tags.length) return original.call(this, additionalHandlers, inherit);
    const metadata = this['metadata'];
    const inheritable: Record<string, unknown> = {};
    for (const name of Object.keys(metadata))
      if (Object.hasOwn(this['inheritableMetadata'], name)) inheritable[name] = metadata[name];
    const manager = new CallbackManager(this['_parentRunId'], {
      handlers: [...this.handlers],
      inheritableHandlers: this.handlers.filter((handler) => this.inheritableHandlers.includes(handler)),
      tags: [...this.tags],
      inheritableTags: this.tags.filter((tag) => this.inheritableTags.includes(tag)),
      metadata: { ...metadata },
      inheritableMetadata: inheritable,
    });
    for (const handler of additionalHandlers) {
      const isSecond = handler.name === CONSOLE && manager.handlers.some(({ name }) => name === CONSOLE);
      if (!isSecond) manager.addHandler(handler, inherit);
    }
    return manager;
  };
}
