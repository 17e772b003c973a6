import type { Caller } from '../../domain/caller.js';
import { measureThread, type CountAndBytes } from '../../store/threads/thread-sizes.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';

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
export async function threadStorage(
  { stores, timeSlicer }: Needs<'stores' | 'timeSlicer'>,
  caller: Caller,
  thread: ThreadRecord,
): Promise<ThreadStorage> {
  const { checkpoints, channels, writes } = await timeSlicer.run(
    measureThread(stores.checkpoints, caller, thread),
    () => false,
  );
  const values = {
    count: sum([...channels.values()].map(({ versions }) => versions)),
    bytes: sum([...channels.values()].map(({ bytes }) => bytes)),
  };
  const pending = {
    count: sum([...writes.values()].map(({ count }) => count)),
    bytes: sum([...writes.values()].map(({ bytes }) => bytes)),
  };
  return {
    thread_id: thread.threadId,
    total_bytes: checkpoints.bytes + values.bytes + pending.bytes,
    checkpoints,
    channel_values: { ...values, by_channel: Object.fromEntries(channels) },
    pending_writes: { ...pending, by_channel: Object.fromEntries(writes) },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
