import { setImmediate } from 'node:timers/promises';
import type { RecordedCall } from '../../../src/wire/runs/recording.js';
import type { DispatchHandler } from '../recording/undici-dispatchers.js';
import { abortError, chunksOf, recordedError, WITHOUT_BODY } from './call-answer.js';

/** The answer to one request of undici, as its handler gets it. It is the handler's controller at the same time. */
export class UndiciAnswer {
  rawHeaders: Buffer[] = [];
  readonly rawTrailers: Buffer[] = [];
  aborted = false;
  reason: unknown = null;
  paused = false;
  readonly #handler: DispatchHandler;
  #isOver = false;
  #wake: (() => void) | null = null;

  constructor(handler: DispatchHandler) {
    this.#handler = typeof handler['onRequestStart'] === 'function' ? handler : adapted(handler);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.#wake?.();
  }

  abort(reason?: unknown): void {
    if (this.aborted || this.#isOver) return;
    this.aborted = true;
    this.reason = reason ?? abortError();
    this.fail(this.reason);
    this.#wake?.();
  }

  /** Leaves the handler to somebody else. False if the request has ended already. */
  release(): boolean {
    const isOpen = !this.#isOver;
    this.#isOver = true;
    return isOpen;
  }

  /** Afterwards the handler can abort. */
  begin(): void {
    this.#call('onRequestStart');
  }

  async send(call: RecordedCall, keepsTiming: boolean): Promise<void> {
    if (call.status === null) {
      this.fail(recordedError(call.error));
      return;
    }
    this.rawHeaders = call.headers.flat().map((text) => Buffer.from(text, 'latin1'));
    this.#call('onResponseStart', call.status, headersByName(call.headers), call.statusText);
    for await (const chunk of chunksOf(call, keepsTiming)) {
      await this.#untilResumed();
      if (this.#isOver) return;
      if (!WITHOUT_BODY.has(call.status)) this.#call('onResponseData', Buffer.from(chunk));
      // A reader gets a piece before the next one or the end, as over a network.
      await setImmediate();
    }
    await this.#untilResumed();
    this.#call('onResponseEnd', {});
    this.#isOver = true;
  }

  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler['onResponseError']?.(this, error);
  }

  /** A handler that throws aborts its request, as in undici. */
  #call(name: string, ...args: unknown[]): void {
    if (this.#isOver) return;
    try {
      this.#handler[name]?.(this, ...args);
    } catch (error) {
      this.abort(error);
    }
  }

  async #untilResumed(): Promise<void> {
    if (!this.paused || this.#isOver) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** A handler of undici up to version 7, as one of the later interface. */
function adapted(handler: DispatchHandler): DispatchHandler {
  const pausing = (answer: unknown, isReady: unknown): void => {
    if (isReady === false) (answer as UndiciAnswer).pause();
  };
  return {
    onRequestStart: (answer) => handler['onConnect']?.((reason: unknown) => (answer as UndiciAnswer).abort(reason)),
    onResponseStart(answer, status, _headers, statusText) {
      const { rawHeaders } = answer as UndiciAnswer;
      const resume = (): void => (answer as UndiciAnswer).resume();
      pausing(answer, handler['onHeaders']?.(status, rawHeaders, resume, statusText));
    },
    onResponseData: (answer, chunk) => pausing(answer, handler['onData']?.(chunk)),
    onResponseEnd: () => handler['onComplete']?.([]),
    onResponseError: (_answer, error) => handler['onError']?.(error),
  };
}

/** Several headers of a name are a list. */
function headersByName(headers: RecordedCall['headers']): Record<string, string | string[]> {
  const result = new Map<string, string | string[]>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = result.get(key);
    result.set(key, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(result);
}
