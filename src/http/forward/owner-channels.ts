import { formatAddress, type NodeAddress } from '../../base/node-address.js';
import { ChannelClient } from './channel/channel-client.js';
import { REQUESTS_PROTOCOL } from './node-tls.js';
import { connectLink } from './socket-link.js';

/** The channels to the owner, and to earlier owners that are still answering. One for each address. */
export class OwnerChannels {
  readonly #key: Buffer;
  readonly #connecting = new Map<string, Promise<ChannelClient>>();
  readonly #open = new Map<string, ChannelClient>();
  #isClosed = false;

  /** `key`: shared by the nodes of the cluster. */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Null unless a channel to that node is open. */
  find(address: NodeAddress): ChannelClient | null {
    return this.#open.get(formatAddress(address)) ?? null;
  }

  /** Rejects when the node cannot be reached, or takes no requests. */
  connect(address: NodeAddress): Promise<ChannelClient> {
    const name = formatAddress(address);
    const opened = this.#open.get(name);
    if (opened !== undefined) return Promise.resolve(opened);
    const known = this.#connecting.get(name);
    if (known !== undefined) return known;
    const connecting = this.#connect(address, name).finally(() => this.#connecting.delete(name));
    this.#connecting.set(name, connecting);
    return connecting;
  }

  /** Closes the channels to other nodes that carry no request. */
  keepOnly(address: NodeAddress): void {
    const name = formatAddress(address);
    for (const [other, channel] of this.#open) if (other !== name && channel.open === 0) channel.close();
  }

  close(): void {
    this.#isClosed = true;
    for (const channel of this.#open.values()) channel.close();
  }

  async #connect(address: NodeAddress, name: string): Promise<ChannelClient> {
    const link = await connectLink(address, this.#key, REQUESTS_PROTOCOL);
    const channel = new ChannelClient(link, () => {
      if (this.#open.get(name) === channel) this.#open.delete(name);
    });
    this.#open.set(name, channel);
    if (this.#isClosed) channel.close();
    return channel;
  }
}
