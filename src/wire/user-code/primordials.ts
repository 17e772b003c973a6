import { MessagePort } from 'node:worker_threads';

/**
 * Functions of the platform as they were before any user code was loaded. Threads that run user code use these for what
 * must go on working whatever that code replaces. Import it before user modules are loaded.
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
