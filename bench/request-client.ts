import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface RequestTask {
  url: string;
  method: string;
  path: string;
  /** The body is this file's content, read before anything is timed. */
  file?: string;
  body?: string;
  /** As fast as a network of this speed; without it as fast as the server takes it. */
  bytesPerSecond?: number;
  /** Send it again until so much time is over; every answer must be the first one. */
  ms?: number;
}

export interface RequestResult {
  status: number;
  /** From sending to the whole answer, for each time. */
  latenciesMs: number[];
  /** The answer. */
  text: string;
}

/** Sends one request after the other from a process of its own, so that whoever measures something else meanwhile is not held up. */
export class RequestClient {
  readonly #child = fork(join(import.meta.dirname, 'request-client-child.js'));

  async send(task: RequestTask): Promise<RequestResult> {
    this.#child.send(task);
    const [answer] = (await once(this.#child, 'message')) as [RequestResult | { problem: string }];
    if ('problem' in answer) throw new Error(`${task.method} ${task.path}: ${answer.problem}`);
    return answer;
  }

  async close(): Promise<void> {
    if (!this.#child.connected) return;
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }
}
