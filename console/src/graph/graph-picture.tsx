import '@xyflow/react/dist/base.css';
import { Background, Controls, Handle, MarkerType, Position, ReactFlow, type Node, type NodeProps } from '@xyflow/react';
import { useMemo } from 'react';
import { placed, type DrawnGraph, type PlacedNode } from './layout.js';
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

/** A graph as a picture that can be moved and made larger; the running node is lit. The same stands in a list for readers. */
export default function GraphPicture({ graph, states, height = 420 }: GraphPictureProps) {
  const boxes = useMemo(() => placed(graph), [graph]);
  const nodes = useMemo(() => boxes.map((box): Box => ({
    id: box.id, type: 'box', position: { x: box.x, y: box.y }, width: box.width, height: box.height, data: { box, state: states?.get(box.id) }, draggable: false, connectable: false, selectable: false, focusable: false, domAttributes: SEEN_ONLY,
  })), [boxes, states]);
  const edges = useMemo(() => graph.edges.map(({ source, target, conditional, data }, at) => ({
    id: String(at), source, target, focusable: false, domAttributes: SEEN_ONLY, ...(data === undefined ? {} : { label: data }), className: conditional ? styles['conditional']! : '', markerEnd: { type: MarkerType.ArrowClosed },
  })), [graph]);
  return (
    <figure className={styles['figure']}>
      <div className={styles['canvas']} style={{ height }}>
        <ReactFlow nodes={nodes} edges={edges} nodeTypes={TYPES} fitView fitViewOptions={{ maxZoom: 1.1 }} minZoom={0.1} nodesFocusable={false} edgesFocusable={false} zoomOnScroll={false} preventScrolling={false} proOptions={{ hideAttribution: true }}>
          <Background gap={18} size={1} />
          <Controls showInteractive={false} />
        </ReactFlow>
      </div>
      <figcaption className="seen-by-readers-only">
        <ul>{boxes.map(({ id, within, name }) => {
          const targets = graph.edges.filter(({ source }) => source === id).map(({ target }) => target);
          return <li key={id}>{[...within, name].join(' in ')}{states?.has(id) ? ` (${states.get(id)})` : ''}{targets.length === 0 ? '' : `, then ${targets.join(' or ')}`}</li>;
        })}</ul>
      </figcaption>
    </figure>
  );
}

function BoxNode({ data: { box, state } }: NodeProps<Box>) {
  return (
    <div aria-hidden className={`${styles['node']} ${box.isEnd ? styles['end'] : ''} ${state === undefined ? '' : styles[state]}`}>
      <Handle type="target" position={Position.Top} className={styles['handle']!} />
      {box.within.length === 0 ? null : <div className={styles['within']}>{box.within.join(' › ')}</div>}
      <div className={styles['name']} dir="auto">{box.name}</div>
      {box.tools.length === 0 ? null : <div className={styles['within']}>{box.tools.join(', ')}</div>}
      <Handle type="source" position={Position.Bottom} className={styles['handle']!} />
    </div>
  );
}

const TYPES = { box: BoxNode };
