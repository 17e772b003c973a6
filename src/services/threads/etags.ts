import { contentHash } from '../../base/ids.js';
import { jsonBytes } from '../../base/json/json.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { StateView } from '../state/state-view.js';

/** A strong entity tag (RFC 9110, 8.8.3) from what an answer is made of: cheaper than the answer, and changed whenever that may be. */
export function tagOf(facts: readonly Uint8Array[]): string {
  // Each with its length, so that no two lists of facts are the same bytes.
  return `"${contentHash(facts.flatMap((fact) => [Buffer.from(`${fact.byteLength}:`), fact])).toString('base64url')}"`;
}

/** Of a thread as `GET /threads/{thread_id}` shows it. `head`: its newest checkpoint. */
export function threadTag(record: ThreadRecord, head: StateView | undefined): string {
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
  return tagOf([
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
