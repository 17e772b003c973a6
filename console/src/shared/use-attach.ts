import { useRef, useState } from 'react';
import { contentFile, fileBytes } from '../schema/content-files.js';
import { readFiles } from '../schema/read-files.js';
import { useInfo } from './use-info.js';

/** The default of the server, until it has answered. */
const BODY_BYTES_MAX = 32 * 1_024 * 1_024;

export interface Attach {
  /** Reads files and adds those that can be sent. */
  add: (files: readonly File[]) => void;
  isReading: boolean;
  /** Why some files were not added. */
  error: unknown;
  clearError: () => void;
}

/** Adds files to the message that is being written. `files`: the content blocks that it has. */
export function useAttach(files: readonly unknown[], onAdd: (blocks: readonly unknown[]) => void): Attach {
  const bodyBytesMax = useInfo()?.metadata.body_bytes_max ?? BODY_BYTES_MAX;
  const [readingCount, setReadingCount] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const latest = useRef({ files, onAdd, bodyBytesMax });
  latest.current = { files, onAdd, bodyBytesMax };
  // One after the other: the second choice may only use what the first one has left.
  const lastRead = useRef<Promise<void>>(Promise.resolve());
  const read = async (chosen: readonly File[]): Promise<void> => {
    const { files: before, bodyBytesMax: bytesMax } = latest.current;
    try {
      const { blocks, error: refused } = await readFiles(chosen, { bodyBytesMax: bytesMax, attached: bytesOf(before) });
      if (blocks.length > 0) latest.current.onAdd(blocks);
      setError(refused);
    } catch (failure) {
      setError(failure);
    }
    setReadingCount((count) => count - 1);
  };
  return {
    add: (chosen) => {
      if (chosen.length === 0) return;
      setReadingCount((count) => count + 1);
      lastRead.current = lastRead.current.then(() => read(chosen));
    },
    isReading: readingCount > 0,
    error,
    clearError: () => setError(null),
  };
}

function bytesOf(blocks: readonly unknown[]): number {
  return blocks.reduce<number>((total, block) => {
    const file = contentFile(block);
    return total + (file === null ? 0 : (fileBytes(file) ?? 0));
  }, 0);
}
