import { isMessage } from '../message.js';
import type * as Packages from '../packages.js';
import { DIRECT } from './callback-calls.js';

type Callbacks = typeof Packages.callbacks;
type Method = (...args: unknown[]) => unknown;

interface Handler {
  name?: string;
  [DIRECT]?: boolean;
}

interface Serializable {
  toJSON?: Method;
  toJSONNotImplemented?: Method;
}

/** Methods that the library calls with the JSON of a component, which it makes for each call. */
const STARTS = ['handleChainStart', 'handleChatModelStart', 'handleToolStart'] as const;

/** LangGraph's handlers for the stream modes `messages` and `tools`. They do not read the component. */
const STREAM_HANDLERS = new Set(['StreamMessagesHandler', 'StreamProtocolMessagesHandler', 'StreamToolsHandler']);

/**
 * Makes no JSON of a component for handlers that do not read it. The library makes one for each chain, chat model and
 * tool that starts with callbacks: all arguments of its constructor. A handler that is direct (`DIRECT`) reads its id.
 * With any other handler, everything is as in the library. Known to fit @langchain/core 1.4 and @langchain/langgraph
 * 1.7.
 */
export function skipUnreadComponents(
  { CallbackManager }: Callbacks,
  { BaseMessage }: Pick<typeof Packages.messages, 'BaseMessage'>,
): void {
  const prototype = CallbackManager?.prototype as unknown as Record<string, Method> | undefined;
  const serializable = (
    BaseMessage === undefined ? null : Object.getPrototypeOf(BaseMessage.prototype)
  ) as Serializable | null;
  const toJson = serializable?.toJSON;
  // Another release may be implemented differently; then nothing is replaced.
  if (typeof toJson !== 'function' || typeof serializable?.toJSONNotImplemented !== 'function') return;
  if (prototype === undefined || STARTS.some((name) => typeof prototype[name] !== 'function')) return;

  /** True from when the library reads a method until it calls it, which is while it makes the arguments. */
  let isStarting = false;
  serializable.toJSON = function toJSON(this: Serializable): unknown {
    if (!isStarting || isMessage(this)) return toJson.call(this);
    isStarting = false;
    return this.toJSONNotImplemented!();
  };
  for (const name of STARTS) {
    const start = prototype[name]!;
    Object.defineProperty(prototype, name, {
      get(this: { handlers?: Handler[] }) {
        isStarting = this.handlers?.every(ignoresComponent) === true;
        return (...args: unknown[]): unknown => {
          isStarting = false;
          return start.apply(this, args);
        };
      },
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
      configurable: true,
    });
  }
}

function ignoresComponent(handler: Handler): boolean {
  return handler[DIRECT] === true || STREAM_HANDLERS.has(handler.name ?? '');
}
