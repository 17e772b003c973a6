/** A run as far as the page needs it to know what comes next. */
export interface RunSummary {
  run_id: string;
  status: string;
}

export function hasEnded(status: string): boolean {
  return status !== 'pending' && status !== 'running';
}

/**
 * The run to show after another one has ended: the next one that has not ended, or else the newest of `queued`, which
 * may have ended meanwhile. `runs`: newest first.
 */
export function nextRunId(runs: readonly RunSummary[], endedId: string, queued: ReadonlySet<string>): string | null {
  const at = runs.findIndex(({ run_id: id }) => id === endedId);
  const newer = at === -1 ? runs : runs.slice(0, at);
  const next = newer.findLast(({ status }) => !hasEnded(status)) ?? newer.find(({ run_id: id }) => queued.has(id));
  return next?.run_id ?? null;
}
