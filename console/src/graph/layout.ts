import { graphlib, layout } from '@dagrejs/dagre';

/** As `GET /assistants/{id}/graph` draws it. */
export interface DrawnGraph {
  nodes: readonly { id: string; type?: string; data?: unknown; metadata?: { __tools?: readonly string[] } }[];
  edges: readonly { source: string; target: string; conditional?: boolean; data?: string }[];
}

export interface PlacedNode {
  id: string;
  /** Its own name, and the subgraphs that it lies in. */
  name: string;
  within: readonly string[];
  tools: readonly string[];
  /** Where a graph begins or ends: no work is done there. */
  isEnd: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

const LETTER = 7.6;
const LINE = 18;

/** Nodes with their places in pixels, from above to below. */
export function placed({ nodes, edges }: DrawnGraph): PlacedNode[] {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 32, ranksep: 48, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  const boxes = nodes.map(({ id, metadata }) => {
    const path = id.split(':');
    const name = nameOf(path.at(-1)!);
    const within = path.slice(0, -1);
    const tools = metadata?.__tools ?? [];
    const letters = Math.min(34, Math.max(name.length, within.join(' › ').length, tools.length === 0 ? 0 : tools.join(', ').length));
    const lines = 1 + Number(within.length > 0) + Number(tools.length > 0);
    return { id, name, within, tools, isEnd: /^__(start|end)__$/.test(path.at(-1)!), width: Math.max(88, letters * LETTER + 36), height: lines * LINE + 18 };
  });
  const ids = new Set(boxes.map(({ id }) => id));
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  for (const { source, target } of edges) if (ids.has(source) && ids.has(target)) graph.setEdge(source, target);
  layout(graph);
  return boxes.map((box) => {
    const { x, y } = graph.node(box.id) as { x: number; y: number };
    return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
  });
}

function nameOf(id: string): string {
  return id === '__start__' ? 'start' : id === '__end__' ? 'end' : id;
}
