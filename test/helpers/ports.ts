import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux gives to sockets that ask for none, so nothing takes one in between. */
const FIRST = 20_000;
const LAST = 32_767;

/**
 * A port of this machine that is free now and stays so: for programs that cannot pick one themselves, and for
 * listeners that end and come back at the same place.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      continue;
    }
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
