import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { evaluation, type Dataset, type Example } from '../../api/evaluation.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyableId } from '../../components/copy.js';
import { Select } from '../../components/field.js';
import { formatCount, formatDateTime } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Toolbar } from '../../components/page.js';
import { Pagination } from '../../components/pagination.js';
import { Time } from '../../components/time.js';
import { DebouncedSearchField } from '../../components/debounced-search.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';
import { Attachments } from '../../shared/attachments.js';
import styles from './examples-tab.module.css';

const PAGE_SIZES = [20, 5, 1];

/** The examples of a dataset, in its latest or an earlier version. */
export function ExamplesTab({ dataset }: { dataset: Dataset }) {
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
      {failed === undefined ? null : <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />}
      {list.data === undefined ? (
        failed === undefined ? (
          <Loading />
        ) : null
      ) : list.data.length === 0 ? (
        <EmptyState title={dataset.example_count === 0 ? 'No examples yet' : 'No matching examples'}>
          {dataset.example_count === 0
            ? 'Upload results, or add examples with a client.'
            : 'Change or clear the filters.'}
        </EmptyState>
      ) : (
        <ol className={styles['list']} start={offset + 1}>
          {list.data.map((one, at) => (
            <li key={one.id}>
              <ExampleCard example={one} place={offset + at + 1} />
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
    </>
  );
}

function ExampleCard({ example, place }: { example: Example; place: number }) {
  const { dataset_split: splits, ...metadata } = example.metadata ?? {};
  return (
    <article className={styles['example']} aria-label={`Example ${formatCount(place)}`}>
      <header className={styles['head']}>
        <strong>{formatCount(place)}</strong>
        <CopyableId id={example.id} />
        {example.name === null ? null : <span dir="auto">{example.name}</span>}
        {Array.isArray(splits) ? splits.map((split) => <Badge key={String(split)}>{String(split)}</Badge>) : null}
        <span className={styles['when']}>
          Updated <Time at={example.modified_at} />
        </span>
      </header>
      <div className={styles['sides']}>
        <div>
          <h3>Inputs</h3>
          <JsonTree label={`Inputs of example ${place}`} value={example.inputs} openTo={2} rows={10} />
        </div>
        <div>
          <h3>Reference outputs</h3>
          {example.outputs === null ? (
            <p className="soft">None</p>
          ) : (
            <JsonTree label={`Reference outputs of example ${place}`} value={example.outputs} openTo={2} rows={10} />
          )}
        </div>
      </div>
      <Attachments urls={example.attachment_urls} />
      {Object.keys(metadata).length === 0 ? null : (
        <div>
          <h3>Metadata</h3>
          <JsonTree label={`Metadata of example ${place}`} value={metadata} rows={6} />
        </div>
      )}
    </article>
  );
}
