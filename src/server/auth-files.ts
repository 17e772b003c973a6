import { fail } from '../base/errors.js';
import type { Logger } from '../base/log/log.js';
import type { Project } from '../config/config.js';
import type { AuthConfig } from '../config/auth.js';
import { bundleModule } from '../pool/graphs/bundle.js';
import { AuthPool } from '../pool/user-code/auth-pool.js';
import type { Access } from '../services/access/access.js';
import type { LoadResult } from '../wire/user-code/calls.js';
import type { AuthWorkerData } from '../wire/user-code/auth.js';
import type { ServerAddress } from '../wire/user-code/server-address.js';

/** What a configuration would be served with, loaded and not in use yet. */
export interface Prepared {
  /** Files of the user's own that the handlers were made from. */
  files: string[];
  use(access: Access): Promise<void>;
  drop(): Promise<void>;
}

interface GatesOptions {
  cache: string;
  log: Logger;
  own: ServerAddress;
}

/** The gates of a server, from its configuration: opened, exchanged when `dev` sees a change, closed. */
export class Gates {
  readonly #cache: string;
  readonly #log: Logger;
  readonly #own: ServerAddress;
  pool: AuthPool | null = null;
  files: string[] = [];

  private constructor({ cache, log, own }: GatesOptions) {
    this.#cache = cache;
    this.#log = log;
    this.#own = own;
  }

  /** Throws AUTH_LOAD_FAILED. */
  static async open({ project, ...options }: GatesOptions & { project: Project }): Promise<Gates> {
    const gates = new Gates(options);
    if (project.auth !== null) {
      const { data, files } = await gates.#dataOf(project, project.auth);
      gates.pool = await gates.#loaded(data, project.auth);
      gates.files = files;
    }
    return gates;
  }

  /** Throws AUTH_LOAD_FAILED, and CONFIG_INVALID when there would be no handler any more: nobody would be asked who they are. */
  async prepare(project: Project): Promise<Prepared> {
    const { auth } = project;
    const { pool } = this;
    if (auth === null) {
      if (pool !== null)
        throw fail('CONFIG_INVALID', {
          file: project.file,
          problem: 'auth: was taken out. Restart the server for that: nobody would be asked who they are.',
        });
      return { files: [], use: async () => undefined, drop: async () => undefined };
    }
    const { data, files } = await this.#dataOf(project, auth);
    if (pool === null) {
      const first = await this.#loaded(data, auth);
      return {
        files,
        use: async (access) => {
          this.pool = first;
          this.files = files;
          access.replaceAuth(first, auth);
        },
        drop: () => first.close(),
      };
    }
    const next = await pool.prepare(data);
    if (!next.report.ok) await next.discard();
    refuse(auth, next.report);
    return {
      files,
      use: async (access) => {
        this.files = files;
        access.replaceAuth(pool, auth);
        await next.activate();
      },
      drop: () => next.discard(),
    };
  }

  async close(): Promise<void> {
    await this.pool?.close();
  }

  async #dataOf({ root, env }: Project, auth: AuthConfig): Promise<{ data: AuthWorkerData; files: string[] }> {
    const { url, files } = await bundleModule(
      { file: auth.file, path: auth.path, code: 'AUTH_LOAD_FAILED' },
      root,
      this.#cache,
    );
    return { data: { module: url, exportName: auth.exportName, env, cache: auth.cache, own: this.#own }, files };
  }

  async #loaded(data: AuthWorkerData, auth: AuthConfig): Promise<AuthPool> {
    const pool = new AuthPool(data, this.#log);
    try {
      refuse(auth, await pool.load());
      return pool;
    } catch (error) {
      await pool.close();
      throw error;
    }
  }
}

function refuse(auth: AuthConfig, report: LoadResult): void {
  if (report.ok) return;
  const error = fail('AUTH_LOAD_FAILED', { file: auth.path, reason: report.reason });
  if (report.stack !== '') error.stack = report.stack;
  throw error;
}
