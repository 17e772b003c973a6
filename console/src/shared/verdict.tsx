import { ArrowDown, ArrowUp, Circle } from 'lucide-react';
import type { Verdict } from '../api/evaluation.js';
import styles from './verdict.module.css';

const VERDICT_NAMES: Readonly<Record<Verdict, string>> = {
  better: 'Better',
  worse: 'Worse',
  not_enough_evidence: 'Not enough evidence',
};
const VERDICT_ICONS = { better: ArrowUp, worse: ArrowDown, not_enough_evidence: Circle } as const;

/** The verdict in words. Insufficient evidence is gray and dashed, because it is neither good nor bad. */
export function VerdictLabel({ verdict }: { verdict: Verdict }) {
  const Icon = VERDICT_ICONS[verdict];
  return (
    <span className={`${styles['verdict']} ${styles[verdict]}`}>
      <Icon size={13} aria-hidden strokeWidth={2.5} />
      {VERDICT_NAMES[verdict]}
    </span>
  );
}
