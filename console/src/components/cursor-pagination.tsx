import { useState } from 'react';
import { Button } from './button.js';
import { pluralize } from './format.js';
import styles from './cursor-pagination.module.css';

export interface CursorPages {
  /** Of the page that is open; null for the first one. */
  cursor: string | null;
  /** 1 for the first page. */
  number: number;
  toPrevious(): void;
  toNext(cursor: string): void;
}

/**
 * Cursors only lead forward, so the previous ones are kept for the way back. `list`: the filters of the list as text.
 * A list with other filters begins with its first page.
 */
export function useCursorPages(list: string): CursorPages {
  const [visited, setVisited] = useState<{ list: string; cursors: readonly string[] }>({ list, cursors: [] });
  const cursors = visited.list === list ? visited.cursors : [];
  const visit = (next: readonly string[]): void => setVisited({ list, cursors: next });
  return {
    cursor: cursors.at(-1) ?? null,
    number: cursors.length + 1,
    toPrevious: () => visit(cursors.slice(0, -1)),
    toNext: (cursor) => visit([...cursors, cursor]),
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
