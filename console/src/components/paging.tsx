import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from './button.js';
import { count } from './format.js';
import styles from './paging.module.css';

/** Where a page of a list that the server cuts stands, and the ways to its neighbours where there are some. `shown`: rows of this page; `total`: of all pages, where it is known. */
export function Paging({
  what,
  offset,
  size,
  shown,
  hasMore,
  total,
  onOffset,
}: {
  what: string;
  offset: number;
  size: number;
  shown: number;
  hasMore: boolean;
  total?: number | undefined;
  onOffset: (offset: number) => void;
}) {
  const alone = offset === 0 && !hasMore;
  // The list itself says that it is empty, and shows all where there is nothing else.
  if (alone && (shown === 0 || total === undefined)) return null;
  return (
    <nav aria-label={`Pages of ${what}`} className={styles['paging']}>
      <span className="soft numbers" role="status">
        {shown === 0
          ? `No ${what} here`
          : `${count(offset + 1)} to ${count(offset + shown)}${total === undefined ? '' : ` of ${count(total)}`}`}
      </span>
      {alone ? null : (
        <>
          <Button small isDisabled={offset === 0} onPress={() => onOffset(Math.max(0, offset - size))}>
            <ChevronLeft size={14} aria-hidden />
            Previous
          </Button>
          <Button small isDisabled={!hasMore} onPress={() => onOffset(offset + size)}>
            Next
            <ChevronRight size={14} aria-hidden />
          </Button>
        </>
      )}
    </nav>
  );
}
