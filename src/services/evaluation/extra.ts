import type { Caller } from '../../domain/caller.js';
import { joinBytes, type JsonBytes } from '../../base/json/json.js';
import { withMembers } from '../../base/json/members.js';
import { metadataOfExtra } from '../../store/evaluation/experiments.js';

/** Returns an `extra` that contains only this metadata. */
export function addMetadata(metadata: JsonBytes): JsonBytes {
  return joinBytes(['{"metadata":', metadata, '}']);
}

/** Adds the access handler's values, such as the owner, to metadata. */
export function stampMetadata({ stamp }: Caller, metadata: JsonBytes | null): JsonBytes | null {
  return stamp === null
    ? metadata
    : withMembers(
        metadata,
        Object.entries(stamp).map(([name, value]) => [name, JSON.stringify(value)]),
      );
}

/** Adds the access handler's values to the metadata inside an `extra`. */
export function stampExtra(caller: Caller, extra: JsonBytes | null): JsonBytes | null {
  return caller.stamp === null
    ? extra
    : withMembers(extra, [['metadata', stampMetadata(caller, metadataOfExtra(extra))!]]);
}
