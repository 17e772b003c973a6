import { messageRole } from './message-parts.js';
import type { ThreadRow } from './thread-search.js';

/** Title of a thread: its `title` metadata, or else the first message; null without both. */
export function threadTitle({ extracted }: ThreadRow): string | null {
  return trimmedText(extracted.title) ?? trimmedText(extracted.first) ?? trimmedText(extracted.firstBlock);
}

/** The last message with its role; null if there is none or it is already the title. */
export function lastMessage(row: ThreadRow): { role: string; text: string } | null {
  const { last, lastBlock, lastType } = row.extracted;
  const text = trimmedText(last) ?? trimmedText(lastBlock);
  return text === null || text === threadTitle(row)
    ? null
    : { role: messageRole({ type: String(lastType ?? '') }), text };
}

/** Whether the thread has open interrupts. A thread with a cancelled run is interrupted too, but without interrupts. */
export function isWaitingForInput({ status, extracted: { interrupts } }: ThreadRow): boolean {
  // Null: the interrupts are too long to be extracted.
  return (
    status === 'interrupted' &&
    (interrupts === null || (typeof interrupts === 'object' && Object.keys(interrupts).length > 0))
  );
}

/** The one status to show for a thread: "Interrupted" would contradict "Waiting for input", or repeat it. */
export function threadStatus(row: ThreadRow): string {
  return isWaitingForInput(row) ? 'waiting' : row.status;
}

/** The status to show for the newest run of a thread, which has succeeded in the API when it has asked a question. */
export function newestRunStatus(status: string, thread: ThreadRow): string {
  return status === 'success' && isWaitingForInput(thread) ? 'waiting' : status;
}

export function nonEmptyString(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function trimmedText(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}
