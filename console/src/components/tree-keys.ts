import type { KeyboardEvent } from 'react';

/** The set without the member, or with it if it was not there. */
export function toggled<T>(before: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const after = new Set(before);
  if (!after.delete(member)) after.add(member);
  return after;
}

/** Calls what belongs to the key. Shortcuts of the browser are left alone. */
export function handleKey(event: KeyboardEvent, moves: Readonly<Record<string, () => void>>): void {
  const move = moves[event.key];
  if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  move();
}
