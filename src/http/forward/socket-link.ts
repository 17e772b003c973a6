import { connect, type TLSSocket } from 'node:tls';
import { LIMITS } from '../../base/limits.js';
import { formatAddress, type NodeAddress } from '../../base/node-address.js';
import type { Link } from '../../pool/nodes/link.js';
import { nodeClientTls, type LinkProtocol } from './node-tls.js';

const LENGTH_BYTES = 4;
/** A message without content shows that the other side lives. */
const BEAT = Buffer.alloc(LENGTH_BYTES);
/** Up to this size, copying a message is cheaper than handing its parts to the socket. */
const COPIED_BYTES_MAX = 4 * 1_024;

/**
 * A link over a TLS connection: each message follows its length, 4 bytes, big-endian. Both sides send beats, and close
 * the link when nothing has arrived for `linkSilentMs`.
 */
export class SocketLink implements Link {
  readonly address: string;
  readonly #socket: TLSSocket;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  #heardAtMs = performance.now();
  #beating: NodeJS.Timeout | null = null;
  #isClosed = false;
  #isCorked = false;
  #onClosed: (reason: string) => void = () => undefined;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
    this.address = formatAddress({ host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 });
    socket.setNoDelay();
    socket.on('error', (error) => this.#end(error.message));
    socket.on('close', () => this.#end('the connection was closed'));
  }

  receive(onMessage: (bytes: Uint8Array) => void, onClosed: (reason: string) => void): void {
    this.#onClosed = onClosed;
    this.#socket.on('data', (bytes: Buffer) => {
      this.#heardAtMs = performance.now();
      this.#received.push(bytes);
      this.#receivedBytes += bytes.byteLength;
      this.#takeMessages(onMessage);
    });
    let lastBeatMs = performance.now();
    this.#beating = setInterval(() => {
      const nowMs = performance.now();
      // After a pause of this process, what has arrived meanwhile is read first.
      if (nowMs - lastBeatMs > 2 * LIMITS.linkBeatMs) this.#heardAtMs = nowMs;
      lastBeatMs = nowMs;
      if (nowMs - this.#heardAtMs > LIMITS.linkSilentMs) this.close('the other node is silent');
      else this.#socket.write(BEAT);
    }, LIMITS.linkBeatMs);
  }

  send(...parts: readonly Uint8Array[]): void {
    if (this.#isClosed) return;
    this.#corkTurn();
    const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const isCopied = length <= COPIED_BYTES_MAX;
    const head = Buffer.allocUnsafe(isCopied ? LENGTH_BYTES + length : LENGTH_BYTES);
    head.writeUInt32BE(length);
    let at = LENGTH_BYTES;
    if (isCopied)
      for (const part of parts) {
        head.set(part, at);
        at += part.byteLength;
      }
    this.#socket.write(head);
    if (!isCopied) for (const part of parts) this.#socket.write(part);
  }

  /** What is sent in one turn of the event loop leaves together: writing to a socket costs more than a message. */
  #corkTurn(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    setImmediate(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }

  close(reason: string): void {
    // What was sent before still arrives, unless the other side is silent.
    this.#socket.destroySoon();
    this.#end(reason);
  }

  /** Removes the whole messages from what has arrived. Each has memory of its own, because parts of it are kept. */
  #takeMessages(onMessage: (bytes: Uint8Array) => void): void {
    while (this.#receivedBytes >= LENGTH_BYTES) {
      if (this.#received[0]!.byteLength < LENGTH_BYTES) this.#received = [Buffer.concat(this.#received)];
      if (this.#receivedBytes < LENGTH_BYTES + this.#received[0]!.readUInt32BE(0)) return;
      const all = this.#received.length === 1 ? this.#received[0]! : Buffer.concat(this.#received);
      let at = 0;
      while (all.byteLength - at >= LENGTH_BYTES) {
        const end = at + LENGTH_BYTES + all.readUInt32BE(at);
        if (end > all.byteLength) break;
        if (end > at + LENGTH_BYTES && !this.#isClosed) onMessage(new Uint8Array(all.subarray(at + LENGTH_BYTES, end)));
        at = end;
      }
      this.#received = at === all.byteLength ? [] : [all.subarray(at)];
      this.#receivedBytes = all.byteLength - at;
    }
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#beating !== null) clearInterval(this.#beating);
    setTimeout(() => this.#socket.destroy(), LIMITS.linkBeatMs).unref();
    this.#onClosed(reason);
  }
}

/** Connects to the owner. Rejects when it cannot be reached, or takes no links of this protocol. */
export function connectLink({ host, port }: NodeAddress, key: Buffer, protocol: LinkProtocol): Promise<SocketLink> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, ALPNProtocols: [protocol], ...nodeClientTls(key) });
    socket.setTimeout(LIMITS.linkSilentMs, () => socket.destroy(new Error('the owner does not answer')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      if (socket.alpnProtocol === protocol) resolve(new SocketLink(socket));
      else {
        socket.destroy();
        reject(new Error(`the owner takes no connections for ${protocol}`));
      }
    });
  });
}
