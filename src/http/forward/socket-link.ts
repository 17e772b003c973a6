import { connect, type TLSSocket } from 'node:tls';
import { LIMITS } from '../../base/limits.js';
import { formatAddress, type NodeAddress } from '../../base/node-address.js';
import type { Link } from '../../pool/nodes/link.js';
import { nodeClientTls, RUNS_PROTOCOL } from './node-tls.js';

const LENGTH_BYTES = 4;
/** A message without content shows that the other side lives. */
const BEAT = Buffer.alloc(LENGTH_BYTES);

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
      for (const message of this.#takeMessages()) if (!this.#isClosed) onMessage(message);
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

  send(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    const head = Buffer.allocUnsafe(LENGTH_BYTES);
    head.writeUInt32BE(bytes.byteLength);
    this.#socket.cork();
    this.#socket.write(head);
    this.#socket.write(bytes);
    this.#socket.uncork();
  }

  close(reason: string): void {
    // What was sent before still arrives, unless the other side is silent.
    this.#socket.destroySoon();
    this.#end(reason);
  }

  /** Removes the whole messages from what has arrived. Each has memory of its own, because parts of it are kept. */
  *#takeMessages(): Generator<Uint8Array> {
    while (this.#receivedBytes >= LENGTH_BYTES) {
      const [first] = this.#received;
      if (first!.byteLength < LENGTH_BYTES) this.#received = [Buffer.concat(this.#received)];
      const length = this.#received[0]!.readUInt32BE(0);
      const wholeBytes = LENGTH_BYTES + length;
      if (this.#receivedBytes < wholeBytes) return;
      const all = this.#received.length === 1 ? this.#received[0]! : Buffer.concat(this.#received);
      const rest = all.subarray(wholeBytes);
      this.#received = rest.byteLength === 0 ? [] : [rest];
      this.#receivedBytes = rest.byteLength;
      if (length > 0) yield Uint8Array.from(all.subarray(LENGTH_BYTES, wholeBytes));
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

/** Connects to the owner. Rejects when it cannot be reached, or takes no links. */
export function connectLink({ host, port }: NodeAddress, key: Buffer): Promise<SocketLink> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, ALPNProtocols: [RUNS_PROTOCOL], ...nodeClientTls(key) });
    socket.setTimeout(LIMITS.linkSilentMs, () => socket.destroy(new Error('the owner does not answer')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      if (socket.alpnProtocol === RUNS_PROTOCOL) resolve(new SocketLink(socket));
      else {
        socket.destroy();
        reject(new Error('the owner takes no graph workers of other nodes'));
      }
    });
  });
}
