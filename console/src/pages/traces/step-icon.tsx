import { Bot, Circle, Search, Workflow, Wrench, type LucideIcon } from 'lucide-react';
import type { Run } from '../../api/evaluation.js';
import { hasFailed } from './trace-tree.js';
import styles from './traces.module.css';

const ICONS: Readonly<Record<string, LucideIcon>> = { llm: Bot, tool: Wrench, retriever: Search };

/** The class with the color of a step's type. */
export function stepKind(run: Run): string {
  return (hasFailed(run) ? styles['failed'] : styles[run.run_type]) ?? '';
}

export function StepIcon({ run }: { run: Run }) {
  const Icon = ICONS[run.run_type] ?? (run.parent_run_id === null ? Workflow : Circle);
  return <Icon size={14} aria-hidden className={`${styles['icon']} ${stepKind(run)}`} />;
}
