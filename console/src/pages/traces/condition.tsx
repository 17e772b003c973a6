import { Button } from '../../components/button.js';
import { formatDateTime } from '../../components/format.js';
import { Note } from '../../components/note.js';

/** A condition that a link brings along, for example that of an alert. */
export interface TraceCondition {
  filter: string | null;
  treeFilter: string | null;
  /** Times of the start, ISO 8601. */
  from: string | null;
  to: string | null;
}

export function conditionOf(query: URLSearchParams): TraceCondition {
  return {
    filter: query.get('filter'),
    treeFilter: query.get('tree_filter'),
    from: timeIn(query, 'from'),
    to: timeIn(query, 'to'),
  };
}

export function hasCondition(condition: TraceCondition): boolean {
  return Object.values(condition).some((one) => one !== null);
}

/** Query parameters without a condition. */
export const NO_CONDITION = { filter: null, tree_filter: null, from: null, to: null };

export function bothFilters(one: string | null, other: string | null): string | null {
  return one === null || other === null ? (one ?? other) : `and(${one}, ${other})`;
}

function timeIn(query: URLSearchParams, name: string): string | null {
  const time = query.get(name);
  return time === null || Number.isNaN(Date.parse(time)) ? null : time;
}

export function ConditionNote({
  condition: { filter, treeFilter, from, to },
  onClear,
}: {
  condition: TraceCondition;
  onClear: () => void;
}) {
  return (
    <Note>
      <span className="row">
        <span>
          Only traces
          {from === null ? null : ` from ${formatDateTime(from)}`}
          {to === null ? null : ` to ${formatDateTime(to)}`}
          {filter === null ? null : (
            <>
              {' '}
              that match <code>{filter}</code>
            </>
          )}
          {treeFilter === null ? null : (
            <>
              {' '}
              with a step that matches <code>{treeFilter}</code>
            </>
          )}
        </span>
        <Button small onPress={onClear}>
          Show all
        </Button>
      </span>
    </Note>
  );
}
