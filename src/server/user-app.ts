import { fail } from '../base/errors.js';
import type { Logger } from '../base/log/log.js';
import type { Project } from '../config/config.js';
import type { AppConfig } from '../config/api.js';
import { AppPool } from '../pool/user-code/app-pool.js';
import { bundleModule } from '../pool/graphs/bundle.js';
import type { AppPath, AppWorkerData } from '../wire/user-code/app.js';
import type { LoadResult } from '../wire/user-code/calls.js';
import type { ServerAddress } from '../wire/user-code/server-address.js';

export interface UserAppOptions {
  /** Folder for bundles. */
  cache: string;
  log: Logger;
  /** Where SDK clients in the app find this server. */
  serverAddress: ServerAddress;
}

/** New code of the app that is loaded and not in use yet. */
export interface PreparedApp {
  /** Source files of the app. */
  files: string[];
  /** Resolves with the paths that the new code has routes and middleware for. */
  activate(): Promise<readonly AppPath[] | null>;
  discard(): Promise<void>;
}

/** The project's own HTTP app. `dev` replaces its code when a file changes. */
export class UserApp {
  readonly config: AppConfig;
  readonly pool: AppPool;
  readonly #options: UserAppOptions;
  files: string[];

  private constructor(config: AppConfig, options: UserAppOptions, pool: AppPool, files: string[]) {
    this.config = config;
    this.#options = options;
    this.pool = pool;
    this.files = files;
  }

  /** Null if the project has no app. Throws APP_LOAD_FAILED. */
  static async open(
    app: AppConfig | null,
    { project, ...options }: UserAppOptions & { project: Project },
  ): Promise<UserApp | null> {
    if (app === null) return null;
    const { data, files } = await workerData(project, app, options);
    const pool = new AppPool(data, options.log);
    try {
      failOnLoadError(app, await pool.load());
    } catch (error) {
      await pool.close();
      throw error;
    }
    return new UserApp(app, options, pool, files);
  }

  /** Loads changed code. Throws APP_LOAD_FAILED, and CONFIG_INVALID when more than the code has changed. */
  async prepare(project: Project): Promise<PreparedApp> {
    const { app } = project.api;
    if (
      app === null ||
      app.routesRequireAuth !== this.config.routesRequireAuth ||
      app.authFirst !== this.config.authFirst
    )
      throw restartRequired(project);
    const { data, files } = await workerData(project, app, this.#options);
    const next = await this.pool.prepare(data);
    if (!next.report.ok) await next.discard();
    failOnLoadError(app, next.report);
    return {
      files,
      activate: async () => {
        this.files = files;
        await next.activate();
        return this.pool.paths();
      },
      discard: () => next.discard(),
    };
  }
}

/** The order of app and authentication cannot change while requests are served. */
export function restartRequired({ file }: Project): Error {
  return fail('CONFIG_INVALID', {
    file,
    problem: 'http: app, middleware_order or enable_custom_route_auth has changed. Restart the server to apply it.',
  });
}

async function workerData(
  { root, env }: Project,
  { file, path, exportName }: AppConfig,
  { cache, serverAddress }: UserAppOptions,
): Promise<{ data: AppWorkerData; files: string[] }> {
  const { url, files } = await bundleModule({ file, path, code: 'APP_LOAD_FAILED' }, root, cache);
  return { data: { module: url, exportName, env, own: serverAddress }, files };
}

function failOnLoadError({ path }: AppConfig, report: LoadResult): void {
  if (report.ok) return;
  const error = fail('APP_LOAD_FAILED', { file: path, reason: report.reason });
  if (report.stack !== '') error.stack = report.stack;
  throw error;
}
