import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readProject } from '../../src/config/config.js';
import { bundleGraphs } from '../../src/pool/graphs/bundle.js';
import { GRAPHS, ROOT, temporaryFolder } from './ours.js';

const FOLDER = join(ROOT, 'bench', 'contenders', 'sqlite-saver');
const ADDON = join(FOLDER, 'node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');

/** What is done with the chat whose state the saver keeps; each says how long it took. */
export type SqliteTask =
  /** Says the next thing. `fresh`: through a saver that was opened for it. */
  | { type: 'turn'; n: number; text: string; fresh: boolean }
  | { type: 'head'; messages: number }
  | { type: 'history'; limit: number };

/**
 * The library's SQLite checkpointer with the same graph, in a process of its own, in its own folder: its database is compiled
 * when it is installed, which the project's own `npm ci` does not do. Throws with the reason when it cannot be had.
 */
export class SqliteSaver {
  readonly #child: ChildProcess;
  readonly #cache: string;

  private constructor(child: ChildProcess, cache: string) {
    this.#child = child;
    this.#cache = cache;
  }

  static async start(file: string): Promise<SqliteSaver> {
    if (!existsSync(ADDON)) {
      // The packages that it shares with the graphs are the project's own, a folder above.
      const installed = spawnSync(
        'npm',
        ['install', '--no-package-lock', '--legacy-peer-deps', '--ignore-scripts=false', '--no-audit', '--no-fund'],
        { cwd: FOLDER, encoding: 'utf8' },
      );
      if (installed.status !== 0 || !existsSync(ADDON))
        throw new Error(
          `npm install ended with code ${installed.status}; its database needs a compiler: ${installed.stderr.slice(-500)}`,
        );
    }
    const cache = temporaryFolder();
    const project = readProject(join(GRAPHS, 'langgraph.json'));
    const bundled = await bundleGraphs(project.graphs, project.root, cache);
    const child = fork(join(import.meta.dirname, 'sqlite-saver-child.js'));
    const { module, exportName } = bundled.graphs.find(({ graphId }) => graphId === 'chat')!;
    child.send({ module, exportName, package: join(FOLDER, 'package.json'), file });
    await once(child, 'message');
    return new SqliteSaver(child, cache);
  }

  async run(task: SqliteTask): Promise<number> {
    this.#child.send(task);
    const [answer] = (await once(this.#child, 'message')) as [{ ms: number } | { problem: string }];
    if ('problem' in answer) throw new Error(`SQLite: ${answer.problem}`);
    return answer.ms;
  }

  async close(): Promise<void> {
    if (this.#child.connected) {
      this.#child.disconnect();
      await once(this.#child, 'exit');
    }
    rmSync(this.#cache, { recursive: true, force: true });
  }
}
