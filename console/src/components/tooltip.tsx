import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';
import type { ReactElement } from 'react';
import styles from './tooltip.module.css';

/** A short text next to the focused or hovered element. It must not be the only source of its information. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <TooltipTrigger delay={500}>
      {children}
      <AriaTooltip offset={6} className={styles['tooltip']!}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
