import { valueEnd, walkElements, walkMembers, type Slice } from './json-slices.js';

const OPEN_BRACKET = 0x5b;

/**
 * Where the members of an object lie, found by name; of a name that comes twice the last one counts. One of these is used
 * for one object after the other, without a map for each. The object must be known to be JSON.
 */
export class ObjectSlices {
  readonly #names: string[] = [];
  readonly #values: Slice[] = [];

  /** The elements of the member `listName`, when that is a list, are put into `list`: as many as `max`. */
  read(bytes: Uint8Array, { start: from }: Slice, listName?: string, list: Slice[] = [], max = 0): void {
    this.#names.length = 0;
    this.#values.length = 0;
    walkMembers(bytes, from, (name, start) => {
      let end: number;
      if (name === listName && bytes[start] === OPEN_BRACKET) {
        list.length = 0;
        end = walkElements(bytes, start, list, max);
      } else end = valueEnd(bytes, start);
      this.#names.push(name);
      this.#values.push({ start, end });
      return end;
    });
  }

  get(name: string): Slice | undefined {
    for (let at = this.#names.length - 1; at >= 0; at -= 1) if (this.#names[at] === name) return this.#values[at];
    return undefined;
  }
}
