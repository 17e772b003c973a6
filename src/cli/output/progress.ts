import { SingleBar } from 'cli-progress';

export interface ProgressBar {
  /** Sets the finished part of the total, and the second number. */
  update(done: number, counted?: number): void;
  setTotal(total: number): void;
  stop(): void;
}

/**
 * Shows a progress bar on stderr, or nothing if stderr is not a terminal. `counted` is what the second number counts,
 * such as `records`.
 */
export function createProgressBar(total: number, counted: string): ProgressBar {
  const bar = new SingleBar({
    format: `{bar} {percentage} %  {counted} ${counted}  {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    stopOnComplete: false,
  });
  let most = Math.max(1, total);
  bar.start(most, 0, { counted: 0 });
  return {
    update: (done, counted = 0) => bar.update(Math.min(done, most), { counted }),
    setTotal(next) {
      most = Math.max(1, next);
      bar.setTotal(most);
    },
    stop: () => bar.stop(),
  };
}

/** Shows the number of bytes so far, for work with an unknown total. */
export function createByteCounter(): { update(bytes: number): void; stop(): void } {
  const bar = new SingleBar({ format: '{size}', clearOnComplete: true, stopOnComplete: false });
  bar.start(1, 0, { size: '' });
  return { update: (bytes) => bar.update(0, { size: formatSize(bytes) }), stop: () => bar.stop() };
}

/** A size in binary units: `1.5 MiB`. */
export function formatSize(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return power === 0 ? `${bytes} bytes` : `${(bytes / 1_024 ** power).toFixed(1)} ${units[power]!}`;
}
