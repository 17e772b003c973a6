import { useState } from 'react';

export interface AsyncAction {
  /** Error of the last attempt, or null. */
  error: unknown;
  isPending: boolean;
  /** Runs the action. An error is stored in `error` and not rethrown. */
  execute(work: () => Promise<unknown>): Promise<void>;
  /** Clears the error. */
  clearError(): void;
}

/** State of an asynchronous action that a button starts. */
export function useAsyncAction(): AsyncAction {
  const [error, setError] = useState<unknown>(null);
  const [isPending, setPending] = useState(false);
  return {
    error,
    isPending,
    clearError: () => setError(null),
    async execute(work) {
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
