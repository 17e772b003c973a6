import type { Assistant, AssistantVersion } from '@langchain/langgraph-sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { Diff } from '../../components/diff.js';
import { Select } from '../../components/field.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Panel, Toolbar } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { showToast } from '../../components/toast.js';
import { reloadAssistants, versionContent } from './data.js';

const PAGE_SIZE = 50;

/** Versions of an assistant, with a diff and the option to restore one. */
export function VersionsTab({ assistant }: { assistant: Assistant }) {
  const id = assistant.assistant_id;
  const [query, change] = useQueryString();
  const [selectedVersion, setSelectedVersion] = useState<number | null>(null);
  const { data, error, refetch, isLoading, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['assistants', 'versions', id],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      client.assistants.getVersions(id, { limit: PAGE_SIZE + 1, offset: pageParam, signal }),
    // One extra version is requested. If it arrives, there is another page.
    getNextPageParam: (last, _all, offset) => (last.length > PAGE_SIZE ? offset + PAGE_SIZE : null),
  });
  const versions = (data?.pages ?? []).flatMap((page) => page.slice(0, PAGE_SIZE));
  const current = assistant.version;
  const has = (text: string | null): string | null =>
    versions.some(({ version }) => String(version) === text) ? text : null;
  const to = has(query.get('to')) ?? has(String(current)) ?? versionText(versions[0]);
  const from =
    has(query.get('from')) ?? versionText(versions.find(({ version }) => version < Number(to)) ?? versions.at(-1));
  const options = versions.map(({ version }) => ({
    id: String(version),
    name: `Version ${version}`,
    ...(version === current ? { detail: 'Current' } : {}),
  }));
  const columns: readonly Column<AssistantVersion>[] = [
    {
      id: 'version',
      name: 'Version',
      cell: ({ version }) => (
        <span className="row">
          {version}
          {version === current ? <Badge variant="good">Current</Badge> : null}
        </span>
      ),
    },
    { id: 'name', name: 'Name', wideOnly: true, cell: ({ name }) => name },
    { id: 'graph', name: 'Graph', wideOnly: true, cell: ({ graph_id: graph }) => <code>{graph}</code> },
    { id: 'made', name: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
    {
      id: 'do',
      name: <span className="visually-hidden">Actions</span>,
      numbers: true,
      cell: ({ version }) =>
        version === current ? null : (
          <span className="row" style={{ justifyContent: 'flex-end' }}>
            <Button
              small
              variant="quiet"
              aria-label={`Compare version ${version} with the current version`}
              onPress={() => change({ from: String(version), to: String(current) })}
            >
              Compare
            </Button>
            <Button
              needs="assistants:update"
              small
              aria-label={`Make current: version ${version}`}
              onPress={() => setSelectedVersion(version)}
            >
              Make current
            </Button>
          </span>
        ),
    },
  ];
  const left = versions.find(({ version }) => String(version) === from);
  const right = versions.find(({ version }) => String(version) === to);
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {isLoading ? <Loading /> : null}
      {data === undefined ? null : (
        <Panel
          title="Versions"
          flush
          actions={
            hasNextPage ? (
              <Button small isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
                Show older
              </Button>
            ) : undefined
          }
        >
          <Table
            label="Versions"
            columns={columns}
            items={versions}
            idOf={({ version }) => String(version)}
            empty={<EmptyState title="No versions">Edit the assistant to create one.</EmptyState>}
          />
        </Panel>
      )}
      {versions.length < 2 || left === undefined || right === undefined ? null : (
        <Panel title="Changes">
          <Toolbar label="Compared versions">
            <Select label="From" options={options} value={from} onChange={(next) => change({ from: next })} />
            <Select label="To" options={options} value={to} onChange={(next) => change({ to: next })} />
          </Toolbar>
          <Diff
            left={versionContent(left)}
            right={versionContent(right)}
            leftName={`Version ${from}`}
            rightName={`Version ${to}`}
          />
        </Panel>
      )}
      <ConfirmDialog
        title={`Make version ${selectedVersion ?? ''} current?`}
        isOpen={selectedVersion !== null}
        onClose={() => setSelectedVersion(null)}
        confirmLabel="Make current"
        variant="primary"
        onConfirm={async () => {
          await client.assistants.setLatest(id, selectedVersion!);
          await reloadAssistants();
          showToast(`Version ${selectedVersion} is now current.`);
        }}
      >
        New runs use its graph, configuration, context and metadata. Active runs are not affected. All versions are
        kept.
      </ConfirmDialog>
    </>
  );
}

function versionText(version: AssistantVersion | undefined): string | null {
  return version === undefined ? null : String(version.version);
}
