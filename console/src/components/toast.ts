/** Said once, for a moment: that something is done. What goes wrong stands where it happened. */
const listeners = new Set<(text: string) => void>();

export function say(text: string): void {
  for (const listener of listeners) listener(text);
}

export function onSaid(listener: (text: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
