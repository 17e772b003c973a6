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

export interface Point {
  x: number;
  y: number;
}

/** A graph with the places of all its parts in pixels, from above to below. */
export interface PlacedGraph {
  nodes: PlacedNode[];
  /** The way of each edge that has both of its nodes, from one to the other around those between them. */
  edges: {
    source: string;
    target: string;
    conditional: boolean;
    label: string | undefined;
    points: readonly Point[];
  }[];
}

const LETTER = 7.6;
const LINE = 18;

export function placed({ nodes, edges }: DrawnGraph): PlacedGraph {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 32, ranksep: 48, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  const boxes = nodes.map(({ id, metadata }) => {
    const path = id.split(':');
    const name = nameOf(path.at(-1)!);
    const within = path.slice(0, -1);
    const tools = metadata?.__tools ?? [];
    const letters = Math.min(
      34,
      Math.max(name.length, within.join(' › ').length, tools.length === 0 ? 0 : tools.join(', ').length),
    );
    const lines = 1 + Number(within.length > 0) + Number(tools.length > 0);
    return {
      id,
      name,
      within,
      tools,
      isEnd: /^__(start|end)__$/.test(path.at(-1)!),
      width: Math.max(88, letters * LETTER + 36),
      height: lines * LINE + 18,
    };
  });
  const ids = new Set(boxes.map(({ id }) => id));
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  const drawn = edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  for (const { source, target } of drawn) graph.setEdge(source, target);
  layout(graph);
  return {
    nodes: boxes.map((box) => {
      const { x, y } = graph.node(box.id) as Point;
      return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
    }),
    edges: drawn.map(({ source, target, conditional = false, data }) => ({
      source,
      target,
      conditional,
      label: data,
      points: (graph.edge(source, target) as { points: Point[] }).points,
    })),
  };
}

/** An SVG path through the middle between each two points, rounded at the points. */
export function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (first === undefined || last === undefined) return '';
  const turns = rest.map((at, place) => {
    const next = rest[place + 1];
    return `Q${at.x},${at.y} ${next === undefined ? `${last.x},${last.y}` : `${(at.x + next.x) / 2},${(at.y + next.y) / 2}`}`;
  });
  return `M${first.x},${first.y} ${turns.length === 0 ? `L${last.x},${last.y}` : turns.join(' ')}`;
}

function nameOf(id: string): string {
  return id === '__start__' ? 'start' : id === '__end__' ? 'end' : id;
}
