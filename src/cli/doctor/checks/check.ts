/** What one look found. */
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  found: string;
  /** What to do about it; null when nothing is. */
  advice: string | null;
}

export const ok = (name: string, found: string): Check => ({ name, status: 'ok', found, advice: null });
export const warning = (name: string, found: string, advice: string): Check => ({
  name,
  status: 'warning',
  found,
  advice,
});
export const failed = (name: string, found: string, advice: string): Check => ({
  name,
  status: 'failed',
  found,
  advice,
});

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
