import { SERVER_CALLER } from '../../src/domain/caller.js';
import { isoTime } from '../../src/base/clock.js';
import { boundedError } from '../../src/base/errors.js';
import { asText } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { Checkpoints } from '../../src/store/threads/checkpoints.js';
import { keys } from '../../src/store/keys.js';
import { readKwargs } from '../../src/store/runs/kwargs.js';
import type { Reader } from '../../src/store/reader.js';
import { objectJson, runMembers } from '../../src/store/runs/run-json.js';
import { ThreadMoves } from '../../src/store/threads/thread-moves.js';
import { Threads } from '../../src/store/threads/threads.js';
import { valuesJson } from '../../src/store/threads/values-json.js';
import type { OutboxDelivery } from '../../src/store/webhooks.js';
import { unpackBody } from '../../src/wire/runs/state.js';

type Omitted = Record<string, string>;

const TOO_LARGE = `the body would exceed ${LIMITS.webhookBodyBytesMax} bytes`;
const DELETED = 'it was deleted before this was sent';

/**
 * The body of a delivery as JSON (agent-server.md, section 13). Parts that are missing in it are listed in
 * `omitted`.
 */
export function composeBody(reader: Reader, owed: OutboxDelivery, nowMs: number): Buffer {
  const { run } = owed;
  const omitted: Omitted = {};
  const isAvailable = owed.held || stillExists(reader, owed);
  let left: number = LIMITS.webhookBodyBytesMax;
  /** Adds parts in order of importance, as long as they fit. */
  const fitted = (name: string, empty: string, make: (bytesMax: number) => string | null): string => {
    const json = isAvailable ? make(left) : null;
    if (json !== null) left -= Buffer.byteLength(json);
    if (json !== null && left >= 0) return json;
    if (json !== null) left += Buffer.byteLength(json);
    omitted[name] ??= isAvailable ? TOO_LARGE : DELETED;
    return empty;
  };
  const metadata = fitted('metadata', '{}', (bytesMax) =>
    run.metadata.byteLength > bytesMax ? null : asText(run.metadata),
  );
  const values = fitted('values', '', (bytesMax) => valuesOf(reader, owed, bytesMax, omitted));
  const kwargs = fitted('kwargs', '{}', (bytesMax) => kwargsOf(reader, owed, bytesMax));

  const members = runMembers({ ...run, metadata: Buffer.from(metadata) }, kwargs);
  const add = (name: string, value: unknown): void => {
    members.push([name, JSON.stringify(value)]);
  };
  add('run_started_at', owed.startedAtMs === null ? null : isoTime(owed.startedAtMs));
  add('run_ended_at', isoTime(owed.endedAtMs));
  add('webhook_sent_at', isoTime(nowMs));
  if (values !== '') members.push(['values', values]);
  // An interrupted run has a reason but no error.
  if (run.error !== null && run.status !== 'interrupted') {
    const { name, message } = boundedError(run.error);
    add('error', { error: name, message });
  }
  if (Object.keys(omitted).length > 0) add('omitted', omitted);
  return Buffer.from(objectJson(members));
}

/** A deleted run is not sent either. */
function stillExists(reader: Reader, { runId, threadId, uid }: OutboxDelivery): boolean {
  return (
    reader.has(keys.run(runId)) && new Threads(reader, new ThreadMoves()).get(SERVER_CALLER, threadId)?.uid === uid
  );
}

/** Null when the values are too large or the checkpoint was deleted. */
function valuesOf(
  reader: Reader,
  { threadId, uid, checkpointId }: OutboxDelivery,
  bytesMax: number,
  omitted: Omitted,
): string | null {
  if (checkpointId === null) return '{}';
  const checkpoints = new Checkpoints(reader);
  const thread = { uid, threadId };
  const record = checkpoints.get(SERVER_CALLER, thread, '', checkpointId);
  if (record === undefined) {
    omitted['values'] = 'the checkpoint was removed before this was sent';
    return null;
  }
  let left = bytesMax;
  try {
    return valuesJson(unpackBody(record.body), checkpoints.viewOf(thread, record), (hash) => {
      const content = checkpoints.requireContent(SERVER_CALLER, thread, hash);
      left -= content.byteLength;
      if (left < 0) throw new TooLargeError();
      return content;
    });
  } catch (error) {
    if (error instanceof TooLargeError) return null;
    throw error;
  }
}

/** Stops the assembly as soon as the limit is exceeded, so that large content is never joined first. */
class TooLargeError extends Error {}

function kwargsOf(reader: Reader, { runId, run }: OutboxDelivery, bytesMax: number): string | null {
  const bytes = reader.get(keys.runKwargs(runId));
  return bytes === undefined || bytes.byteLength > bytesMax ? null : JSON.stringify(readKwargs(bytes, run));
}
