import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundleGraphs } from '../../src/pool/graphs/bundle.js';
import { readProject } from '../../src/config/config.js';
import { GRAPHS, temporaryFolder } from './ours.js';
import { rmSync } from 'node:fs';

/** How the graph is called: `values` is what a wait asks for, `updates` and `custom` are streams, `invoke` is the library's shortest way. */
export type How = 'invoke' | 'values' | 'updates' | 'custom';

/** `memory`: the library's MemorySaver. `kept`: a saver that only remembers the objects, the least that any saver can cost. */
export type SaverKind = 'none' | 'memory' | 'kept';

export type InProcessTask =
  /** Runs in flight all the time, for a while; every result is compared with `expect`. A thread lasts `turnsPerThread` runs. */
  | {
      type: 'rate';
      graphId: string;
      input: unknown;
      expect: string;
      how: How;
      saver: SaverKind;
      turnsPerThread: number;
      clients: number;
      ms: number;
    }
  /** All at once; the time until the last has ended. */
  | { type: 'together'; graphId: string; input: unknown; expect: string; runs: number }
  /** Chunks of one run. */
  | { type: 'chunks'; graphId: string; input: unknown; expect: number }
  /** A chat: goes on until `turn`, and says how long the last turn took. `chat` names the thread. */
  | { type: 'chat'; graphId: string; chat: string; turn: number; saver: SaverKind; text: string };

export interface InProcessResult {
  runs: number;
  ms: number;
  latenciesMs: number[];
}

export function perSecond({ runs, ms }: InProcessResult): number {
  return (runs / ms) * 1_000;
}

/** The same graph without a server, in a fresh process of its own. */
export class InProcess {
  readonly #child;
  readonly #cache: string;

  private constructor(child: ReturnType<typeof fork>, cache: string) {
    this.#child = child;
    this.#cache = cache;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  static async start(): Promise<InProcess> {
    const cache = temporaryFolder();
    const project = readProject(join(GRAPHS, 'langgraph.json'));
    // The same bundles that the server makes: not a byte of the graph's code differs.
    const bundled = await bundleGraphs(project.graphs, project.root, cache);
    const child = fork(join(import.meta.dirname, 'in-process-child.js'), { serialization: 'advanced' });
    child.send({ type: 'load', bundled });
    await once(child, 'message');
    return new InProcess(child, cache);
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
    rmSync(this.#cache, { recursive: true, force: true });
  }
}
