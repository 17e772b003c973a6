import type { Assistant } from '@langchain/langgraph-sdk';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Select } from '../../components/field.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Page, Panel, Toolbar } from '../../components/page.js';
import { Pagination } from '../../components/pagination.js';
import { DebouncedSearchField } from '../../components/debounced-search.js';
import { queryNumber, useQueryString } from '../../components/query-string.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { MetadataField } from '../../shared/metadata-filter.js';
import { parseMetadataFilter } from '../../shared/parse-metadata-filter.js';
import { isDefaultAssistant, PAGE_SIZE, useAssistants, useGraphs } from './data.js';
import { AssistantDialog } from './assistant-dialog.js';
import styles from './assistants.module.css';

const ALL = '*';

const COLUMNS: readonly Column<Assistant>[] = [
  {
    id: 'name',
    name: 'Name',
    cell: (one) => (
      <span className="row">
        <Link href={`/${one.assistant_id}`}>{one.name || 'Untitled'}</Link>
        {isDefaultAssistant(one) ? <Badge variant="info">Default</Badge> : null}
      </span>
    ),
  },
  { id: 'graph', name: 'Graph', cell: ({ graph_id: graph }) => <code>{graph}</code> },
  {
    id: 'about',
    name: 'Description',
    wideOnly: true,
    cell: ({ description }) => <span className="soft">{truncate(description ?? '', 120)}</span>,
  },
  { id: 'version', name: 'Version', numbers: true, cell: ({ version }) => version },
  { id: 'changed', name: 'Updated', wideOnly: true, cell: ({ updated_at: at }) => <Time at={at} /> },
];

/** All assistants, searched and paged by the server. */
export function AssistantsPage() {
  const [query, change] = useQueryString();
  const [, navigate] = useLocation();
  const [isCreating, setCreating] = useState(false);
  const name = query.get('name') ?? '';
  const graph = query.get('graph') ?? '';
  const offset = queryNumber(query, 'offset');
  const metadata = parseMetadataFilter(query.get('metadata') ?? '');
  const graphs = useGraphs();
  const { page, total } = useAssistants(
    { name, graph, metadata: metadata.value as Assistant['metadata'], offset },
    metadata.error === null,
  );
  return (
    <Page
      title="Assistants"
      about="An assistant is a graph with its own configuration, such as model, prompt or limits."
      actions={
        <Button needs="assistants:create" variant="primary" onPress={() => setCreating(true)}>
          <Plus size={16} aria-hidden />
          New assistant
        </Button>
      }
    >
      <Toolbar label="Filter assistants">
        <DebouncedSearchField
          label="Search by name"
          text={name}
          onText={(text) => change({ name: text, offset: null })}
        />
        <Select
          label="Graph"
          hideLabel
          options={[{ id: ALL, name: 'All graphs' }, ...(graphs.data ?? []).map((id) => ({ id, name: id }))]}
          value={graph === '' ? ALL : graph}
          onChange={(id) => change({ graph: id === ALL ? null : id, offset: null })}
        />
        <div className={styles['grows']}>
          <MetadataField
            hideLabel
            text={query.get('metadata') ?? ''}
            onText={(text) => change({ metadata: text, offset: null })}
          />
        </div>
      </Toolbar>
      {graphs.error === null ? null : <ErrorNote error={graphs.error} onRetry={() => void graphs.refetch()} />}
      {page.error === null ? null : <ErrorNote error={page.error} onRetry={() => void page.refetch()} />}
      {page.isLoading ? <Loading /> : null}
      {page.data === undefined ? null : (
        <Panel flush>
          <Table
            label="Assistants"
            columns={COLUMNS}
            items={page.data.assistants}
            idOf={(one) => one.assistant_id}
            empty={<EmptyState title="No matching assistants">Change or clear the filters.</EmptyState>}
          />
          <Pagination
            what="assistants"
            offset={offset}
            size={PAGE_SIZE}
            shown={page.data.assistants.length}
            hasMore={page.data.next !== null}
            total={total.data}
            onOffset={(to) => change({ offset: to === 0 ? null : String(to) }, { push: true })}
          />
        </Panel>
      )}
      {isCreating ? (
        <AssistantDialog
          assistant={null}
          onClose={() => setCreating(false)}
          onDone={({ assistant_id: id }) => navigate(`/${id}`)}
        />
      ) : null}
    </Page>
  );
}

function truncate(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
