import { contentHash } from '../../base/ids.js';
import { jsonBytes } from '../../base/json/json.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { StateView } from '../state/state-view.js';

/**
 * A strong entity tag (RFC 9110, 8.8.3) from the inputs of a response. It costs less than the response, and
 * changes whenever the response may change.
 */
export function entityTag(facts: readonly Uint8Array[]): string {
  // Prefixed with their lengths, so that different lists never have the same bytes.
  const prefixed = Buffer.concat(facts.flatMap((fact) => [Buffer.from(`${fact.byteLength}:`), fact]));
  return `"${contentHash(prefixed).toString('base64url')}"`;
}

/** The tag of `GET /threads/{thread_id}`. `head`: the newest checkpoint. */
export function threadEntityTag(record: ThreadRecord, head: StateView | undefined): string {
  const {
    uid,
    createdAtMs,
    updatedAtMs,
    stateUpdatedAtMs,
    status,
    graphId,
    failure,
    ttl,
    thinnedAtMs,
    trimmedAtMs,
    cancelReason,
    metadata,
    config,
  } = record;
  return entityTag([
    jsonBytes([
      uid,
      createdAtMs,
      updatedAtMs,
      stateUpdatedAtMs,
      status,
      graphId,
      failure,
      ttl ?? null,
      thinnedAtMs ?? 0,
      trimmedAtMs ?? 0,
      cancelReason ?? null,
    ]),
    metadata,
    config,
    ...(head === undefined ? [] : [head.digest(false)]),
  ]);
}
