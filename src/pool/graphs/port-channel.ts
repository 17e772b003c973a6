import type { MessagePort } from 'node:worker_threads';
import { LIMITS } from '../../base/limits.js';
import { post } from '../../wire/codec.js';
import type { ToWorker } from '../../wire/runs/messages.js';
import { FRAMES_MADE, LISTENING } from '../../wire/runs/run-signals.js';
import type { RunChannel } from './run-channel.js';

/** The channel to a worker thread of this process: a port, and memory that can be read while the thread is blocked. */
export class PortChannel implements RunChannel {
  readonly finishStepBytes = LIMITS.creditStepBytes;
  readonly #port: MessagePort;
  readonly #signals: Int32Array;
  /** Takes the listeners of the receiver off the port. */
  #removeListeners: () => void = () => undefined;
  /** Messages for the next receiver; null without an earlier one. */
  #left: Iterable<Uint8Array> | null = null;

  /** `signals`: see run-signals.ts. */
  constructor(port: MessagePort, signals: SharedArrayBuffer) {
    this.#port = port;
    this.#signals = new Int32Array(signals);
  }

  receive(onMessage: (bytes: Uint8Array) => void, onBroken: () => void): void {
    this.#port.on('message', onMessage);
    this.#port.on('messageerror', onBroken);
    this.#removeListeners = () => {
      this.#port.off('message', onMessage);
      this.#port.off('messageerror', onBroken);
    };
    const left = this.#left;
    if (left === null) return;
    this.#left = null;
    // Before any other message, but not at once: no message arrives while its receiver is being created.
    queueMicrotask(() => {
      for (const bytes of left) onMessage(bytes);
    });
  }

  /** Somebody else calls `receive` in this turn of the event loop, and gets these messages first. */
  handOver(messages: Iterable<Uint8Array>): void {
    this.#removeListeners();
    this.#left = messages;
  }

  send(message: ToWorker): void {
    post(this.#port, message);
  }

  finish(bytes: number): void {
    this.send({ type: 'run.credit', bytes });
  }

  /** Sends a message that is already packed. */
  sendPacked(bytes: Uint8Array): void {
    this.#port.postMessage(bytes);
  }

  requestFrames(): void {
    Atomics.store(this.#signals, LISTENING, 1);
  }

  get framesMade(): number {
    return Atomics.load(this.#signals, FRAMES_MADE);
  }

  /**
   * The port itself is closed after the worker has let go of it. Until then, and until the next full garbage
   * collection, it would keep all that its listeners refer to.
   */
  close(hasEnded: boolean): void {
    this.#port.unref();
    this.#removeListeners();
    this.#removeListeners = () => undefined;
    this.#port.removeAllListeners('message');
    if (hasEnded) this.#port.close();
    else setTimeout(() => this.#port.close(), LIMITS.workerSilentMs).unref();
  }
}
