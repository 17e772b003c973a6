import type { Caller } from '../base/caller.js';
import type { ThreadRecord } from '../store/threads.js';
import { unpackBody, type Ref } from '../wire/state.js';
import type { Services } from './context.js';

interface Counted {
  count: number;
  bytes: number;
}

/** As GET /threads/{id}/storage shows it (agent-server.md, 5). Content that several checkpoints share counts once. */
export interface ThreadStorage {
  thread_id: string;
  total_bytes: number;
  checkpoints: Counted;
  channel_values: Counted & { by_channel: Record<string, { versions: number; bytes: number }> };
  pending_writes: Counted;
}

/** Checkpoints looked at before others have their turn. */
const TURN = 50;

/** Adds up what a thread has in the store, its runs and their events left out. */
export async function threadStorage({ nouns }: Services, caller: Caller, thread: ThreadRecord): Promise<ThreadStorage> {
  const { checkpoints } = nouns;
  const seen = new Set<string>();
  const contentBytes = (ref: Ref): number => {
    let bytes = ref[0] === 0 ? ref[1][1].byteLength + (ref[1][2]?.byteLength ?? 0) : 0;
    for (const [, content] of checkpoints.reachable(caller, thread, [ref], seen)) bytes += content.byteLength;
    return bytes;
  };

  const rows: Counted = { count: 0, bytes: 0 };
  const writes: Counted = { count: 0, bytes: 0 };
  const byChannel = new Map<string, { versions: Set<string>; bytes: number }>();
  for (const ns of checkpoints.namespaces(caller, thread)) {
    let before: string | null = null;
    for (;;) {
      const page = [];
      for (const record of checkpoints.list(caller, thread, ns, before)) if (page.push(record) >= TURN) break;
      for (const record of page) {
        before = record.id;
        const body = unpackBody(record.body);
        rows.count += 1;
        rows.bytes += record.body.byteLength + checkpoints.viewBytes(caller, thread, ns, record.id) + contentBytes(body.base);
        const versions = JSON.parse(Buffer.from(body.versions).toString()) as Record<string, unknown>;
        for (const [name, ref] of body.channels) {
          const channel = byChannel.get(name) ?? { versions: new Set(), bytes: 0 };
          byChannel.set(name, channel);
          channel.versions.add(`${ns}\u0000${String(versions[name])}`);
          channel.bytes += contentBytes(ref);
        }
        for (const write of checkpoints.writes(caller, thread, ns, record.id)) {
          writes.count += 1;
          writes.bytes += contentBytes(write.ref);
        }
      }
      if (page.length < TURN) break;
      await new Promise((resolve) => { setImmediate(resolve); });
    }
  }
  const channels = [...byChannel].map(([name, { versions, bytes }]) => [name, { versions: versions.size, bytes }] as const);
  const values = { count: channels.reduce((sum, [, one]) => sum + one.versions, 0), bytes: channels.reduce((sum, [, one]) => sum + one.bytes, 0) };
  return {
    thread_id: thread.threadId,
    total_bytes: rows.bytes + values.bytes + writes.bytes,
    checkpoints: rows,
    channel_values: { ...values, by_channel: Object.fromEntries(channels) },
    pending_writes: writes,
  };
}
