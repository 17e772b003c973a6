import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { fetchJson } from '../../api/http.js';
import { GraphPicture } from '../../graph/lazy-graph-picture.js';
import type { GraphDrawing } from '../../graph/layout.js';
import { ErrorNote, Loading } from '../../components/note.js';
import type { RunView } from './run-events.js';
import { nodeStates } from './steps.js';

/** The graph of an assistant with its subgraphs. Running nodes are highlighted. */
export function GraphView({
  assistantId,
  steps,
  version,
  height = 460,
}: {
  assistantId: string;
  steps: RunView['steps'] | null;
  version: number;
  height?: number;
}) {
  const drawn = useQuery({
    queryKey: ['run', 'graph', assistantId],
    queryFn: ({ signal }) =>
      fetchJson<GraphDrawing>(`assistants/${encodeURIComponent(assistantId)}/graph`, { query: { xray: true }, signal }),
    staleTime: 60_000,
  });
  const now = steps === null ? new Map() : nodeStates(steps);
  // Redraw only when the state of a node changes, not for every token.
  const key = JSON.stringify([...now]);
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const states = useMemo(() => now, [key, assistantId]);
  void version;
  if (drawn.error !== null) return <ErrorNote error={drawn.error} onRetry={() => void drawn.refetch()} />;
  return drawn.data === undefined ? (
    <Loading what="Loading the graph" />
  ) : (
    <GraphPicture graph={drawn.data} states={states} height={height} />
  );
}
