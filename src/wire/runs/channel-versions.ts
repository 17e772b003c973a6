import { parseJson, setOwn } from '../../base/json/json.js';
import { packPooled, unpack } from '../codec.js';

type Version = number | string;

/** The versions of a checkpoint's channels, and those that each node has seen. */
export interface ChannelVersions {
  channels: Record<string, Version>;
  seen: Record<string, Record<string, Version>>;
}

/**
 * The number of channels, and for each its name and version. Then for each node: its name, the number of channels that
 * it has seen, and for each the name and version. Names are most of the bytes, so those after the list of channels are
 * positions in that list where possible.
 */
type VersionsRow = (number | string)[];

/** An object in JSON, until format 3. */
const OPENING_BRACE = 0x7b;

export function packVersions({ channels, seen }: ChannelVersions): Uint8Array {
  const names = Object.keys(channels);
  const row: VersionsRow = [names.length];
  const positions = new Map<string, number>();
  for (const name of names) {
    positions.set(name, positions.size);
    row.push(name, channels[name]!);
  }
  for (const node of Object.keys(seen)) {
    const own = seen[node]!;
    const seenNames = Object.keys(own);
    row.push(positions.get(node) ?? node, seenNames.length);
    for (const name of seenNames) row.push(positions.get(name) ?? name, own[name]!);
  }
  return packPooled(row);
}

/**
 * `seen`: its JSON, until format 3. Ends with the row, whatever its counts say, because it may come from the file of a
 * thread.
 */
export function unpackVersions({ versions, seen }: { versions: Uint8Array; seen: Uint8Array | null }): ChannelVersions {
  if (versions[0] === OPENING_BRACE)
    return {
      channels: parseJson(versions) as ChannelVersions['channels'],
      seen: parseJson(seen!) as ChannelVersions['seen'],
    };
  const row = unpack<VersionsRow>(versions);
  const names: string[] = [];
  const nameAt = (at: number): string => (typeof row[at] === 'number' ? names[row[at]]! : row[at]!);
  const found: ChannelVersions = { channels: {}, seen: {} };
  const endAfter = (begin: number, count: number): number => Math.min(begin + 2 * count, row.length);
  let at = 1;
  for (const end = endAfter(at, Number(row[0])); at < end; at += 2) {
    names.push(nameAt(at));
    setOwn(found.channels, nameAt(at), row[at + 1]!);
  }
  while (at < row.length) {
    const own: Record<string, Version> = {};
    setOwn(found.seen, nameAt(at), own);
    const end = endAfter(at + 2, Number(row[at + 1]));
    for (at += 2; at < end; at += 2) setOwn(own, nameAt(at), row[at + 1]!);
  }
  return found;
}
