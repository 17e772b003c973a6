import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import { formatAddress, type NodeAddress } from '../base/node-address.js';
import { RUNS_PROTOCOL } from '../http/forward/node-tls.js';
import { connectLink, type SocketLink } from '../http/forward/socket-link.js';
import type { RunHost } from '../pool/nodes/run-host.js';

export interface WorkerNodeOptions {
  host: RunHost;
  /** Shared by the nodes of the cluster. */
  key: Buffer;
  /** Null while no node serves. */
  findOwner: () => NodeAddress | null;
  log: Logger;
}

/** Keeps a link to the owner, whoever it is, so that it can use the graph workers of this node. */
export class WorkerNode {
  readonly #options: WorkerNodeOptions;
  #link: { link: SocketLink; owner: string } | null = null;
  #isClosed = false;

  constructor(options: WorkerNodeOptions) {
    this.#options = options;
    void this.#keepConnected();
  }

  /** A link to an earlier owner is given up: what its runs send would be refused. */
  onOwnerChanged(epoch: number): void {
    const owner = this.#options.findOwner();
    if (owner === null || this.#link === null || this.#link.owner === formatAddress(owner)) return;
    this.#options.host.sendSuperseded(epoch);
    this.#link.link.close('another node has become the owner');
  }

  /** This node has become the owner. */
  close(epoch: number): void {
    this.#isClosed = true;
    this.#options.host.sendSuperseded(epoch);
    this.#link?.link.close('this node has become the owner');
  }

  /** This node ends. Lets the runs that execute here end until `untilMs`, by `performance.now()`. */
  async leave(untilMs: number): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#options.host.leave(untilMs);
  }

  async #keepConnected(): Promise<void> {
    const { host, key, findOwner, log } = this.#options;
    while (!this.#isClosed) {
      const address = findOwner();
      if (address !== null) {
        try {
          const link = await connectLink(address, key, RUNS_PROTOCOL);
          if (this.#isClosed) {
            link.close('this node ends');
            return;
          }
          this.#link = { link, owner: formatAddress(address) };
          log.info({ owner: this.#link.owner }, 'The owner can use the graph workers of this node');
          const reason = await host.serve(link);
          log.info({ owner: this.#link.owner, reason }, 'The link to the owner is closed');
        } catch (error) {
          log.debug({ err: error }, 'The owner could not be reached');
        }
        this.#link = null;
      }
      await sleep(LIMITS.linkRetryMs, undefined, { ref: false });
    }
  }
}
