import { useCallback, useState } from 'react';
import type { FormState } from './schema-form.js';

export interface FormChecks {
  /** The `onState` of the form with this name. */
  onState: (name: string) => (state: FormState) => void;
  /** Whether missing values are shown too. */
  strict: boolean;
  /** Why nothing can be sent; null if everything can. */
  broken: string | null;
  /** What does not match the schemas; empty if everything does. The server makes the final decision. */
  problems: string;
  /** Whether the values can be sent. Of those that do not match, only the second attempt in a row sends them. */
  attempt: () => boolean;
}

/** The states of several generated forms that are submitted together. `skipped`: forms that nothing is sent of. */
export function useFormChecks(skipped: readonly string[]): FormChecks {
  const [states, setStates] = useState<Readonly<Record<string, FormState>>>({});
  const [attempted, setAttempted] = useState<string | null>(null);
  const [handlers] = useState(() => new Map<string, (state: FormState) => void>());
  const onState = useCallback(
    (name: string) => {
      const known = handlers.get(name) ?? ((state) => setStates((before) => ({ ...before, [name]: state })));
      handlers.set(name, known);
      return known;
    },
    [handlers],
  );
  const broken =
    Object.entries(states)
      .filter(([, state]) => state.broken !== null)
      .map(([name, state]) => `${name}: ${state.broken}`)[0] ?? null;
  const problems = Object.entries(states)
    .filter(([name]) => !skipped.includes(name))
    .flatMap(([name, state]) => state.problems.map(({ path, message }) => `${[name, ...path].join(' › ')} ${message}`))
    .join('; ');
  return {
    onState,
    strict: attempted !== null,
    broken: attempted === null ? null : broken,
    problems: attempted === null ? '' : problems,
    attempt: () => {
      const isReady = broken === null && (problems === '' || problems === attempted);
      setAttempted(problems);
      return isReady;
    },
  };
}
