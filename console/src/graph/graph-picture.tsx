import '@xyflow/react/dist/base.css';
import {
  Background,
  BaseEdge,
  Controls,
  Handle,
  MarkerType,
  Position,
  ReactFlow,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from '@xyflow/react';
import { useMemo } from 'react';
import { edgePath, layoutGraph, type GraphDrawing, type PlacedNode, type Point } from './layout.js';
import styles from './graph-picture.module.css';

export type NodeState = 'running' | 'done' | 'failed' | 'waiting';

export interface GraphPictureProps {
  graph: GraphDrawing;
  /** State of each node in a run, by node id (`parent:child` within a subgraph). */
  states?: ReadonlyMap<string, NodeState>;
  /** Pixels. */
  height?: number;
}

/** Hides the drawing from screen readers, which get the list below. The zoom buttons stay visible to them. */
const HIDDEN_FROM_SCREEN_READERS = { 'aria-hidden': true };

type Box = Node<{ box: PlacedNode; state: NodeState | undefined }, 'box'>;
type RoutedEdge = Edge<{ points: readonly Point[] }, 'routed'>;

/** A graph drawing that can be moved and zoomed. Running nodes are highlighted. A hidden list has the same content. */
export default function GraphPicture({ graph, states, height = 420 }: GraphPictureProps) {
  const { nodes: boxes, edges: routes } = useMemo(() => layoutGraph(graph), [graph]);
  const nodes = useMemo(
    () =>
      boxes.map((box): Box => ({
        id: box.id,
        type: 'box',
        position: { x: box.x, y: box.y },
        width: box.width,
        height: box.height,
        data: { box, state: states?.get(box.id) },
        draggable: false,
        connectable: false,
        selectable: false,
        focusable: false,
        domAttributes: HIDDEN_FROM_SCREEN_READERS,
      })),
    [boxes, states],
  );
  const edges = useMemo(
    () =>
      routes.map(({ source, target, conditional, label, points }, at): RoutedEdge => ({
        id: String(at),
        type: 'routed',
        source,
        target,
        data: { points },
        focusable: false,
        domAttributes: HIDDEN_FROM_SCREEN_READERS,
        ...(label === undefined ? {} : { label }),
        className: conditional ? styles['conditional']! : '',
        markerEnd: { type: MarkerType.ArrowClosed },
      })),
    [routes],
  );
  return (
    <figure className={styles['figure']}>
      <div className={styles['canvas']} style={{ height }}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          fitView
          // The buttons of the zoom are at the left edge.
          fitViewOptions={{ maxZoom: 1.1, padding: { x: '52px', y: '20px' } }}
          minZoom={0.1}
          nodesFocusable={false}
          edgesFocusable={false}
          zoomOnScroll={false}
          preventScrolling={false}
          proOptions={{ hideAttribution: true }}
        >
          <Background gap={18} size={1} />
          <Controls showInteractive={false} />
        </ReactFlow>
      </div>
      <figcaption className="visually-hidden">
        <ul>
          {boxes.map(({ id, within, name }) => {
            const targets = graph.edges.filter(({ source }) => source === id).map(({ target }) => target);
            return (
              <li key={id}>
                {[...within, name].join(' in ')}
                {states?.has(id) ? ` (${states.get(id)})` : ''}
                {targets.length === 0 ? '' : `, then ${targets.join(' or ')}`}
              </li>
            );
          })}
        </ul>
      </figcaption>
    </figure>
  );
}

function BoxNode({ data: { box, state } }: NodeProps<Box>) {
  return (
    <div
      aria-hidden
      className={`${styles['node']} ${box.isEnd ? styles['end'] : ''} ${state === undefined ? '' : styles[state]}`}
    >
      <Handle type="target" position={Position.Top} className={styles['handle']!} />
      {box.within.length === 0 ? null : <div className={styles['within']}>{box.within.join(' › ')}</div>}
      <div className={styles['name']} dir="auto">
        {box.name}
      </div>
      {box.tools.length === 0 ? null : <div className={styles['within']}>{box.tools.join(', ')}</div>}
      <Handle type="source" position={Position.Bottom} className={styles['handle']!} />
    </div>
  );
}

function RoutedEdgeView({ data, label, markerEnd }: EdgeProps<RoutedEdge>) {
  const points = data?.points ?? [];
  const middle = points[points.length >> 1];
  return (
    <BaseEdge
      path={edgePath(points)}
      {...(markerEnd === undefined ? {} : { markerEnd })}
      {...(label === undefined || middle === undefined ? {} : { label, labelX: middle.x, labelY: middle.y })}
    />
  );
}

const NODE_TYPES = { box: BoxNode };
const EDGE_TYPES = { routed: RoutedEdgeView };
