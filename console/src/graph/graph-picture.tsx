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
import { curve, placed, type DrawnGraph, type PlacedNode, type Point } from './layout.js';
import styles from './graph-picture.module.css';

export type NodeState = 'running' | 'done' | 'failed' | 'waiting';

export interface GraphPictureProps {
  graph: DrawnGraph;
  /** What a run has done with nodes, by their ids (`parent:child` within a subgraph). */
  states?: ReadonlyMap<string, NodeState>;
  /** Pixels. */
  height?: number;
}

/** Readers have the list below; the buttons beside the picture are everyone's. */
const SEEN_ONLY = { 'aria-hidden': true };

type Box = Node<{ box: PlacedNode; state: NodeState | undefined }, 'box'>;
type Way = Edge<{ points: readonly Point[] }, 'way'>;

/** A graph as a picture that can be moved and made larger; the running node is lit. The same stands in a list for readers. */
export default function GraphPicture({ graph, states, height = 420 }: GraphPictureProps) {
  const { nodes: boxes, edges: ways } = useMemo(() => placed(graph), [graph]);
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
        domAttributes: SEEN_ONLY,
      })),
    [boxes, states],
  );
  const edges = useMemo(
    () =>
      ways.map(({ source, target, conditional, label, points }, at): Way => ({
        id: String(at),
        type: 'way',
        source,
        target,
        data: { points },
        focusable: false,
        domAttributes: SEEN_ONLY,
        ...(label === undefined ? {} : { label }),
        className: conditional ? styles['conditional']! : '',
        markerEnd: { type: MarkerType.ArrowClosed },
      })),
    [ways],
  );
  return (
    <figure className={styles['figure']}>
      <div className={styles['canvas']} style={{ height }}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={TYPES}
          edgeTypes={WAYS}
          fitView
          fitViewOptions={{ maxZoom: 1.1 }}
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
      <figcaption className="seen-by-readers-only">
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

function WayEdge({ data, label, markerEnd }: EdgeProps<Way>) {
  const points = data?.points ?? [];
  const middle = points[points.length >> 1];
  return (
    <BaseEdge
      path={curve(points)}
      {...(markerEnd === undefined ? {} : { markerEnd })}
      {...(label === undefined || middle === undefined ? {} : { label, labelX: middle.x, labelY: middle.y })}
    />
  );
}

const TYPES = { box: BoxNode };
const WAYS = { way: WayEdge };
