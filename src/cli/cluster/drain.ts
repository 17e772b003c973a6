import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresConnection } from '../../store/cluster/postgres/connection.js';
import { hasSuccessor, readNodes, requestDrain, undoDrain, type NodeList } from '../../store/cluster/postgres/nodes.js';
import { CommandError } from '../client.js';
import { parseDuration } from '../duration.js';
import { requireClusterUrl, runClusterCommand, withConnection, type ClusterFlags } from './cluster-command.js';

export interface DrainFlags extends ClusterFlags {
  undo?: boolean;
  wait: boolean;
  timeout?: string;
}

const POLL_MS = 300;
/** Exit code: the node is asked, but was not drained in time. */
const NOT_YET = 2;

/** Takes a node out of service, or puts it back. The request travels through the database. */
export function drainNode(name: string, flags: DrainFlags): Promise<void> {
  return runClusterCommand(flags, () => {
    const timeoutMs = flags.timeout === undefined ? Infinity : parseDuration('--timeout', flags.timeout);
    return withConnection(requireClusterUrl(flags), (connection) =>
      flags.undo === true
        ? undo(connection, name, flags)
        : drain(connection, name, { timeoutMs: flags.wait ? timeoutMs : 0, asJson: flags.json === true }),
    );
  });
}

async function undo(connection: PostgresConnection, name: string, { json }: DrainFlags): Promise<number> {
  const before = await readNodes(connection);
  requireKnown(before, name);
  await undoDrain(connection, name);
  const wasDrained = before.drainedNames.has(name);
  if (json === true) process.stdout.write(`${JSON.stringify({ node: name, drain: 'none', changed: wasDrained })}\n`);
  else
    process.stdout.write(
      wasDrained ? `${name} takes runs again, and can become the owner.\n` : `${name} was not drained.\n`,
    );
  return 0;
}

async function drain(
  connection: PostgresConnection,
  name: string,
  { timeoutMs, asJson }: { timeoutMs: number; asJson: boolean },
): Promise<number> {
  const before = await readNodes(connection);
  requireKnown(before, name);
  const owner = before.nodes.find((node) => node.name === name && node.role === 'owner');
  if (owner !== undefined && !hasSuccessor(before, owner.nodeId))
    throw new CommandError(
      `${name} is the owner, and no other node can take over from it. Start another node first, or undo the drain of ` +
        'one. Nothing was changed.',
    );
  await requestDrain(connection, name);
  const untilMs = performance.now() + timeoutMs;
  let shown = '';
  for (;;) {
    const list = await readNodes(connection);
    // Undone from elsewhere.
    if (!list.drainedNames.has(name)) throw new CommandError(`The drain of ${name} was undone meanwhile.`);
    const state = stateOf(list, name);
    const isLate = performance.now() > untilMs;
    if (state.drain === 'drained' || isLate) {
      const text = asJson ? JSON.stringify({ node: name, ...state }) : sentenceOf(name, state);
      process.stdout.write(`${text}\n`);
      return state.drain === 'drained' || timeoutMs === 0 ? 0 : NOT_YET;
    }
    const sentence = sentenceOf(name, state);
    if (sentence !== shown) process.stderr.write(`${sentence}\n`);
    shown = sentence;
    await sleep(POLL_MS);
  }
}

interface DrainProgress {
  drain: 'draining' | 'drained';
  /** False: no node with the name runs. */
  is_running: boolean;
  is_owner: boolean;
  runs: number;
}

function stateOf({ nodes }: NodeList, name: string): DrainProgress {
  const living = nodes.filter((node) => node.name === name && node.role !== 'lost');
  return {
    drain: living.every(({ drain: state }) => state === 'drained') ? 'drained' : 'draining',
    is_running: living.length > 0,
    is_owner: living.some(({ role }) => role === 'owner'),
    runs: living.reduce((sum, { runs }) => sum + runs, 0),
  };
}

function sentenceOf(name: string, { drain: state, is_running: isRunning, is_owner: isOwner, runs }: DrainProgress) {
  if (!isRunning) return `${name} does not run. It will be drained when it starts.`;
  if (state === 'drained')
    return `${name} is drained: it has no runs and is not the owner. It still passes requests on.`;
  const waits = [
    ...(runs > 0 ? [`${runs} run${runs === 1 ? '' : 's'} to end`] : []),
    ...(isOwner ? ['another node to take over'] : []),
  ];
  return waits.length === 0
    ? `${name} is being drained.`
    : `${name} takes no more runs, and waits for ${waits.join(' and ')}.`;
}

function requireKnown({ nodes, drainedNames }: NodeList, name: string): void {
  const names = [...new Set([...nodes.map((node) => node.name), ...drainedNames])];
  if (names.includes(name)) return;
  throw new CommandError(
    names.length === 0
      ? `There is no node ${name}: no node has joined the cluster.`
      : `There is no node ${name}. The nodes are: ${names.join(', ')}.`,
  );
}
