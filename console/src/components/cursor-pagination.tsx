import { useCallback, useState } from 'react';
import { Button } from './button.js';
import { pluralize } from './format.js';
import styles from './cursor-pagination.module.css';

export interface CursorPages {
  /** Of the page that is open; null for the first one. */
  cursor: string | null;
  /** 1 for the first page. */
  number: number;
  toFirst(): void;
  toPrevious(): void;
  toNext(cursor: string): void;
}

/** Cursors only lead forward, so the previous ones are kept for the way back. */
export function useCursorPages(): CursorPages {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    cursor: cursors.at(-1) ?? null,
    number: cursors.length + 1,
    toFirst: useCallback(() => setCursors([]), []),
    toPrevious: () => setCursors((before) => before.slice(0, -1)),
    toNext: (cursor) => setCursors((before) => [...before, cursor]),
  };
}

/** Buttons for the previous and the next page. `next`: cursor of the next page, or null. */
export function CursorPagination({
  what,
  shown,
  pages,
  next,
}: {
  /** Singular, for example "run". */
  what: string;
  shown: number;
  pages: CursorPages;
  next: string | null;
}) {
  return (
    <nav aria-label={`Pages of ${what}s`} className={styles['pages']}>
      <span className="soft" role="status">
        {pluralize(shown, what)} on page {pages.number}
      </span>
      <Button small isDisabled={pages.cursor === null} onPress={() => pages.toPrevious()}>
        Previous
      </Button>
      <Button small isDisabled={next === null} onPress={() => pages.toNext(next!)}>
        Next
      </Button>
    </nav>
  );
}
