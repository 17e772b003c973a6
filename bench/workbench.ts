import { rmSync } from 'node:fs';
import { startDevServer, type DevServer } from './contenders/dev-server.js';
import { InProcess } from './contenders/in-process.js';
import { startOurs, temporaryFolder, type Ours, type OursOptions } from './contenders/ours.js';

/** What a bench works with: contenders by request, all of them ended when it is over. */
export class Workbench {
  /** Smoke: ours alone, so that a test needs nothing else. */
  readonly oursOnly: boolean;
  /** Why the dev server is missing; null when it is there or was never asked for. */
  devServerProblem: string | null = null;
  readonly #open: { close(): Promise<void> }[] = [];

  readonly #shared: Ours | null;

  /** `shared`: a server that benches without wishes of their own may use together; they leave it open. */
  constructor({ oursOnly, shared = null }: { oursOnly: boolean; shared?: Ours | null }) {
    this.oursOnly = oursOnly;
    this.#shared = shared;
  }

  /** `fresh`: one that nobody has used. */
  async ours({ fresh = false, ...options }: OursOptions & { fresh?: boolean } = {}): Promise<Ours> {
    if (this.#shared !== null && !fresh && options.dataFolder === undefined) return this.#shared;
    const server = await startOurs(options);
    this.#open.push(server);
    return server;
  }

  async inProcess(): Promise<InProcess | null> {
    if (this.oursOnly) return null;
    const child = await InProcess.start();
    this.#open.push(child);
    return child;
  }

  async devServer(): Promise<DevServer | null> {
    if (this.oursOnly) return null;
    try {
      const server = await startDevServer();
      this.#open.push(server);
      return server;
    } catch (error) {
      this.devServerProblem = error instanceof Error ? error.message : String(error);
      return null;
    }
  }

  folder(): string {
    const folder = temporaryFolder();
    this.#open.push({ close: async () => rmSync(folder, { recursive: true, force: true }) });
    return folder;
  }

  defer(close: () => Promise<void> | void): void {
    this.#open.push({ close: async () => close() });
  }

  async close(): Promise<void> {
    for (const one of this.#open.splice(0).reverse()) await one.close();
  }
}
