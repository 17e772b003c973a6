import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import type { DrawnGraph } from '../../graph/layout.js';
import { GraphPicture } from '../../graph/lazy-picture.js';
import { Switch } from '../../components/field.js';
import { JsonTree } from '../../components/json-tree.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';

/** The graph as a picture, and the graphs within it. `version`: another one may have another graph. */
export function GraphTab({ id, version }: { id: string; version: number }) {
  const [query, change] = useQueryString();
  const inside = query.get('inside') === '1';
  const drawn = useQuery({
    queryKey: ['assistants', 'graph', id, version, inside],
    queryFn: ({ signal }) => client.assistants.getGraph(id, { xray: inside, signal }),
  });
  const subgraphs = useQuery({
    queryKey: ['assistants', 'subgraphs', id, version],
    queryFn: ({ signal }) => client.assistants.getSubgraphs(id, { recurse: true, signal }),
  });
  const names = Object.keys(subgraphs.data ?? {});
  return (
    <>
      <Panel
        title="Picture"
        actions={
          <Switch value={inside} onChange={(on) => change({ inside: on ? '1' : null })}>
            Show the inside of subgraphs
          </Switch>
        }
      >
        {drawn.error === null ? null : <ErrorNote error={drawn.error} onRetry={() => void drawn.refetch()} />}
        {drawn.isLoading ? <Loading what="Asking for the graph" /> : null}
        {drawn.data === undefined ? null : <GraphPicture graph={drawn.data as unknown as DrawnGraph} height={480} />}
      </Panel>
      <Panel title="Subgraphs">
        {subgraphs.error === null ? null : (
          <ErrorNote error={subgraphs.error} onRetry={() => void subgraphs.refetch()} />
        )}
        {subgraphs.isLoading ? <Loading what="Looking for subgraphs" /> : null}
        {subgraphs.data === undefined ? null : names.length === 0 ? (
          <p className="soft">The graph has none.</p>
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
