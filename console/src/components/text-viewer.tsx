import { useState } from 'react';
import { saveFile } from '../api/http.js';
import { Button } from './button.js';
import { CopyButton } from './copy.js';
import { Dialog, DialogActions } from './dialog.js';
import { formatBytes } from './format.js';
import styles from './text-viewer.module.css';

/** Characters that a browser lays out without a noticeable delay. */
const CHARS_STEP = 200_000;

/** A dialog for a text of any length, shown in steps and downloadable. Null text: closed. */
export function TextViewer({ title, text, onClose }: { title: string; text: string | null; onClose: () => void }) {
  const [shown, setShown] = useState(CHARS_STEP);
  if (text === null) return null;
  const close = (): void => {
    setShown(CHARS_STEP);
    onClose();
  };
  return (
    <Dialog title={title} isOpen size="wide" onClose={close}>
      <pre className={styles['text']} dir="auto" tabIndex={0}>
        {text.slice(0, shown)}
      </pre>
      <DialogActions>
        <span className="soft">{formatBytes(new Blob([text]).size)}</span>
        {shown < text.length ? <Button onPress={() => setShown(shown + CHARS_STEP)}>Show more</Button> : null}
        <Button onPress={() => saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), 'text.txt')}>
          Save as file
        </Button>
        <CopyButton named text={text} />
      </DialogActions>
    </Dialog>
  );
}
