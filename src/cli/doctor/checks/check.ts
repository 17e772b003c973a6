/** Result of one check. Printed as it is with --json. */
export interface CheckResult {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  found: string;
  /** What to do about the problem; null if there is none. */
  advice: string | null;
}

export const ok = (name: string, found: string): CheckResult => ({ name, status: 'ok', found, advice: null });
export const warning = (name: string, found: string, advice: string): CheckResult => ({
  name,
  status: 'warning',
  found,
  advice,
});
export const failed = (name: string, found: string, advice: string): CheckResult => ({
  name,
  status: 'failed',
  found,
  advice,
});

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
