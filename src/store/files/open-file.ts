import { fstatSync, readdirSync, statSync } from 'node:fs';

/**
 * The descriptors that LMDB holds of the data file. All threads of a process share its descriptors, so code of a graph can
 * close them. The system then gives their numbers to the next files and sockets, and LMDB writes its pages there without
 * any error. Whether they still are the data file is the only way to know that a commit has reached it.
 */
export class OpenDataFile {
  readonly #descriptors: readonly number[];
  readonly #device: number;
  readonly #inode: number;

  /** Call it when LMDB has just opened the file. `before`: the descriptors that were open until then, which are others'. */
  constructor(file: string, before: readonly number[]) {
    const { dev, ino } = statSync(file);
    this.#device = dev;
    this.#inode = ino;
    this.#descriptors = openDescriptors().filter(
      (descriptor) => !before.includes(descriptor) && this.#isDataFile(descriptor),
    );
  }

  /** A microsecond or two for each. */
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

/** The descriptors of this process; none where the system does not list them. */
export function openDescriptors(): number[] {
  try {
    return readdirSync('/dev/fd')
      .map(Number)
      .filter((descriptor) => Number.isInteger(descriptor));
  } catch {
    return [];
  }
}
