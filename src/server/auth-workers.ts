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

/** New auth handlers that are loaded and not in use yet. */
export interface PreparedAuth {
  /** Source files of the handlers. */
  files: string[];
  activate(access: Access): Promise<void>;
  discard(): Promise<void>;
}

interface AuthWorkersOptions {
  cache: string;
  log: Logger;
  serverAddress: ServerAddress;
}

/** The workers that run the project's auth handlers. `dev` replaces the handlers when a file changes. */
export class AuthWorkers {
  readonly #cache: string;
  readonly #log: Logger;
  readonly #serverAddress: ServerAddress;
  pool: AuthPool | null = null;
  files: string[] = [];

  private constructor({ cache, log, serverAddress }: AuthWorkersOptions) {
    this.#cache = cache;
    this.#log = log;
    this.#serverAddress = serverAddress;
  }

  /** Throws AUTH_LOAD_FAILED. */
  static async open({ project, ...options }: AuthWorkersOptions & { project: Project }): Promise<AuthWorkers> {
    const workers = new AuthWorkers(options);
    if (project.auth !== null) {
      const { data, files } = await workers.#workerData(project, project.auth);
      workers.pool = await workers.#load(data, project.auth);
      workers.files = files;
    }
    return workers;
  }

  /**
   * Loads changed handlers. Throws AUTH_LOAD_FAILED, and CONFIG_INVALID when `auth` was removed, because requests
   * would no longer be authenticated.
   */
  async prepare(project: Project): Promise<PreparedAuth> {
    const { auth } = project;
    const { pool } = this;
    if (auth === null) {
      if (pool !== null)
        throw fail('CONFIG_INVALID', {
          file: project.file,
          problem: 'auth: was removed. Restart the server to serve requests without authentication.',
        });
      return { files: [], activate: async () => undefined, discard: async () => undefined };
    }
    const { data, files } = await this.#workerData(project, auth);
    if (pool === null) {
      const first = await this.#load(data, auth);
      return {
        files,
        activate: async (access) => {
          this.pool = first;
          this.files = files;
          access.replaceAuth(first, auth);
        },
        discard: () => first.close(),
      };
    }
    const next = await pool.prepare(data);
    if (!next.report.ok) await next.discard();
    failOnLoadError(auth, next.report);
    return {
      files,
      activate: async (access) => {
        this.files = files;
        access.replaceAuth(pool, auth);
        await next.activate();
      },
      discard: () => next.discard(),
    };
  }

  async close(): Promise<void> {
    await this.pool?.close();
  }

  async #workerData({ root, env }: Project, auth: AuthConfig): Promise<{ data: AuthWorkerData; files: string[] }> {
    const { url, files } = await bundleModule(
      { file: auth.file, path: auth.path, code: 'AUTH_LOAD_FAILED' },
      root,
      this.#cache,
    );
    return {
      data: { module: url, exportName: auth.exportName, env, cache: auth.cache, own: this.#serverAddress },
      files,
    };
  }

  async #load(data: AuthWorkerData, auth: AuthConfig): Promise<AuthPool> {
    const pool = new AuthPool(data, this.#log);
    try {
      failOnLoadError(auth, await pool.load());
      return pool;
    } catch (error) {
      await pool.close();
      throw error;
    }
  }
}

function failOnLoadError(auth: AuthConfig, report: LoadResult): void {
  if (report.ok) return;
  const error = fail('AUTH_LOAD_FAILED', { file: auth.path, reason: report.reason });
  if (report.stack !== '') error.stack = report.stack;
  throw error;
}
