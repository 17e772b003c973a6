import { X } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../components/button.js';
import { FileChip } from '../components/file-chip.js';
import { formatBytes } from '../components/format.js';
import { contentFile, fileBytes, fileName, imageSource } from './content-files.js';
import styles from './attached-files.module.css';

/** The files of a message that is being written. `files`: content blocks. */
export function AttachedFiles({
  files,
  onChange,
}: {
  files: readonly unknown[];
  onChange: (files: readonly unknown[]) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  if (files.length === 0) return null;
  const remove = (at: number): void => {
    const field = list.current?.parentElement?.querySelector('textarea');
    onChange(files.filter((_, place) => place !== at));
    // The focus goes on to the next file, and at last to the text.
    setTimeout(() => {
      const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
      (buttons[at] ?? buttons.at(-1) ?? field)?.focus();
    });
  };
  return (
    <ul ref={list} className={styles['list']} aria-label="Attached files">
      {files.map((block, at) => {
        const file = contentFile(block)!;
        const bytes = fileBytes(file);
        return (
          <li key={at}>
            <FileChip
              kind={file.kind}
              name={fileName(file)}
              image={imageSource(file)}
              detail={bytes === null ? (file.url ?? '') : formatBytes(bytes)}
            >
              <IconButton small label={`Remove ${fileName(file)}`} onPress={() => remove(at)}>
                <X size={14} aria-hidden />
              </IconButton>
            </FileChip>
          </li>
        );
      })}
    </ul>
  );
}
