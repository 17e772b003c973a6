import { LIMITS } from '../base/limits.js';
import { contentHash } from '../base/ids.js';
import { isObject, type JsonObject } from '../base/json.js';

/**
 * What is indexed of a record's metadata (DESIGN, decision 13): scalar leaves as `path=value`. A list walks the leaf with
 * the fewest records and checks the rest on the record itself, so the index may leave leaves out but never invents one.
 */
export const ALL_LEAF = '*';

export function statusLeaf(status: string): string {
  return `?${status}`;
}

/** Stands in the index for the leaves that a record has beyond the limit: every filter looks there too. */
export const OVERFLOW_LEAF = '+';

/** At most 32 leaves, in the order the metadata has them, and the overflow leaf when there are more. */
export function leavesOf(metadata: JsonObject): string[] {
  const leaves: string[] = [];
  walk(metadata, '', leaves);
  const unique = [...new Set(leaves)];
  return leaves.length <= LIMITS.metadataLeavesMax ? unique : [...unique.slice(0, LIMITS.metadataLeavesMax), OVERFLOW_LEAF];
}

function walk(object: JsonObject, path: string, leaves: string[]): void {
  for (const [name, value] of Object.entries(object)) {
    if (leaves.length > LIMITS.metadataLeavesMax) return;
    const at = path === '' ? name : `${path}.${name}`;
    if (isObject(value)) walk(value, at, leaves);
    else if (!Array.isArray(value)) leaves.push(leaf(at, value));
  }
}

/** The leaf of one equality. Long ones go by their hash; the record is checked again anyway. */
export function leaf(path: string, value: unknown): string {
  const text = `.${path}=${JSON.stringify(value)}`;
  return Buffer.byteLength(text) <= LIMITS.metadataValueBytesMax ? text : `#${contentHash([Buffer.from(text)]).toString('base64url')}`;
}

/** Leaves of which every match of the filter has each, or the overflow leaf. */
export function filterLeaves(filter: JsonObject): string[] {
  return leavesOf(filter).filter((one) => one !== OVERFLOW_LEAF);
}
