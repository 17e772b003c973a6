import { SingleBar } from 'cli-progress';

export interface Progress {
  /** `done` of the total, and how many of what is counted. */
  update(done: number, counted?: number): void;
  total(total: number): void;
  stop(): void;
}

/** On stderr, and silent when that is no terminal. `counted` says what the second number counts: `records`. */
export function progress(total: number, counted: string): Progress {
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
    total(next) {
      most = Math.max(1, next);
      bar.setTotal(most);
    },
    stop: () => bar.stop(),
  };
}

/** The same for what has no end that is known: bytes so far. */
export function byteCount(): { update(bytes: number): void; stop(): void } {
  const bar = new SingleBar({ format: '{size}', clearOnComplete: true, stopOnComplete: false });
  bar.start(1, 0, { size: '' });
  return { update: (bytes) => bar.update(0, { size: sizeText(bytes) }), stop: () => bar.stop() };
}

/** `1.5 MiB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return power === 0 ? `${bytes} bytes` : `${(bytes / 1_024 ** power).toFixed(1)} ${units[power]!}`;
}
