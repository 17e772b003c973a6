import { Paperclip } from 'lucide-react';
import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import styles from './file-area.module.css';

/** A conversation and what is below it. Takes files that are dropped on it or pasted into it. */
export function FileArea({
  className,
  label,
  onFiles,
  children,
}: {
  className: string;
  label: string;
  /** Null while no message is being written. */
  onFiles: ((files: readonly File[]) => void) | null;
  children: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  // Elements inside send events of their own: each is entered before the one around it is left.
  const depth = useRef(0);
  const hasFiles = (event: DragEvent): boolean => onFiles !== null && event.dataTransfer.types.includes('Files');
  const leave = (): void => {
    depth.current = 0;
    setOver(false);
  };
  return (
    <section
      className={`${styles['area']} ${className}`}
      aria-label={label}
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current += 1;
        setOver(true);
      }}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }}
      onDragLeave={(event) => {
        if (!hasFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) leave();
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        leave();
        onFiles?.([...event.dataTransfer.files]);
      }}
      onPaste={(event) => {
        const { files, types } = event.clipboardData;
        // Office programs copy text together with a picture of it.
        if (onFiles === null || files.length === 0 || types.includes('text/plain')) return;
        event.preventDefault();
        onFiles([...files]);
      }}
    >
      {children}
      {isOver && onFiles !== null ? (
        <div className={styles['drop']}>
          <Paperclip size={20} aria-hidden />
          Drop files to attach them to your message
        </div>
      ) : null}
    </section>
  );
}
