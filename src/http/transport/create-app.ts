import { existsSync } from 'node:fs';
import { fail } from '../../base/errors.js';
import { uwsBinary } from '../../base/program-files.js';
import type { HttpApp, HttpAppOptions, TransportName } from './http-app.js';

/** THREADMILL_TRANSPORT. */
export type TransportChoice = TransportName | 'auto';

/** The transport of a server, and why. */
export interface Transport {
  name: TransportName;
  /** Why uWebSockets.js does not load; null when it does, or was not tried. */
  problem: string | null;
}

/** `auto`: uWebSockets.js where a binary of it loads, otherwise node:http. Throws CONFIG_INVALID. */
export async function findTransport(choice: TransportChoice): Promise<Transport> {
  if (choice === 'node') return { name: 'node', problem: null };
  try {
    const { loadUws } = await import('./uws.js');
    loadUws();
    return { name: 'uws', problem: null };
  } catch (error) {
    const problem = existsSync(uwsBinary())
      ? `the binary of uWebSockets.js does not load here: ${(error as Error).message}`
      : `there is no binary of uWebSockets.js for Node ${process.version} on ${process.platform}-${process.arch}`;
    if (choice === 'uws') throw fail('CONFIG_INVALID', { file: 'THREADMILL_TRANSPORT', problem }, error);
    return { name: 'node', problem };
  }
}

/** Throws CONFIG_INVALID when the transport rejects the files of `tls`. */
export async function createApp(transport: TransportName, options: HttpAppOptions): Promise<HttpApp> {
  if (transport === 'uws') {
    const { loadUws, UwsApp } = await import('./uws.js');
    return new UwsApp(loadUws(), options);
  }
  const { NodeApp } = await import('./node/app.js');
  return new NodeApp(options);
}
