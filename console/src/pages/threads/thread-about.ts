import { roleOf } from '../../shared/message-parts.js';
import type { ThreadRow } from './thread-search.js';

/** What a thread is about: its title, or what was said first; null when it says nothing. */
export function aboutOf({ extracted }: ThreadRow): string | null {
  return textOf(extracted.title) ?? textOf(extracted.first) ?? textOf(extracted.firstBlock);
}

/** What was said last, with who said it; null when that is all there is. */
export function lastOf(row: ThreadRow): { role: string; text: string } | null {
  const { last, lastBlock, lastType } = row.extracted;
  const text = textOf(last) ?? textOf(lastBlock);
  return text === null || text === aboutOf(row) ? null : { role: roleOf({ type: String(lastType ?? '') }), text };
}

/** Whether somebody is asked something there. A thread whose run was cancelled is interrupted too, and asks nothing. */
export function waits({ status, extracted: { interrupts } }: ThreadRow): boolean {
  // Null: what is asked is too long for a list.
  return (
    status === 'interrupted' &&
    (interrupts === null || (typeof interrupts === 'object' && Object.keys(interrupts).length > 0))
  );
}

export function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}
