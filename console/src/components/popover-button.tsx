import type { ReactNode } from 'react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Button } from './button.js';
import styles from './popover-button.module.css';

/** A button that opens a small panel of controls beneath it. `label` names the panel. */
export function PopoverButton({ label, button, children }: { label: string; button: ReactNode; children: ReactNode }) {
  return (
    <DialogTrigger>
      <Button small>{button}</Button>
      <Popover placement="bottom end" className={styles['popover']!}>
        <Dialog aria-label={label} className={styles['dialog']!}>
          {children}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
