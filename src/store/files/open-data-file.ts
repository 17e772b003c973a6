import { fstatSync, readdirSync, statSync } from 'node:fs';

/**
 * The descriptors with which LMDB holds the data file. All threads of a process share descriptors, so graph code can
 * close them. The system then assigns their numbers to the next files and sockets, and LMDB writes its pages there
 * without any error. Only a check of the descriptors shows that a commit reached the data file.
 */
export class OpenDataFile {
  readonly #descriptors: readonly number[];
  readonly #device: number;
  readonly #inode: number;

  /** Call this directly after LMDB opened the file. `before`: descriptors that were already open. */
  constructor(file: string, before: readonly number[]) {
    const { dev, ino } = statSync(file);
    this.#device = dev;
    this.#inode = ino;
    this.#descriptors = openDescriptors().filter(
      (descriptor) => !before.includes(descriptor) && this.#isDataFile(descriptor),
    );
  }

  /** Takes 1 to 2 µs per descriptor. */
  get isIntact(): boolean {
    return this.#descriptors.every((descriptor) => this.#isDataFile(descriptor));
  }

  #isDataFile(descriptor: number): boolean {
    try {
      const { dev, ino } = fstatSync(descriptor);
      return dev === this.#device && ino === this.#inode;
    } catch {
      return false;
    }
  }
}

/** Open descriptors of this process; empty on systems that do not list them. */
export function openDescriptors(): number[] {
  try {
    return readdirSync('/dev/fd')
      .map(Number)
      .filter((descriptor) => Number.isInteger(descriptor));
  } catch {
    return [];
  }
}
