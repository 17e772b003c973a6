/**
 * Keeps a slip in user code from ending the whole server: `process.kill` of the own process, or of a group that holds it,
 * throws in this thread. Node does the same for `process.abort` in every worker thread, and `process.exit` ends the thread
 * only. It is no sandbox; docs/decisions/0045 says what still ends the process.
 */
export function guardProcess(): void {
  const { kill } = process;
  process.kill = function killOther(pid: number, signal?: string | number): true {
    if (signal !== 0 && [process.pid, -process.pid, 0, -1].includes(pid)) {
      throw Object.assign(
        new Error(
          "process.kill() of the server's own process is not supported: it would end all runs. Throw an error to end this one.",
        ),
        { code: 'ERR_WORKER_UNSUPPORTED_OPERATION' },
      );
    }
    return kill.call(process, pid, signal);
  };
}
