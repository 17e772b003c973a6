import { asText } from '../../base/json/json.js';
import { unpackContent } from '../../wire/runs/content.js';
import {
  directHashes,
  splitHashes,
  type CheckpointBody,
  type Ref,
  type CheckpointView,
} from '../../wire/runs/state.js';

/** Returns packed content by hash. Throws when it is missing. */
export type ContentOf = (hash: Uint8Array) => Uint8Array;

/** A checkpoint's values as clients see them, as JSON. Assembled from stored bytes without parsing a value. */
export function valuesJson(body: CheckpointBody, view: CheckpointView | undefined, contentOf: ContentOf): string {
  // Without a view it is unknown which channels belong to the state.
  if (view === undefined) return '{}';
  const refs = new Map([...body.channels, ...view.overrides]);
  if (view.keys === null) {
    const ref = refs.get(view.root ?? '');
    return ref === undefined ? 'null' : valueJson(ref, contentOf);
  }
  const parts: string[] = [];
  for (const name of view.keys) {
    const ref = refs.get(name);
    if (ref !== undefined) parts.push(`${JSON.stringify(name)}:${valueJson(ref, contentOf)}`);
  }
  return `{${parts.join(',')}}`;
}

export function valueJson(ref: Ref, contentOf: ContentOf): string {
  if (ref[0] === 0) return asText(ref[1][1]);
  if (ref[0] === 1) return storedJson(ref[1], contentOf);
  if (ref[0] === 3)
    return `{${ref[1].map(([name, field]) => `${JSON.stringify(name)}:${valueJson(field, contentOf)}`).join(',')}}`;
  return `[${directHashes(ref)
    .map((hash) => storedJson(hash, contentOf))
    .join(',')}]`;
}

/** JSON of an item. For a segment or chunk, the JSON of its items joined by commas. */
function storedJson(hash: Uint8Array, contentOf: ContentOf): string {
  const stored = unpackContent(contentOf(hash));
  if (stored[0] !== 'chunk') return asText(stored[1]);
  return splitHashes(stored[2])
    .map((below) => storedJson(below, contentOf))
    .join(',');
}
