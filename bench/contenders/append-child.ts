import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface AppendResult {
  latenciesMs: number[];
  wallMs: number;
  /** CPU time of the process. */
  cpuUs: number;
  /** Time of the appends alone. */
  appendMs: number;
}

/** A process of this folder that commits when it is asked to. */
export class AppendChild {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(script: 'owner-store-child' | 'bare-appends-child', args: string[]): Promise<AppendChild> {
    const child = fork(join(import.meta.dirname, `${script}.js`), args);
    await messageOf(child);
    return new AppendChild(child);
  }

  async run(task: { loops: number; ms: number } | { after: number; until: number }): Promise<AppendResult> {
    this.#child.send(task);
    return (await messageOf(this.#child)) as AppendResult;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

/** Rejects when the process ends first. */
async function messageOf(child: ChildProcess): Promise<unknown> {
  const waiting = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: waiting.signal }).then(([message]) => message as unknown),
      once(child, 'exit', { signal: waiting.signal }).then(([code]) => {
        throw new Error(`the process ended with code ${String(code)}`);
      }),
    ]);
  } finally {
    waiting.abort();
  }
}
