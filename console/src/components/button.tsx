import {
  Button as AriaButton,
  ToggleButton as AriaToggle,
  type ButtonProps as AriaButtonProps,
  type ToggleButtonProps,
} from 'react-aria-components';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useDenial, type Needs } from './needs.js';
import { showToast } from './toast.js';
import { Tooltip } from './tooltip.js';
import styles from './button.module.css';

/** `primary`: the main action, one per page. `danger`: deletes or cancels something. `quiet`: secondary action. */
export type ButtonVariant = 'primary' | 'plain' | 'danger' | 'quiet';

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  variant?: ButtonVariant;
  small?: boolean;
  /** Without these permissions the button is disabled, and a tooltip says which role or scope it needs. */
  needs?: Needs;
  children: ReactNode;
}

/** Not `isDisabled`, because a disabled button cannot have the focus, and then nobody learns why it is disabled. */
function deniedProps(denial: string): AriaButtonProps & { 'data-denied': true } {
  return {
    // There is no tooltip for fingers.
    onPress: ({ pointerType }) => {
      if (pointerType === 'touch') showToast(`${denial}.`);
    },
    type: 'button',
    isDisabled: false,
    'data-denied': true,
    'aria-disabled': true,
  };
}

export function Button({ variant = 'plain', small = false, isPending = false, needs, children, ...rest }: ButtonProps) {
  const denial = useDenial(needs);
  // Not the `isPending` of react-aria: it announces ids of elements that no longer exist once a dialog has closed.
  const pendingProps = isPending
    ? { onPress: () => undefined, type: 'button' as const, 'data-pending': true, 'aria-disabled': true as const }
    : {};
  const button = (
    <AriaButton
      {...rest}
      {...(denial === null ? pendingProps : deniedProps(denial))}
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
  return denial === null ? button : <Tooltip text={denial}>{button}</Tooltip>;
}

/** A link that looks like a button. Without the permissions that it `needs`, it is a disabled button. */
export function ButtonLink({
  to,
  variant = 'plain',
  small = false,
  needs,
  children,
}: {
  to: string;
  variant?: ButtonVariant;
  small?: boolean;
  needs?: Needs;
  children: ReactNode;
}) {
  const denial = useDenial(needs);
  if (denial !== null)
    return (
      <Button variant={variant} small={small} needs={needs!}>
        {children}
      </Button>
    );
  return (
    <Link href={to} className={`${styles['button']} ${styles[variant]} ${small ? styles['small'] : ''}`}>
      {children}
    </Link>
  );
}

/** A button with only an icon. `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  small = false,
  variant = 'quiet',
  needs,
  ...rest
}: ButtonProps & { label: string }) {
  const denial = useDenial(needs);
  return (
    <Tooltip text={denial === null ? label : `${label}. ${denial}`}>
      <AriaButton
        {...rest}
        {...(denial === null ? {} : deniedProps(denial))}
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
