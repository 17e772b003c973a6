import { valueEnd, walkElements, walkMembers, type Slice } from './slices.js';

const OPEN_BRACKET = 0x5b;

/** A member whose elements are read too: its name, and the array that receives up to `max` of them. */
export interface ListElements {
  name: string;
  elements: Slice[];
  max: number;
}

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

  /** Reads an object, and the elements of one of its members if that is a list. */
  read(bytes: Uint8Array, { start: from }: Slice, list: ListElements | null = null): void {
    this.#count = 0;
    walkMembers(bytes, from, (name, start) => {
      let end: number;
      if (list !== null && name === list.name && bytes[start] === OPEN_BRACKET) {
        list.elements.length = 0;
        end = walkElements(bytes, start, list.elements, list.max);
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
