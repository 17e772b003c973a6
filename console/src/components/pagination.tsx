import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from './button.js';
import { formatCount } from './format.js';
import styles from './pagination.module.css';

/** Position and buttons of a paged list. `shown`: rows on this page. `total`: rows on all pages, if known. */
export function Pagination({
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
  const isOnlyPage = offset === 0 && !hasMore;
  // An empty list shows its own text. A single page without a total needs no position.
  if (isOnlyPage && (shown === 0 || total === undefined)) return null;
  return (
    <nav aria-label={`Pages of ${what}`} className={styles['paging']}>
      <span className="soft numbers" role="status">
        {shown === 0
          ? `No ${what} on this page`
          : `${formatCount(offset + 1)} to ${formatCount(offset + shown)}${total === undefined ? '' : ` of ${formatCount(total)}`}`}
      </span>
      {isOnlyPage ? null : (
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
