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

/** At most 32 leaves, in the order the metadata has them. */
export function leavesOf(metadata: JsonObject): string[] {
  const leaves: string[] = [];
  walk(metadata, '', leaves);
  return leaves;
}

function walk(object: JsonObject, path: string, leaves: string[]): void {
  for (const [name, value] of Object.entries(object)) {
    if (leaves.length >= LIMITS.metadataLeavesMax) return;
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

/** Leaves that every match of the filter must have, as far as the record is sure to be indexed under them. */
export function filterLeaves(filter: JsonObject): string[] {
  return leavesOf(filter);
}
