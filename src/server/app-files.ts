import { fail } from '../base/errors.js';
import type { Logger } from '../base/log/log.js';
import type { Project } from '../config/config.js';
import type { AppConfig } from '../config/api.js';
import { AppPool } from '../pool/user-code/app-pool.js';
import { bundleModule } from '../pool/graphs/bundle.js';
import type { AppPath, AppWorkerData } from '../wire/user-code/app.js';
import type { LoadResult } from '../wire/user-code/calls.js';
import type { ServerAddress } from '../wire/user-code/server-address.js';

export interface AppOptions {
  /** Folder for bundles. */
  cache: string;
  log: Logger;
  /** Where the app's own clients find this server. */
  own: ServerAddress;
}

/** New code of the app, loaded and not in use yet. */
export interface PreparedApp {
  /** Files of the user's own that it was made from. */
  files: string[];
  /** Resolves with what the new code has routes and middleware for. */
  use(): Promise<readonly AppPath[] | null>;
  drop(): Promise<void>;
}

/** The project's own HTTP app, from its configuration: opened, exchanged when `dev` sees a change, closed. */
export class App {
  readonly config: AppConfig;
  readonly pool: AppPool;
  readonly #options: AppOptions;
  files: string[];

  private constructor(config: AppConfig, options: AppOptions, pool: AppPool, files: string[]) {
    this.config = config;
    this.#options = options;
    this.pool = pool;
    this.files = files;
  }

  /** Null without an app. Throws APP_LOAD_FAILED. */
  static async open(
    app: AppConfig | null,
    { project, ...options }: AppOptions & { project: Project },
  ): Promise<App | null> {
    if (app === null) return null;
    const { data, files } = await dataOf(project, app, options);
    const pool = new AppPool(data, options.log);
    try {
      refuse(app, await pool.load());
    } catch (error) {
      await pool.close();
      throw error;
    }
    return new App(app, options, pool, files);
  }

  /** Throws APP_LOAD_FAILED, and CONFIG_INVALID when what is configured is more than other code. */
  async prepare(project: Project): Promise<PreparedApp> {
    const { app } = project.api;
    if (
      app === null ||
      app.routesNeedCaller !== this.config.routesNeedCaller ||
      app.authFirst !== this.config.authFirst
    )
      throw restart(project);
    const { data, files } = await dataOf(project, app, this.#options);
    const next = await this.pool.prepare(data);
    if (!next.report.ok) await next.discard();
    refuse(app, next.report);
    return {
      files,
      use: async () => {
        this.files = files;
        await next.activate();
        return this.pool.paths();
      },
      drop: () => next.discard(),
    };
  }
}

/** What is asked before every request does not come or go while requests are served. */
export function restart({ file }: Project): Error {
  return fail('CONFIG_INVALID', {
    file,
    problem: 'http: app, middleware_order or enable_custom_route_auth was changed. Restart the server for that.',
  });
}

async function dataOf(
  { root, env }: Project,
  { file, path, exportName }: AppConfig,
  { cache, own }: AppOptions,
): Promise<{ data: AppWorkerData; files: string[] }> {
  const { url, files } = await bundleModule({ file, path, code: 'APP_LOAD_FAILED' }, root, cache);
  return { data: { module: url, exportName, env, own }, files };
}

function refuse({ path }: AppConfig, report: LoadResult): void {
  if (report.ok) return;
  const error = fail('APP_LOAD_FAILED', { file: path, reason: report.reason });
  if (report.stack !== '') error.stack = report.stack;
  throw error;
}
