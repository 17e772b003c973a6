import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import type { GraphDrawing } from '../../graph/layout.js';
import { GraphPicture } from '../../graph/lazy-graph-picture.js';
import { Switch } from '../../components/field.js';
import { JsonTree } from '../../components/json-tree.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';

/** The graph and its subgraphs. `version` is part of the query key, because versions can use different graphs. */
export function GraphTab({ id, version }: { id: string; version: number }) {
  const [query, change] = useQueryString();
  const isExpanded = query.get('inside') === '1';
  const drawn = useQuery({
    queryKey: ['assistants', 'graph', id, version, isExpanded],
    queryFn: ({ signal }) => client.assistants.getGraph(id, { xray: isExpanded, signal }),
  });
  const subgraphs = useQuery({
    queryKey: ['assistants', 'subgraphs', id, version],
    queryFn: ({ signal }) => client.assistants.getSubgraphs(id, { recurse: true, signal }),
  });
  const names = Object.keys(subgraphs.data ?? {});
  return (
    <>
      <Panel
        title="Graph"
        actions={
          <Switch value={isExpanded} onChange={(on) => change({ inside: on ? '1' : null })}>
            Expand subgraphs
          </Switch>
        }
      >
        {drawn.error === null ? null : <ErrorNote error={drawn.error} onRetry={() => void drawn.refetch()} />}
        {drawn.isLoading ? <Loading what="Loading the graph" /> : null}
        {drawn.data === undefined ? null : <GraphPicture graph={drawn.data as unknown as GraphDrawing} height={480} />}
      </Panel>
      <Panel title="Subgraphs">
        {subgraphs.error === null ? null : (
          <ErrorNote error={subgraphs.error} onRetry={() => void subgraphs.refetch()} />
        )}
        {subgraphs.isLoading ? <Loading what="Loading the subgraphs" /> : null}
        {subgraphs.data === undefined ? null : names.length === 0 ? (
          <p className="soft">This graph has no subgraphs.</p>
        ) : (
          names.map((name) => (
            <div key={name} className="stack">
              <h3 dir="auto">{name.replaceAll('|', ' › ')}</h3>
              <JsonTree label={`Schemas of ${name}`} value={subgraphs.data[name]} />
            </div>
          ))
        )}
      </Panel>
    </>
  );
}
