/**
 * Prevents user code from accidentally ending the whole server. `process.kill` of this process, or of a group
 * that contains it, throws in this thread. Node does the same for `process.abort` in worker threads, and
 * `process.exit` ends only the thread. This is not a sandbox; docs/decisions/0045 lists what still ends the
 * process.
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
