import type { Assistant, AssistantVersion } from '@langchain/langgraph-sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Confirm } from '../../components/dialog.js';
import { Diff } from '../../components/diff.js';
import { Select } from '../../components/field.js';
import { Empty, ErrorNote, Loading } from '../../components/note.js';
import { Panel, Toolbar } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { Table, type Column } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { say } from '../../components/toast.js';
import { changed, contentOf } from './data.js';

const PAGE = 50;

/** What an assistant was before, what changed from one to the other, and the way back. */
export function VersionsTab({ assistant }: { assistant: Assistant }) {
  const id = assistant.assistant_id;
  const [query, change] = useQueryString();
  const [chosen, setChosen] = useState<number | null>(null);
  const { data, error, refetch, isLoading, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['assistants', 'versions', id],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      client.assistants.getVersions(id, { limit: PAGE + 1, offset: pageParam, signal }),
    // One more than is shown was asked for: where it comes, there is another page.
    getNextPageParam: (last, _all, offset) => (last.length > PAGE ? offset + PAGE : null),
  });
  const versions = (data?.pages ?? []).flatMap((page) => page.slice(0, PAGE));
  const current = assistant.version;
  const has = (text: string | null): string | null =>
    versions.some(({ version }) => String(version) === text) ? text : null;
  const to = has(query.get('to')) ?? has(String(current)) ?? numberOf(versions[0]);
  const from =
    has(query.get('from')) ?? numberOf(versions.find(({ version }) => version < Number(to)) ?? versions.at(-1));
  const options = versions.map(({ version }) => ({
    id: String(version),
    name: `Version ${version}`,
    ...(version === current ? { more: 'current' } : {}),
  }));
  const columns: readonly Column<AssistantVersion>[] = [
    {
      id: 'version',
      name: 'Version',
      cell: ({ version }) => (
        <span className="row">
          {version}
          {version === current ? <Badge look="good">current</Badge> : null}
        </span>
      ),
    },
    { id: 'name', name: 'Name', wideOnly: true, cell: ({ name }) => name },
    { id: 'graph', name: 'Graph', wideOnly: true, cell: ({ graph_id: graph }) => <code>{graph}</code> },
    { id: 'made', name: 'Made', cell: ({ created_at: at }) => <Time at={at} /> },
    {
      id: 'do',
      name: <span className="seen-by-readers-only">What can be done</span>,
      numbers: true,
      cell: ({ version }) =>
        version === current ? null : (
          <span className="row" style={{ justifyContent: 'flex-end' }}>
            <Button
              small
              look="quiet"
              aria-label={`Compare: version ${version} with the current one`}
              onPress={() => change({ from: String(version), to: String(current) })}
            >
              Compare
            </Button>
            <Button small aria-label={`Make current: version ${version}`} onPress={() => setChosen(version)}>
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
            empty={<Empty title="No version is kept." />}
          />
        </Panel>
      )}
      {versions.length < 2 || left === undefined || right === undefined ? null : (
        <Panel title="What changed">
          <Toolbar label="Versions that are compared">
            <Select label="From" options={options} value={from} onChange={(next) => change({ from: next })} />
            <Select label="To" options={options} value={to} onChange={(next) => change({ to: next })} />
          </Toolbar>
          <Diff
            left={contentOf(left)}
            right={contentOf(right)}
            leftName={`Version ${from}`}
            rightName={`Version ${to}`}
          />
        </Panel>
      )}
      <Confirm
        title={`Make version ${chosen ?? ''} the current one?`}
        isOpen={chosen !== null}
        onClose={() => setChosen(null)}
        verb="Make it current"
        look="primary"
        onConfirm={async () => {
          await client.assistants.setLatest(id, chosen!);
          await changed();
          say(`Version ${chosen} is the current one.`);
        }}
      >
        New runs are made with all that it says: its graph, configuration, context and metadata. No version is lost;
        runs that are under way keep what they have.
      </Confirm>
    </>
  );
}

function numberOf(version: AssistantVersion | undefined): string | null {
  return version === undefined ? null : String(version.version);
}
