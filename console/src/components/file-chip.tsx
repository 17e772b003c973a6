import { File, FileAudio, FileImage, FileText, FileVideo } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './file-chip.module.css';

const ICONS = { image: FileImage, audio: FileAudio, video: FileVideo, text: FileText, file: File };

/** A file in one line: its picture or icon, its name, more about it, and buttons. */
export function FileChip({
  kind,
  name,
  detail,
  image = null,
  children,
}: {
  kind: keyof typeof ICONS;
  name: ReactNode;
  detail: string;
  /** Address of a small picture of the file. */
  image?: string | null;
  /** Buttons. */
  children?: ReactNode;
}) {
  const Icon = ICONS[kind];
  return (
    <div className={styles['chip']}>
      {image === null ? (
        <span className={styles['icon']}>
          <Icon size={18} aria-hidden />
        </span>
      ) : (
        <img src={image} alt="" className={styles['thumbnail']} />
      )}
      <span className={styles['text']}>
        <span className={styles['name']} dir="auto" title={typeof name === 'string' ? name : undefined}>
          {name}
        </span>
        <span className={styles['detail']}>{detail}</span>
      </span>
      {children === undefined ? null : <span className={styles['buttons']}>{children}</span>}
    </div>
  );
}
