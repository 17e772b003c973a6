import type { Caller } from '../../domain/caller.js';
import { parseJson } from '../../base/json/json.js';
import type { Steps } from '../../base/steps.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import { unpackBody, type Ref } from '../../wire/runs/state.js';
import type { Needs } from '../context.js';

interface CountAndBytes {
  count: number;
  bytes: number;
}

/**
 * Format of GET /threads/{id}/storage (agent-server.md, 5). The channels of pending writes are an extension.
 * Content shared by several checkpoints or channels counts once, for the newest state.
 */
export interface ThreadStorage {
  thread_id: string;
  total_bytes: number;
  checkpoints: CountAndBytes;
  channel_values: CountAndBytes & { by_channel: Record<string, { versions: number; bytes: number }> };
  pending_writes: CountAndBytes & { by_channel: Record<string, CountAndBytes> };
}

/** Measures the stored bytes of a thread, without its runs and their events. Yields to other work. */
export function threadStorage(
  services: Needs<'stores' | 'timeSlicer'>,
  caller: Caller,
  thread: ThreadRecord,
): Promise<ThreadStorage> {
  return services.timeSlicer.run(measure(services, caller, thread), () => false);
}

function* measure(
  { stores: { checkpoints } }: Needs<'stores'>,
  caller: Caller,
  thread: ThreadRecord,
): Steps<ThreadStorage> {
  const seen = new Set<string>();
  function* contentBytes(ref: Ref): Steps<number> {
    let bytes = inlineBytes(ref);
    for (const [, content] of checkpoints.reachableContent(caller, thread, [ref], seen)) {
      bytes += content.byteLength;
      yield;
    }
    return bytes;
  }

  const rows: CountAndBytes = { count: 0, bytes: 0 };
  const values = new Map<string, { versions: Set<string>; bytes: number }>();
  const writes = new Map<string, CountAndBytes>();
  for (const ns of checkpoints.namespaces(caller, thread)) {
    for (const record of checkpoints.listDuringRemoval(caller, thread, ns)) {
      const body = unpackBody(record.body);
      rows.count += 1;
      rows.bytes += record.body.byteLength + checkpoints.viewSize(thread, record) + (yield* contentBytes(body.base));
      const versions = parseJson(body.versions) as Record<string, unknown>;
      for (const [name, ref] of body.channels) {
        const channel = values.get(name) ?? { versions: new Set(), bytes: 0 };
        values.set(name, channel);
        channel.versions.add(`${ns}\u0000${String(versions[name])}`);
        channel.bytes += yield* contentBytes(ref);
      }
      for (const { channel: name, ref } of checkpoints.writes(caller, thread, ns, record.id)) {
        const channel = writes.get(name) ?? { count: 0, bytes: 0 };
        writes.set(name, channel);
        channel.count += 1;
        channel.bytes += yield* contentBytes(ref);
      }
      yield;
    }
  }
  const channels = [...values].map(
    ([name, { versions, bytes }]) => [name, { versions: versions.size, bytes }] as const,
  );
  const valueTotals = {
    count: sum(channels.map(([, { versions }]) => versions)),
    bytes: sum(channels.map(([, { bytes }]) => bytes)),
  };
  const writeTotals = {
    count: sum([...writes.values()].map(({ count }) => count)),
    bytes: sum([...writes.values()].map(({ bytes }) => bytes)),
  };
  return {
    thread_id: thread.threadId,
    total_bytes: rows.bytes + valueTotals.bytes + writeTotals.bytes,
    checkpoints: rows,
    channel_values: { ...valueTotals, by_channel: Object.fromEntries(channels) },
    pending_writes: { ...writeTotals, by_channel: Object.fromEntries(writes) },
  };
}

/** Bytes stored inside the reference itself. */
function inlineBytes(ref: Ref): number {
  switch (ref[0]) {
    case 0:
      return ref[1][1].byteLength + (ref[1][2]?.byteLength ?? 0);
    case 3:
      return sum(ref[1].map(([, field]) => inlineBytes(field)));
    default:
      return 0;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
