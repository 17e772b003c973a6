import inspector from 'node:inspector';

/** Listens for a debugger on this machine, and waits until one is attached. It says where on standard error. */
export function waitForDebugger(port: number): void {
  inspector.open(port, '127.0.0.1', true);
}

/** Stops before the first step of the graph. Step into it from here. */
export function stopBeforeGraph(): void {
  // eslint-disable-next-line no-debugger
  debugger;
}
