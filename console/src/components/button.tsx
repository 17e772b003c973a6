import {
  Button as AriaButton,
  ToggleButton as AriaToggle,
  type ButtonProps as AriaButtonProps,
  type ToggleButtonProps,
} from 'react-aria-components';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Tooltip } from './tooltip.js';
import styles from './button.module.css';

/** `primary`: the main action, one per page. `danger`: deletes or cancels something. `quiet`: secondary action. */
export type ButtonVariant = 'primary' | 'plain' | 'danger' | 'quiet';

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  variant?: ButtonVariant;
  small?: boolean;
  children: ReactNode;
}

export function Button({ variant = 'plain', small = false, isPending = false, children, ...rest }: ButtonProps) {
  // Not the `isPending` of react-aria: it announces ids of elements that no longer exist once a dialog has closed.
  const pendingProps = isPending
    ? { onPress: () => undefined, type: 'button' as const, 'data-pending': true, 'aria-disabled': true as const }
    : {};
  return (
    <AriaButton
      {...rest}
      {...pendingProps}
      className={`${styles['button']} ${styles[variant]} ${small ? styles['small'] : ''}`}
    >
      {children}
      {isPending ? (
        <>
          <span aria-hidden className={styles['pending']} />
          <span className="visually-hidden">, in progress</span>
        </>
      ) : null}
    </AriaButton>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  to,
  variant = 'plain',
  small = false,
  children,
}: {
  to: string;
  variant?: ButtonVariant;
  small?: boolean;
  children: ReactNode;
}) {
  return (
    <Link href={to} className={`${styles['button']} ${styles[variant]} ${small ? styles['small'] : ''}`}>
      {children}
    </Link>
  );
}

/** A button with only an icon. `label` is its accessible name and its tooltip. */
export function IconButton({ label, small = false, variant = 'quiet', ...rest }: ButtonProps & { label: string }) {
  return (
    <Tooltip text={label}>
      <AriaButton
        {...rest}
        aria-label={label}
        className={`${styles['button']} ${styles[variant]} ${styles['icon']} ${small ? styles['small'] : ''}`}
      />
    </Tooltip>
  );
}

export function ToggleButton({
  children,
  ...rest
}: Omit<ToggleButtonProps, 'children' | 'className' | 'style'> & { children: ReactNode }) {
  return (
    <AriaToggle {...rest} className={`${styles['button']} ${styles['plain']} ${styles['toggle']} ${styles['small']}`}>
      {children}
    </AriaToggle>
  );
}
