import { parseJson } from '../../base/json/json.js';
import type { Steps } from '../../base/steps.js';
import type { RunRecord } from '../../store/runs/runs.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import { frameData, framesOf, type FrameBatch } from '../../wire/runs/frame.js';
import { parseProtocolName } from '../../wire/runs/protocol.js';
import { ProtocolError, requireThread, type CommandRequest, type CommandResult } from './command-context.js';

/** A graph of a run with its subgraphs, in the format of the API. */
interface GraphNode {
  namespace: string[];
  status: string;
  graph_name: string;
  children: GraphNode[];
}

/** Status of a run whose events are not kept. */
const NODE_STATUS: Readonly<Record<RunRecord['status'], string>> = {
  pending: 'started',
  running: 'running',
  success: 'completed',
  error: 'failed',
  timeout: 'failed',
  interrupted: 'interrupted',
};

/**
 * `agent.getTree`: status of a run (the newest one without `run_id`) and its subgraphs, from the events that
 * are kept.
 */
export async function getTree(call: CommandRequest): Promise<CommandResult> {
  const { services, params } = call;
  const thread = requireThread(call, 'agent.getTree');
  const { run_id: runId = null } = params;
  const run = findRun(call, thread, runId);
  if (run === undefined)
    throw new ProtocolError(
      'no_such_run',
      runId === null
        ? 'agent.getTree: nothing has run on this thread'
        : `agent.getTree: there is no run ${JSON.stringify(runId)} on this thread`,
    );
  // Waits for the disk, so that all runs known to a client are found.
  await services.stores.store.settled();
  return { result: JSON.stringify({ tree: await services.timeSlicer.run(buildTree(call, run), call.isAborted) }) };
}

function findRun({ services, caller }: CommandRequest, thread: ThreadRecord, runId: unknown): RunRecord | undefined {
  const { stores, scheduler } = services;
  if (runId === null) {
    const [newest] = stores.runs.list(caller, thread, { limit: 1, offset: 0 });
    return services.threads.live(thread.threadId)?.runs.at(-1)?.record ?? newest;
  }
  const record =
    typeof runId === 'string' ? (scheduler.get(runId)?.stored ?? stores.runs.get(caller, runId)) : undefined;
  return record?.threadId === thread.threadId ? record : undefined;
}

function* buildTree({ services, caller }: CommandRequest, run: RunRecord): Steps<object> {
  const root: GraphNode = { namespace: [], status: NODE_STATUS[run.status], graph_name: run.graphId, children: [] };
  const nodes = new Map([['', root]]);
  let last = -1;
  for (;;) {
    // Read again in each step, because other work ran in between.
    const [batch] = services.stores.events.read(caller, run.runId, last);
    if (batch === undefined) break;
    applyLifecycleEvents(nodes, batch, last);
    last = batch.lastSeq;
    yield;
  }
  // The newest events may not be stored yet.
  for (const batch of services.scheduler.recent(run.runId)?.log.batches ?? []) applyLifecycleEvents(nodes, batch, last);
  return nodeJson(root);
}

/** Applies the lifecycle events of a batch to the tree. */
function applyLifecycleEvents(nodes: Map<string, GraphNode>, batch: FrameBatch, after: number): void {
  if (!batch.names.some(isLifecycle)) return;
  for (const frame of framesOf(batch)) {
    const { seq, name } = frame;
    if (seq <= after || !isLifecycle(name)) continue;
    const { namespace } = parseProtocolName(name)!;
    const { event, graph_name: graphName } = (
      parseJson(frameData(frame)) as { params: { data: { event: string; graph_name?: string } } }
    ).params.data;
    const node = nodeAt(nodes, namespace);
    node.status = event;
    if (typeof graphName === 'string') node.graph_name = graphName;
  }
}

function isLifecycle(name: string): boolean {
  return parseProtocolName(name)?.channel === 'lifecycle';
}

function nodeAt(nodes: Map<string, GraphNode>, namespace: string[]): GraphNode {
  const key = namespace.join('|');
  let node = nodes.get(key);
  if (node === undefined) {
    node = { namespace, status: 'started', graph_name: namespace.at(-1)!.split(':', 1)[0]!, children: [] };
    nodes.set(key, node);
    nodeAt(nodes, namespace.slice(0, -1)).children.push(node);
  }
  return node;
}

function nodeJson({ children, ...node }: GraphNode): object {
  return children.length === 0 ? node : { ...node, children: children.map(nodeJson) };
}
