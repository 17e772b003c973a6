import { graphlib, layout } from '@dagrejs/dagre';

/** Response of `GET /assistants/{id}/graph`. */
export interface GraphDrawing {
  nodes: readonly { id: string; type?: string; data?: unknown; metadata?: { __tools?: readonly string[] } }[];
  edges: readonly { source: string; target: string; conditional?: boolean; data?: string }[];
}

export interface PlacedNode {
  id: string;
  /** Name within its own graph. */
  name: string;
  /** Names of the enclosing subgraphs, outermost first. */
  within: readonly string[];
  tools: readonly string[];
  /** True for the start and end nodes, which do no work. */
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

/** A graph with positions in pixels, laid out from top to bottom. */
export interface PlacedGraph {
  nodes: PlacedNode[];
  /** Edges with known ends, each with a path around the nodes between them. */
  edges: {
    source: string;
    target: string;
    conditional: boolean;
    label: string | undefined;
    points: readonly Point[];
  }[];
}

const CHARACTER_WIDTH_PX = 7.6;
const LINE_HEIGHT_PX = 18;

export function layoutGraph({ nodes, edges }: GraphDrawing): PlacedGraph {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 32, ranksep: 48, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  const boxes = nodes.map(({ id, metadata }) => {
    const path = id.split(':');
    const name = displayName(path.at(-1)!);
    const within = path.slice(0, -1);
    const tools = metadata?.__tools ?? [];
    const characters = Math.min(
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
      width: Math.max(88, characters * CHARACTER_WIDTH_PX + 36),
      height: lines * LINE_HEIGHT_PX + 18,
    };
  });
  const ids = new Set(boxes.map(({ id }) => id));
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  const routable = edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  for (const { source, target } of routable) graph.setEdge(source, target);
  layout(graph);
  return {
    nodes: boxes.map((box) => {
      const { x, y } = graph.node(box.id) as Point;
      return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
    }),
    edges: routable.map(({ source, target, conditional = false, data }) => ({
      source,
      target,
      conditional,
      label: data,
      points: (graph.edge(source, target) as { points: Point[] }).points,
    })),
  };
}

/** An SVG path through the midpoints between neighboring points, rounded at the points. */
export function edgePath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (first === undefined || last === undefined) return '';
  const turns = rest.map((at, place) => {
    const next = rest[place + 1];
    return `Q${at.x},${at.y} ${next === undefined ? `${last.x},${last.y}` : `${(at.x + next.x) / 2},${(at.y + next.y) / 2}`}`;
  });
  return `M${first.x},${first.y} ${turns.length === 0 ? `L${last.x},${last.y}` : turns.join(' ')}`;
}

function displayName(id: string): string {
  return id === '__start__' ? 'start' : id === '__end__' ? 'end' : id;
}
