import {
  Button as AriaButton,
  ToggleButton as AriaToggle,
  type ButtonProps as AriaButtonProps,
  type ToggleButtonProps,
} from 'react-aria-components';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Hint } from './hint.js';
import styles from './button.module.css';

/** `primary`: what the page is for, one at a time. `danger`: takes something away. `quiet`: beside other things. */
export type ButtonLook = 'primary' | 'plain' | 'danger' | 'quiet';

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  look?: ButtonLook;
  small?: boolean;
  children: ReactNode;
}

export function Button({ look = 'plain', small = false, isPending = false, children, ...rest }: ButtonProps) {
  // Not the kit's own `isPending`: what it announces names elements that are gone when a dialog has closed. It keeps the focus.
  const waits = isPending
    ? { onPress: () => undefined, type: 'button' as const, 'data-pending': true, 'aria-disabled': true as const }
    : {};
  return (
    <AriaButton {...rest} {...waits} className={`${styles['button']} ${styles[look]} ${small ? styles['small'] : ''}`}>
      {children}
      {isPending ? (
        <>
          <span aria-hidden className={styles['pending']} />
          <span className="seen-by-readers-only">, under way</span>
        </>
      ) : null}
    </AriaButton>
  );
}

/** A way to another page that looks like a button. */
export function ButtonLink({
  to,
  look = 'plain',
  small = false,
  children,
}: {
  to: string;
  look?: ButtonLook;
  small?: boolean;
  children: ReactNode;
}) {
  return (
    <Link href={to} className={`${styles['button']} ${styles[look]} ${small ? styles['small'] : ''}`}>
      {children}
    </Link>
  );
}

/** A button of an icon alone: `label` is what readers hear and what is shown on hover. */
export function IconButton({ label, small = false, look = 'quiet', ...rest }: ButtonProps & { label: string }) {
  return (
    <Hint text={label}>
      <AriaButton
        {...rest}
        aria-label={label}
        className={`${styles['button']} ${styles[look]} ${styles['icon']} ${small ? styles['small'] : ''}`}
      />
    </Hint>
  );
}

export function Toggle({
  children,
  ...rest
}: Omit<ToggleButtonProps, 'children' | 'className' | 'style'> & { children: ReactNode }) {
  return (
    <AriaToggle {...rest} className={`${styles['button']} ${styles['plain']} ${styles['toggle']} ${styles['small']}`}>
      {children}
    </AriaToggle>
  );
}
