import { joinBytes, type JsonBytes } from '../../base/json.js';

/** The `extra` of a record that came with metadata alone. */
export function addMetadata(metadata: JsonBytes): JsonBytes {
  return joinBytes(['{"metadata":', metadata, '}']);
}
