import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { SearchField, TextField } from '../../components/field.js';
import { formatNumber } from '../../components/format.js';
import { summarizeValue } from '../../components/json-rows.js';
import { EmptyState, ErrorNote, Loading, Note } from '../../components/note.js';
import { Page, Panel } from '../../components/page.js';
import { Pagination } from '../../components/pagination.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { parseNamespace, PAGE_SIZE, parseObject, namespaceText, useItems, type FoundItem } from './data.js';
import { ItemForm } from './item-form.js';
import { ItemSheet } from './item-sheet.js';
import { NamespacePath, NamespacesPanel } from './namespaces-panel.js';
import styles from './store.module.css';

/** Long-term memory: namespaces, the items of the current one, and the selected item. */
export function StorePage() {
  const [query, change] = useQueryString();
  const [isCreating, setCreating] = useState(false);
  const namespace = parseNamespace(query.get('ns') ?? '');
  const searchText = query.get('q') ?? '';
  const offset = queryNumber(query, 'offset');
  const filter = parseObject(query.get('filter') ?? '');
  const { data, error, isLoading, refetch } = useItems(
    { namespace, query: searchText, filter: filter.value, offset },
    filter.error === null,
  );
  const key = query.get('key');
  const place = parseNamespace(query.get('in') ?? '');
  const scored = data?.items.some(({ score }) => score !== undefined && score !== null) ?? false;

  // Only those of the namespace itself: others may be of another kind.
  const neighbors = (data?.items ?? [])
    .filter((item) => namespaceText(item.namespace) === namespaceText(namespace))
    .map(({ value }) => value);

  const linkTo = (item: FoundItem): string => {
    const next = new URLSearchParams(query);
    next.set('in', namespaceText(item.namespace));
    next.set('key', item.key);
    return `?${next.toString()}`;
  };
  const columns: readonly Column<FoundItem>[] = [
    {
      id: 'key',
      name: 'Key',
      cell: (item) => (
        <Link href={linkTo(item)} title={item.key}>
          {truncate(item.key, 80)}
        </Link>
      ),
    },
    {
      id: 'namespace',
      name: 'Namespace',
      cell: (item) => (
        <span className="soft" title={namespaceText(item.namespace)}>
          {item.namespace.slice(namespace.length).join(' / ') || '(this one)'}
        </span>
      ),
    },
    {
      id: 'value',
      name: 'Value',
      wideOnly: true,
      cell: ({ value }) => (
        <code className={styles['preview']} dir="auto">
          {previewText(value)}
        </code>
      ),
    },
    ...(scored
      ? [
          {
            id: 'score',
            name: 'Score',
            numbers: true,
            cell: ({ score }: FoundItem) => (score === undefined || score === null ? '' : formatNumber(score)),
          },
        ]
      : []),
    { id: 'changed', name: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ];
  return (
    <Page
      title="Memory"
      about="Long-term memory across threads: items with a namespace and a key, written by graphs and clients."
      actions={
        <Button needs="store:update" variant="primary" onPress={() => setCreating(true)}>
          <Plus size={16} aria-hidden />
          New item
        </Button>
      }
    >
      <NamespacePath namespace={namespace} />
      <div className={styles['columns']}>
        <NamespacesPanel above={namespace} />
        <div className="stack">
          <SearchForm
            key={`${searchText}\n${query.get('filter') ?? ''}`}
            searchText={searchText}
            filter={query.get('filter') ?? ''}
            error={filter.error}
            onSearch={(q, by) => change({ q, filter: by, offset: null }, { push: true })}
          />
          {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
          {isLoading ? <Loading /> : null}
          {searchText !== '' && data !== undefined && data.items.length > 0 && !scored ? (
            <Note>
              This server has no index for semantic search, so the query was ignored. These are the newest items.
            </Note>
          ) : null}
          {data === undefined ? null : (
            <Panel title="Items" flush>
              <Table
                label="Items"
                columns={columns}
                items={data.items}
                idOf={(item) => JSON.stringify([item.namespace, item.key])}
                empty={
                  <EmptyState title="No items">
                    {filter.value !== null || offset > 0
                      ? 'Change or clear the filter.'
                      : 'Graphs store items here. You can also add one with New item.'}
                  </EmptyState>
                }
              />
              <Pagination
                what="items"
                offset={offset}
                size={PAGE_SIZE}
                shown={data.items.length}
                hasMore={data.hasMore}
                onOffset={(to) => change({ offset: to === 0 ? null : String(to) }, { push: true })}
              />
            </Panel>
          )}
        </div>
      </div>
      {key === null ? null : (
        <ItemSheet
          key={`${namespaceText(place)}\n${key}`}
          namespace={place}
          itemKey={key}
          onClose={() => change({ in: null, key: null })}
        />
      )}
      <Dialog title="New item" isOpen={isCreating} size="medium" onClose={() => setCreating(false)}>
        <ItemForm
          item={null}
          namespace={namespace}
          neighbors={neighbors}
          onClose={() => setCreating(false)}
          onDone={(at, name) => change({ in: namespaceText(at), key: name }, { push: true })}
        />
      </Dialog>
    </Page>
  );
}

/** Searches only on submit, because each semantic search calls the project's embedding model. */
function SearchForm({
  searchText,
  filter,
  error,
  onSearch,
}: {
  searchText: string;
  filter: string;
  error: string | null;
  onSearch: (query: string, filter: string) => void;
}) {
  const [text, setText] = useState(searchText);
  const [by, setBy] = useState(filter);
  const wrong = parseObject(by).error;
  return (
    <form
      role="search"
      aria-label="Items"
      className={styles['search']}
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong === null) onSearch(text.trim(), by.trim());
      }}
    >
      <SearchField label="Semantic search" value={text} onChange={setText} />
      <TextField
        label="Filter as JSON"
        hideLabel
        mono
        placeholder='Filter: {"score": {"$gt": 5}}'
        value={by}
        onChange={setBy}
        error={wrong ?? error}
      />
      <Button type="submit">Search</Button>
    </form>
  );
}

/** The beginning of a value in one line, because values can be megabytes. */
function previewText(value: Record<string, unknown>): string {
  const names = Object.keys(value);
  return (
    truncate(
      names
        .slice(0, 6)
        .map((name) => `${name}: ${summarizeValue(value[name], 60)}`)
        .join(', '),
      160,
    ) + (names.length > 6 ? ', …' : '')
  );
}

function truncate(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
