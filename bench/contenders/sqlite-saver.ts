import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildNpmGraphs } from './npm-graphs.js';
import { ROOT } from './threadmill.js';

const FOLDER = join(ROOT, 'bench', 'contenders', 'sqlite-saver');
const ADDON = join(FOLDER, 'node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');

/** A task on the chat that the saver stores. Each task returns its duration in ms. */
export type SqliteTask =
  /** Runs the next turn. With `fresh` it opens a new saver for it. */
  { type: 'turn'; n: number; fresh: boolean } | { type: 'head'; messages: number } | { type: 'history'; limit: number };

/**
 * LangGraph's SQLite checkpointer with the same graph, in a separate process. It has a folder of its own, because its
 * database must be compiled during installation, and the project's `npm ci` runs no install scripts.
 */
export class SqliteSaver {
  readonly #child: ChildProcess;
  readonly #removeGraphs: () => void;

  private constructor(child: ChildProcess, removeGraphs: () => void) {
    this.#child = child;
    this.#removeGraphs = removeGraphs;
  }

  /** Installs the checkpointer if needed and starts the process. Throws if it cannot be installed. */
  static async start(file: string): Promise<SqliteSaver> {
    if (!existsSync(ADDON)) {
      // Packages that it shares with the graphs come from the project's node_modules, in a parent folder.
      const installed = spawnSync(
        'npm',
        ['install', '--no-package-lock', '--legacy-peer-deps', '--ignore-scripts=false', '--no-audit', '--no-fund'],
        { cwd: FOLDER, encoding: 'utf8' },
      );
      if (installed.status !== 0 || !existsSync(ADDON))
        throw new Error(
          `npm install failed with code ${installed.status}; better-sqlite3 needs a C++ compiler: ` +
            `${installed.stderr.slice(-500)}`,
        );
    }
    const { graphs, remove } = await buildNpmGraphs();
    const child = fork(join(import.meta.dirname, 'sqlite-saver-child.js'));
    const { module, exportName } = graphs.find(({ graphId }) => graphId === 'chat')!;
    child.send({ module, exportName, package: join(FOLDER, 'package.json'), file });
    await once(child, 'message');
    return new SqliteSaver(child, remove);
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
    this.#removeGraphs();
  }
}
