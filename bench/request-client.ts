import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface RequestTask {
  url: string;
  method: string;
  path: string;
  /** The body is the content of this file. It is read before the measurement. */
  file?: string;
  body?: string;
  /** Speed of the simulated network; unlimited if not set. */
  bytesPerSecond?: number;
  /** Repeats the request for this long. Every answer must equal the first one. */
  ms?: number;
}

export interface RequestResult {
  status: number;
  /** From sending to the complete answer, for each request. */
  latenciesMs: number[];
  /** Body of the answer. */
  text: string;
}

/** Sends requests one after another from a separate process, so that other measurements are not delayed. */
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
