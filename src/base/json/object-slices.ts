import { valueEnd, walkElements, walkMembers, type Slice } from './slices.js';

const OPEN_BRACKET = 0x5b;

/**
 * Positions of an object's members by name; the last of repeated names counts. One instance is reused for many objects,
 * which avoids a map and a slice per member. The object must be known to be valid JSON.
 */
export class ObjectSlices {
  // Overwritten instead of cleared, because clearing an array releases its memory.
  readonly #names: string[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #count = 0;

  /** Reads an object. If the member `listName` is a list, up to `max` of its elements are put into `list`. */
  read(bytes: Uint8Array, { start: from }: Slice, listName?: string, list: Slice[] = [], max = 0): void {
    this.#count = 0;
    walkMembers(bytes, from, (name, start) => {
      let end: number;
      if (name === listName && bytes[start] === OPEN_BRACKET) {
        list.length = 0;
        end = walkElements(bytes, start, list, max);
      } else end = valueEnd(bytes, start);
      this.#names[this.#count] = name;
      this.#starts[this.#count] = start;
      this.#ends[this.#count] = end;
      this.#count += 1;
      return end;
    });
  }

  get(name: string): Slice | undefined {
    const at = this.#find(name);
    return at < 0 ? undefined : { start: this.#starts[at]!, end: this.#ends[at]! };
  }

  /** Bytes of the member's value; 0 when there is none. */
  size(name: string): number {
    const at = this.#find(name);
    return at < 0 ? 0 : this.#ends[at]! - this.#starts[at]!;
  }

  #find(name: string): number {
    let at = this.#count - 1;
    while (at >= 0 && this.#names[at] !== name) at -= 1;
    return at;
  }
}
