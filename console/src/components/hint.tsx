import { Tooltip, TooltipTrigger } from 'react-aria-components';
import type { ReactElement } from 'react';
import styles from './hint.module.css';

/** A short text beside what has the focus or the pointer. Nothing may be said by it alone. */
export function Hint({ text, children }: { text: string; children: ReactElement }) {
  return (
    <TooltipTrigger delay={500}>
      {children}
      <Tooltip offset={6} className={styles['hint']!}>
        {text}
      </Tooltip>
    </TooltipTrigger>
  );
}
