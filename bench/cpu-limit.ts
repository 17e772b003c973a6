import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;

/** Limits the CPU time of a process by a control group of Linux, in version 1 or 2. */
export class CpuLimit {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** `cores`: CPU time per wall-clock time. Throws where control groups cannot be created, which usually needs root. */
  static create(name: string, cores: number): CpuLimit {
    const isVersion2 = existsSync(join(ROOT, 'cgroup.controllers'));
    const folder = join(isVersion2 ? ROOT : join(ROOT, 'cpu'), name);
    if (isVersion2) writeFileSync(join(ROOT, 'cgroup.subtree_control'), '+cpu');
    mkdirSync(folder);
    const limit = new CpuLimit(folder);
    const quotaUs = Math.round(cores * PERIOD_US);
    if (isVersion2) writeFileSync(join(folder, 'cpu.max'), `${quotaUs} ${PERIOD_US}`);
    else {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quotaUs));
    }
    return limit;
  }

  /** Applies to all threads of the process. */
  add(pid: number): void {
    writeFileSync(join(this.#folder, 'cgroup.procs'), String(pid));
  }

  /** Call it when the processes have ended. */
  remove(): void {
    rmdirSync(this.#folder);
  }
}
