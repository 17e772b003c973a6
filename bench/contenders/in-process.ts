import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildNpmGraphs } from './npm-graphs.js';

/** How the graph is called: `values` like a wait, `invoke` as the simplest call, the others as streams. */
export type CallMode = 'invoke' | 'values' | 'updates' | 'values and updates' | 'custom';

/** `memory` is LangGraph's MemorySaver. `kept` only keeps the objects, which is the minimal cost of a saver. */
export type SaverKind = 'none' | 'memory' | 'kept';

export type InProcessTask =
  /** Keeps runs in flight for `ms`, and compares each result with `expect`. A thread has `turnsPerThread` runs. */
  | {
      type: 'rate';
      graphId: string;
      input: unknown;
      expect: string;
      how: CallMode;
      saver: SaverKind;
      turnsPerThread: number;
      clients: number;
      ms: number;
    }
  /** Starts all runs at once and measures the time until the last one ends. */
  | { type: 'together'; graphId: string; input: unknown; expect: string; runs: number }
  /** Streams the chunks of all runs at once. `expect`: the chunks of one run. */
  | { type: 'chunks'; graphId: string; input: unknown; expect: number; runs: number }
  /** Continues a chat up to `turn` and measures the last turn. `chat` names the thread. */
  | { type: 'chat'; graphId: string; chat: string; turn: number; saver: SaverKind };

export interface InProcessResult {
  runs: number;
  ms: number;
  latenciesMs: number[];
}

export function perSecond({ runs, ms }: InProcessResult): number {
  return (runs / ms) * 1_000;
}

/** Runs the same graphs without a server, in a fresh process, with LangGraph as npm has it. */
export class InProcess {
  readonly #child;
  readonly #removeGraphs: () => void;

  private constructor(child: ReturnType<typeof fork>, removeGraphs: () => void) {
    this.#child = child;
    this.#removeGraphs = removeGraphs;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  static async start(nodePath = process.execPath): Promise<InProcess> {
    const { graphs, remove } = await buildNpmGraphs();
    const child = fork(join(import.meta.dirname, 'in-process-child.js'), {
      execPath: nodePath,
      serialization: 'advanced',
    });
    child.send({ type: 'load', graphs });
    await once(child, 'message');
    return new InProcess(child, remove);
  }

  async run(task: InProcessTask): Promise<InProcessResult> {
    this.#child.send(task);
    const [answer] = (await once(this.#child, 'message')) as [
      { ok: true; result: InProcessResult } | { ok: false; problem: string },
    ];
    if (!answer.ok) throw new Error(`in process: ${answer.problem}`);
    return answer.result;
  }

  async close(): Promise<void> {
    if (this.#child.connected) {
      this.#child.disconnect();
      await once(this.#child, 'exit');
    }
    this.#removeGraphs();
  }
}
