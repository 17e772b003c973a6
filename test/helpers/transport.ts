import { createApp, findTransport, type TransportChoice } from '../../src/http/transport/create-app.js';
import type { HttpApp, RouteCallback, TlsFiles, TransportName } from '../../src/http/transport/http-app.js';

interface Test {
  teardown(callback: () => unknown): void;
}

/** The transport of tests: the one that THREADMILL_TRANSPORT names, otherwise the best one. */
export async function testTransport(): Promise<TransportName> {
  return (await findTransport((process.env['THREADMILL_TRANSPORT'] ?? 'auto') as TransportChoice)).name;
}

/** An app of that transport. Nothing listens yet. */
export async function testApp(tls: TlsFiles | null = null): Promise<HttpApp> {
  return createApp(await testTransport(), { tls, sockets: { open: 0, refused: 0 }, connectionsMax: Infinity });
}

/** Serves all requests by `callback` on a free port, until the test ends. Returns the port. */
export async function serveAll(t: Test, callback: RouteCallback): Promise<number> {
  const app = await testApp();
  app.route('any', '/*', callback);
  const listener = await app.listen('127.0.0.1', 0);
  t.teardown(() => app.close());
  return listener!.port;
}
