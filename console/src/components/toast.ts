/** Short confirmations of finished actions. Errors are shown where they happened instead. */
const listeners = new Set<(text: string) => void>();

export function showToast(text: string): void {
  for (const listener of listeners) listener(text);
}

export function onToast(listener: (text: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
