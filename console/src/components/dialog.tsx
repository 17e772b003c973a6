import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton, type ButtonLook } from './button.js';
import { useDoing } from './doing.js';
import { ErrorNote } from './note.js';
import styles from './dialog.module.css';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** `sheet`: from the side, for much that is read beside the page. */
  size?: 'small' | 'wide' | 'sheet';
  /** The person must answer: no cross, no Escape. */
  must?: boolean;
  children: ReactNode;
}

/** Over the page, with the focus inside until it is closed. */
export function Dialog({ title, isOpen, onClose, size = 'small', must = false, children }: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={!must}
      isKeyboardDismissDisabled={must}
      className={`${styles['overlay']} ${size === 'sheet' ? styles['side'] : ''}`}
    >
      <Modal className={`${styles['modal']} ${styles[size]}`}>
        <AriaDialog className={styles['dialog']!}>
          <header className={styles['head']}>
            <Heading slot="title" level={2} dir="auto">
              {title}
            </Heading>
            {must ? null : (
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

/** Buttons at the foot of a dialog, the one that does it last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>;
}

export interface ConfirmProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** What happens, in a sentence. */
  children: ReactNode;
  verb: string;
  look?: ButtonLook;
  /** Closes when it is done; what it throws is shown. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, isOpen, onClose, children, verb, look = 'danger', onConfirm }: ConfirmProps) {
  const { error, pending, attempt, forget } = useDoing();
  const close = (): void => {
    forget();
    onClose();
  };
  const confirm = (): Promise<void> =>
    attempt(async () => {
      await onConfirm();
      close();
    });
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <div>{children}</div>
      {error === null ? null : <ErrorNote error={error} />}
      <DialogActions>
        {/* What takes something away is not done by one key too many. */}
        <Button autoFocus={look === 'danger'} onPress={close}>
          Leave it
        </Button>
        <Button look={look} isPending={pending} autoFocus={look !== 'danger'} onPress={() => void confirm()}>
          {verb}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
