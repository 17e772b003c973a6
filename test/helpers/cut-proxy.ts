import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

interface Test {
  teardown(callback: () => unknown): void;
}

/** A TCP proxy on this machine whose connections can be cut at the worst moments. */
export class CutProxy {
  readonly port: number;
  readonly #sockets: Set<Socket>;
  /** Decides about each piece that the server sends. `lose`: the client never gets it, and its connection ends. */
  onResponse: (bytes: Buffer) => 'pass' | 'lose' = () => 'pass';
  /** Called with each piece that a client sends, before it is passed on. */
  onRequest: (bytes: Buffer) => 'pass' | 'lose' = () => 'pass';
  /** Of the next piece that a client sends, only so many bytes pass, and then nothing: as if a cable were pulled. */
  stallAfter: ((bytes: Buffer) => number | null) | null = null;
  /** Nothing passes, and nothing ends: as if a cable were pulled. */
  isStalled = false;
  /** Port of new connections. */
  target: number;

  private constructor(port: number, target: number, sockets: Set<Socket>) {
    this.port = port;
    this.target = target;
    this.#sockets = sockets;
  }

  static async to(t: Test, target: number): Promise<CutProxy> {
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const upstream = connect(proxy.target, '127.0.0.1');
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.setNoDelay(true);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
      }
      client.on('data', (bytes: Buffer) => {
        const passed = proxy.stallAfter?.(bytes) ?? null;
        if (passed === null) proxy.#pass(proxy.onRequest(bytes), bytes, client, upstream);
        else if (!proxy.isStalled) {
          upstream.write(bytes.subarray(0, passed));
          proxy.isStalled = true;
        }
      });
      upstream.on('data', (bytes) => proxy.#pass(proxy.onResponse(bytes), bytes, client, client));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new CutProxy((server.address() as AddressInfo).port, target, sockets);
    t.teardown(() => {
      server.close();
      proxy.cut();
    });
    return proxy;
  }

  /** Ends all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(decision: 'pass' | 'lose', bytes: Buffer, client: Socket, to: Socket): void {
    if (this.isStalled) return;
    if (decision === 'pass') to.write(bytes);
    else client.destroy();
  }
}
