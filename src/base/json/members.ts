import { joinBytes, type JsonBytes } from './json.js';
import { bytesOf, members, wholeValue } from './slices.js';

/** Change of one member: its JSON text, or undefined to remove it. */
export type MemberChange = [name: string, json: Uint8Array | string | undefined];

/** The object with some members changed. All other members keep their bytes. */
export function withMembers(object: JsonBytes | null, changes: readonly MemberChange[]): JsonBytes {
  const changed = new Map(changes);
  const kept: (Uint8Array | string)[] = [];
  const add = (name: string, json: Uint8Array | string): void => {
    kept.push(`${kept.length === 0 ? '{' : ','}${JSON.stringify(name)}:`, json);
  };
  if (object !== null) {
    for (const { key, value } of members(object, wholeValue(object)))
      if (!changed.has(key)) add(key, bytesOf(object, value));
  }
  for (const [name, json] of changed) if (json !== undefined) add(name, json);
  return joinBytes(kept.length === 0 ? ['{}'] : [...kept, '}']);
}
