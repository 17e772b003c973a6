import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workerThreads from 'node:worker_threads';

/** Thrown to code that would leave its thread for the network or another process. */
export class OutsideRefusedError extends Error {
  override readonly name = 'OutsideRefusedError';
  readonly code = 'ERR_OUTSIDE_REFUSED';

  constructor(what: string) {
    super(`${what} is refused: a replayed run reaches nothing outside. Allow it with --unrecorded live.`);
  }
}

/** Native parts of Node that reach the network or start processes. */
const BINDINGS = new Set([
  ...['tcp_wrap', 'tls_wrap', 'udp_wrap', 'pipe_wrap', 'cares_wrap', 'stream_wrap'],
  ...['process_wrap', 'spawn_sync', 'worker', 'js_udp_wrap'],
]);

type AnyFunction = (...args: never[]) => unknown;

/**
 * Refuses connections, look-ups of names, listening, and new processes and threads in this thread. Call it before user
 * code is loaded. Native add-ons can go around it. `onRefused` gets what was refused.
 */
export function guardNetwork(onRefused: (what: string) => void): void {
  const refuse = (what: string): never => {
    onRefused(what);
    throw new OutsideRefusedError(what);
  };
  const refuseCalls = (
    target: object,
    names: readonly string[],
    what: (name: string, args: unknown[]) => string,
  ): void => {
    for (const name of names) {
      if (typeof (target as Record<string, unknown>)[name] !== 'function') continue;
      define(target, name, (...args: unknown[]) => refuse(what(name, args)));
    }
  };
  refuseSockets(onRefused);
  refuseCalls(net.Server.prototype, ['listen'], () => 'Listening on a port');
  refuseCalls(dgram.Socket.prototype, ['bind', 'connect', 'send'], () => 'A datagram');
  const lookups = Object.keys(dns).filter((name) => /^(?:lookup|lookupService|resolve|reverse)/.test(name));
  for (const target of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
    refuseCalls(target, lookups, (_name, [host]) => `Looking up ${String(host)}`);
  refuseCalls(
    childProcess,
    ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'],
    (_name, [file]) => `Starting the process ${String(file)}`,
  );
  refuseCalls(
    (childProcess as unknown as { ChildProcess: { prototype: object } }).ChildProcess.prototype,
    ['spawn'],
    () => 'Starting a process',
  );
  define(workerThreads, 'Worker', function refuseWorker() {
    return refuse('Starting a thread');
  });
  for (const name of ['binding', '_linkedBinding']) {
    const original = (process as unknown as Record<string, AnyFunction>)[name]!;
    define(process, name, (binding: string) =>
      BINDINGS.has(binding) ? refuse(`The native module ${binding}`) : original.call(process, binding as never),
    );
  }
  syncBuiltinESMExports();
}

/** A refused connection fails like one that cannot be made, so that clients handle it. */
function refuseSockets(onRefused: (what: string) => void): void {
  define(
    net.Socket.prototype,
    'connect',
    function connect(this: net.Socket & { connecting: boolean }, ...args: unknown[]) {
      const what = `A connection to ${addressOf(args)}`;
      onRefused(what);
      this.connecting = true;
      process.nextTick(() => this.destroy(new OutsideRefusedError(what)));
      return this;
    },
  );
}

function addressOf(args: unknown[]): string {
  // `net.connect` passes its arguments as a list.
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  if (typeof first !== 'object' || first === null)
    return typeof first === 'number' ? `${typeof second === 'string' ? second : 'localhost'}:${first}` : String(first);
  const { host, port, path } = first as { host?: string; port?: number; path?: string };
  return path ?? `${host ?? 'localhost'}:${String(port)}`;
}

function define(target: object, name: string, value: unknown): void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, {
    enumerable: before?.enumerable ?? false,
    value,
    writable: false,
    configurable: false,
  });
}
