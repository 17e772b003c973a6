import { useState } from 'react';

export interface Doing {
  /** What the last attempt threw; null while nothing has gone wrong. */
  error: unknown;
  pending: boolean;
  /** Does it; what it throws stands in `error` and is thrown no further. */
  attempt(work: () => Promise<unknown>): Promise<void>;
  /** What went wrong does not matter any more. */
  forget(): void;
}

/** Something that a button does: whether it is under way, and what went wrong. */
export function useDoing(): Doing {
  const [error, setError] = useState<unknown>(null);
  const [pending, setPending] = useState(false);
  return {
    error,
    pending,
    forget: () => setError(null),
    async attempt(work) {
      setPending(true);
      setError(null);
      try {
        await work();
      } catch (caught) {
        setError(caught);
      } finally {
        setPending(false);
      }
    },
  };
}
