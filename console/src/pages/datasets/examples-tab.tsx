import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { evaluation, type Dataset } from '../../api/evaluation.js';
import { Button } from '../../components/button.js';
import { Checkbox, Select } from '../../components/field.js';
import { formatDateTime } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading, Note } from '../../components/note.js';
import { Toolbar } from '../../components/page.js';
import { Pagination } from '../../components/pagination.js';
import { DebouncedSearchField } from '../../components/debounced-search.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';
import { useSelection } from '../../components/selection-cells.js';
import { DeleteExamples, ExampleActions } from './example-actions.js';
import { ExampleCard } from './example-card.js';
import styles from './examples-tab.module.css';

const PAGE_SIZES = [20, 5, 1];

/** The examples of a dataset, in its latest or an earlier version. */
export function ExamplesTab({ dataset }: { dataset: Dataset }) {
  const client = useQueryClient();
  const [query, change] = useQueryString();
  const text = query.get('text') ?? '';
  const split = query.get('split') ?? '';
  const asOf = query.get('as_of') ?? '';
  const example = query.get('example');
  const offset = queryNumber(query, 'offset');
  const size = PAGE_SIZES.find((one) => one === queryNumber(query, 'size')) ?? PAGE_SIZES[0]!;
  const filter = {
    dataset: dataset.id,
    full_text_contains: text === '' ? null : [text],
    splits: split === '' ? null : [split],
    as_of: asOf === '' ? null : asOf,
    id: example === null ? null : [example],
  };
  const key = ['datasets', 'examples', filter];
  const list = useQuery({
    queryKey: [...key, offset, size],
    queryFn: ({ signal }) =>
      evaluation.examples({ ...filter, select: ['attachment_urls'], offset, limit: size }, signal),
    placeholderData: keepPreviousData,
  });
  const total = useQuery({
    queryKey: [...key, 'count'],
    queryFn: ({ signal }) => evaluation.countExamples(filter, signal),
    placeholderData: keepPreviousData,
  });
  const versions = useQuery({
    queryKey: ['datasets', 'versions', dataset.id, dataset.modified_at],
    queryFn: ({ signal }) => evaluation.versions(dataset.id, signal),
  });
  const splits = useQuery({
    queryKey: ['datasets', 'splits', dataset.id, dataset.modified_at],
    queryFn: ({ signal }) => evaluation.splits(dataset.id, signal),
  });
  const onText = useCallback((next: string) => change({ text: next, offset: null }), [change]);
  const { selected, select, clear } = useSelection();
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const ids = (list.data ?? []).map(({ id }) => id);
  const failed = [list, total, versions, splits].find(({ error }) => error !== null);
  return (
    <>
      <Toolbar label="Filter examples">
        <DebouncedSearchField label="Search examples" text={text} onText={onText} />
        <Select
          label="Split"
          hideLabel
          options={[{ id: '', name: 'All splits' }, ...(splits.data ?? []).map((name) => ({ id: name, name }))]}
          value={split}
          onChange={(id) => change({ split: id, offset: null })}
        />
        <Select
          label="Version"
          hideLabel
          value={asOf}
          onChange={(id) => change({ as_of: id, offset: null })}
          options={[
            { id: '', name: 'Latest version' },
            ...(versions.data ?? []).slice(1).map(({ as_of: time, tags }) => ({
              id: time,
              name: formatDateTime(time),
              ...(tags === null ? {} : { detail: tags.join(', ') }),
            })),
          ]}
        />
        <Select
          label="Page size"
          hideLabel
          options={PAGE_SIZES.map((one) => ({ id: String(one), name: `${one} per page` }))}
          value={String(size)}
          onChange={(id) => change({ size: id === String(PAGE_SIZES[0]) ? null : id, offset: null })}
        />
        {example === null ? null : (
          <Button onPress={() => change({ example: null, offset: null })}>Show all examples</Button>
        )}
      </Toolbar>
      {asOf !== '' ? (
        <Note>
          <span className="row">
            This is the version of {formatDateTime(asOf)}. It cannot be changed.
            <Button small onPress={() => change({ as_of: null, offset: null })}>
              Show the latest version
            </Button>
          </span>
        </Note>
      ) : (
        <div className={styles['bar']}>
          <Checkbox
            value={ids.length > 0 && ids.every((id) => selected.has(id))}
            isDisabled={ids.length === 0}
            onChange={(isSelected) => select(ids, isSelected)}
          >
            Select this page
          </Checkbox>
          <ExampleActions dataset={dataset} selected={selected} onClear={clear} />
        </div>
      )}
      {failed === undefined ? null : <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />}
      {list.data === undefined ? (
        failed === undefined ? (
          <Loading />
        ) : null
      ) : list.data.length === 0 ? (
        <EmptyState title={dataset.example_count === 0 ? 'No examples yet' : 'No matching examples'}>
          {dataset.example_count === 0
            ? 'Add one here, drop a file on the page, or add runs from the traces.'
            : 'Change or clear the filters.'}
        </EmptyState>
      ) : (
        <ol className={styles['list']} start={offset + 1}>
          {list.data.map((one, at) => (
            <li key={one.id}>
              <ExampleCard
                example={one}
                place={offset + at + 1}
                selection={
                  asOf === ''
                    ? {
                        isSelected: selected.has(one.id),
                        onSelect: (isSelected) => select([one.id], isSelected),
                      }
                    : null
                }
                onDelete={() => setDeleted([one.id])}
              />
            </li>
          ))}
        </ol>
      )}
      <Pagination
        what="examples"
        offset={offset}
        shown={list.data?.length ?? 0}
        total={total.data}
        hasMore={total.data !== undefined && offset + size < total.data}
        size={size}
        onOffset={(next) => change({ offset: next === 0 ? null : String(next) }, { push: true })}
      />
      <DeleteExamples
        ids={deleted}
        onClose={() => setDeleted([])}
        onDeleted={async () => {
          select(deleted, false);
          await client.invalidateQueries({ queryKey: ['datasets'] });
        }}
      />
    </>
  );
}
