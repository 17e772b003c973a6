import { useEffect, useRef, useState } from 'react';
import { pluralize } from './format.js';
import { showToast } from './toast.js';

interface DropTarget {
  isInDialog: boolean;
  setOver: (isOver: boolean) => void;
  onFile: (file: File) => void;
}

/** Targets that are mounted. The last one gets the file, so that a dialog goes before its page. */
const targets: DropTarget[] = [];

/**
 * Takes a file that is dropped anywhere in the window. Returns whether one is dragged over it now. A page takes none
 * while a dialog is open; `isInDialog`: this is the dialog. Of several files it takes the first, and says so.
 */
export function useFileDrop(onFile: (file: File) => void, { isInDialog = false } = {}): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    const target: DropTarget = { isInDialog, setOver, onFile: (file) => latest.current(file) };
    if (targets.length === 0) for (const type of EVENTS) window.addEventListener(type, onDrag);
    targets.push(target);
    return () => {
      targets.splice(targets.indexOf(target), 1);
      if (targets.length === 0) for (const type of EVENTS) window.removeEventListener(type, onDrag);
    };
  }, [isInDialog]);
  return isOver;
}

const EVENTS = ['dragenter', 'dragover', 'dragleave', 'drop'] as const;

function onDrag(event: DragEvent): void {
  const { dataTransfer, type } = event;
  if (dataTransfer === null || !dataTransfer.types.includes('Files')) return;
  // Without this the browser leaves the page and opens the file.
  event.preventDefault();
  const target = activeTarget();
  if (target === null) {
    dataTransfer.dropEffect = 'none';
    return;
  }
  // Leaving the window has no related target. Between two elements the pointer is still inside.
  if (type === 'drop' || (type === 'dragleave' && event.relatedTarget === null)) target.setOver(false);
  else target.setOver(true);
  if (type !== 'drop') return;
  const [file, ...others] = dataTransfer.files;
  if (file === undefined) return;
  if (others.length > 0)
    showToast(
      `One file at a time: ${file.name} is used, ${pluralize(others.length, 'other file is', 'other files are')} not.`,
    );
  target.onFile(file);
}

function activeTarget(): DropTarget | null {
  const target = targets.at(-1)!;
  return target.isInDialog || document.querySelector('[role="dialog"], [role="alertdialog"]') === null ? target : null;
}
