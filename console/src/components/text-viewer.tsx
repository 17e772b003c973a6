import { useState } from 'react';
import { saveFile } from '../api/http.js';
import { Button } from './button.js';
import { CopyButton } from './copy.js';
import { Dialog, DialogActions } from './dialog.js';
import { bytes } from './format.js';
import styles from './text-viewer.module.css';

/** Characters that a browser lays out without stopping. */
const SHOWN = 200_000;

/** A text of any length, whole: what is too much for a page is saved as a file. Null: closed. */
export function TextViewer({ title, text, onClose }: { title: string; text: string | null; onClose: () => void }) {
  const [shown, setShown] = useState(SHOWN);
  if (text === null) return null;
  const close = (): void => {
    setShown(SHOWN);
    onClose();
  };
  return (
    <Dialog title={title} isOpen size="wide" onClose={close}>
      <pre className={styles['text']} dir="auto" tabIndex={0}>
        {text.slice(0, shown)}
      </pre>
      <DialogActions>
        <span className="soft">{bytes(new Blob([text]).size)}</span>
        {shown < text.length ? <Button onPress={() => setShown(shown + SHOWN)}>Show more</Button> : null}
        <Button onPress={() => saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), 'text.txt')}>
          Save as a file
        </Button>
        <CopyButton named text={text} />
      </DialogActions>
    </Dialog>
  );
}
