/** Where a run can begin again: the newest checkpoint that does not have a message yet. */
import { messagesOf } from './conversation.js';

export interface CheckpointLink {
  id: string;
  parentId: string | null;
}

/** Reads of the checkpoints of a thread. */
export interface CheckpointReader {
  /** Checkpoints before another one, newest first. Null: the newest ones. */
  page(before: string | null): Promise<{ checkpoints: readonly CheckpointLink[]; hasMore: boolean }>;
  /** Values of the state at a checkpoint. */
  values(id: string): Promise<unknown>;
}

/**
 * Finds the checkpoint from which a run writes a message again. `key`: key of the message in the conversation. Forks
 * are left out: only the checkpoints that lead to the newest state count.
 */
export async function findForkPoint(reader: CheckpointReader, key: string): Promise<string> {
  const lineage: string[] = [];
  let nextId: string | null = null;
  let before: string | null = null;
  // All before this place have the message.
  let known = 0;
  const contains = async (at: number): Promise<boolean> => containsMessage(await reader.values(lineage[at]!), key);
  for (;;) {
    const { checkpoints, hasMore } = await reader.page(before);
    for (const { id, parentId } of checkpoints) {
      if (nextId !== null && id !== nextId) continue;
      lineage.push(id);
      nextId = parentId;
      if (parentId === null) break;
    }
    if (lineage.length === 0) break;
    if (known === 0 && !(await contains(0)))
      throw new Error('The newest state of this thread does not have this message. Open the newest run of the thread.');
    const found = await firstWithout(lineage.length, Math.max(1, known), contains);
    if (found !== null) return lineage[found]!;
    known = lineage.length;
    before = checkpoints.at(-1)?.id ?? null;
    if (!hasMore || nextId === null || before === null) break;
  }
  throw new Error('This thread has no checkpoint before this message.');
}

/**
 * The first place from `from` on whose checkpoint lacks the message; null if there is none. Messages near the end are
 * edited most, so that the steps become longer with the distance.
 */
async function firstWithout(
  count: number,
  from: number,
  contains: (at: number) => Promise<boolean>,
): Promise<number | null> {
  let low = from - 1;
  let high = from;
  for (let step = 1; ; step *= 2) {
    high = Math.min(low + step, count - 1);
    if (high <= low) return null;
    if (!(await contains(high))) break;
    low = high;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await contains(middle)) low = middle;
    else high = middle;
  }
  return high;
}

function containsMessage(values: unknown, key: string): boolean {
  const messages = messagesOf(values) ?? [];
  return key.startsWith('#') ? messages.length > Number(key.slice(1)) : messages.some(({ id }) => id === key);
}
