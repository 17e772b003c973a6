import { MessagePort } from 'node:worker_threads';

/**
 * Platform functions as they were before any user code was loaded. Threads with user code use them where they
 * must keep working whatever that code replaces. Import this before user modules.
 */
export const primordials = {
  setImmediate: globalThis.setImmediate,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  now: performance.now.bind(performance),
  atomicsAdd: Atomics.add,
  postMessage: Function.prototype.call.bind(MessagePort.prototype.postMessage) as (
    port: MessagePort,
    value: unknown,
    transfer?: readonly ArrayBuffer[],
  ) => void,
};
