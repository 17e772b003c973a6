import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton, type ButtonVariant } from './button.js';
import { useAsyncAction } from './async-action.js';
import { ErrorNote } from './note.js';
import styles from './dialog.module.css';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** `sheet`: a panel at the side, for long content. */
  size?: 'small' | 'medium' | 'wide' | 'sheet';
  /** No close button and no Escape: only the dialog's own buttons close it. */
  requiresAnswer?: boolean;
  children: ReactNode;
}

/** A modal dialog that keeps the focus inside. */
export function Dialog({ title, isOpen, onClose, size = 'small', requiresAnswer = false, children }: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={!requiresAnswer}
      isKeyboardDismissDisabled={requiresAnswer}
      className={`${styles['overlay']} ${size === 'sheet' ? styles['side'] : ''}`}
    >
      <Modal className={`${styles['modal']} ${styles[size]}`}>
        <AriaDialog className={styles['dialog']!}>
          <header className={styles['head']}>
            <Heading slot="title" level={2} dir="auto">
              {title}
            </Heading>
            {requiresAnswer ? null : (
              <IconButton label="Close" onPress={onClose}>
                <X size={17} aria-hidden />
              </IconButton>
            )}
          </header>
          <div className={styles['body']}>{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Buttons at the end of a dialog, the confirming one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>;
}

export interface ConfirmDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** One sentence about the effect. */
  children: ReactNode;
  confirmLabel: string;
  /** Label of the button that closes the dialog without doing anything. */
  dismissLabel?: string;
  variant?: ButtonVariant;
  /** The dialog closes when the promise resolves, and shows the error when it rejects. */
  onConfirm: () => Promise<unknown>;
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  isOpen,
  onClose,
  children,
  confirmLabel,
  dismissLabel = 'Cancel',
  variant = 'danger',
  onConfirm,
}: ConfirmDialogProps) {
  const { error, isPending, execute, clearError } = useAsyncAction();
  const close = (): void => {
    clearError();
    onClose();
  };
  const confirm = (): Promise<void> =>
    execute(async () => {
      await onConfirm();
      close();
    });
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <div>{children}</div>
      {error === null ? null : <ErrorNote error={error} />}
      <DialogActions>
        {/* For dangerous actions the focus starts on the other button, so that an extra Enter does nothing. */}
        <Button autoFocus={variant === 'danger'} onPress={close}>
          {dismissLabel}
        </Button>
        <Button variant={variant} isPending={isPending} autoFocus={variant !== 'danger'} onPress={() => void confirm()}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
