import { rmSync } from 'node:fs';
import { startDevServer, type DevServer } from './contenders/dev-server.js';
import { InProcess } from './contenders/in-process.js';
import {
  startThreadmill,
  temporaryFolder,
  type ThreadmillServer,
  type ServerOptions,
} from './contenders/threadmill.js';

/** Starts the servers and contenders that a bench asks for, and stops all of them when the bench ends. */
export class Workbench {
  /** True in smoke runs, which measure our side alone. */
  readonly isSmoke: boolean;
  /** Why the dev server could not be started; null if it was started or not needed. */
  devServerProblem: string | null = null;
  readonly #open: { close(): Promise<void> }[] = [];
  readonly #shared: ThreadmillServer | null;

  /** `shared` is a server for all benches that need no special options. The workbench does not close it. */
  constructor({ oursOnly, shared = null }: { oursOnly: boolean; shared?: ThreadmillServer | null }) {
    this.isSmoke = oursOnly;
    this.#shared = shared;
  }

  /** Our server. `fresh` gets one that no bench has used before. */
  async startServer({
    fresh = false,
    ...options
  }: ServerOptions & { fresh?: boolean } = {}): Promise<ThreadmillServer> {
    if (this.#shared !== null && !fresh && options.dataFolder === undefined) return this.#shared;
    const server = await startThreadmill(options);
    this.#open.push(server);
    return server;
  }

  /** The graphs in a process without a server; null in smoke runs. */
  async startInProcess(nodePath?: string): Promise<InProcess | null> {
    if (this.isSmoke) return null;
    const child = await InProcess.start(nodePath);
    this.#open.push(child);
    return child;
  }

  /** The JavaScript dev server; null in smoke runs, or if it cannot be started. */
  async startDevServer(): Promise<DevServer | null> {
    if (this.isSmoke) return null;
    try {
      const server = await startDevServer();
      this.#open.push(server);
      return server;
    } catch (error) {
      this.devServerProblem = error instanceof Error ? error.message : String(error);
      return null;
    }
  }

  /** A temporary folder that is removed at the end. */
  createFolder(): string {
    const folder = temporaryFolder();
    this.#open.push({ close: async () => rmSync(folder, { recursive: true, force: true }) });
    return folder;
  }

  /** Registers a function that is called at the end. */
  onClose(close: () => Promise<void> | void): void {
    this.#open.push({ close: async () => close() });
  }

  async close(): Promise<void> {
    for (const one of this.#open.splice(0).reverse()) await one.close();
  }
}
