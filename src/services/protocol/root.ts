import { boundedError } from '../../base/errors.js';
import { isResumeMap } from '../../store/runs/kwargs.js';
import { jsonFrame, type FrameBatch } from '../../wire/runs/frame.js';
import { envelope, protocolName } from '../../wire/runs/protocol.js';
import type { LiveRun, Outcome } from '../runs/live.js';

/** A run that was started by a command of the second protocol: all its events are that protocol's. */
export function speaksProtocol({ kwargs }: Pick<LiveRun, 'kwargs'>): boolean {
  return kwargs.stream_mode[0] === 'protocol';
}

type Told = (seq: number) => FrameBatch;

/** How the run begins, and which interrupts it answers. */
export function rootBegin(run: LiveRun, timestamp: number): Told[] {
  const { attempt } = run.record;
  const resume = run.kwargs.command?.['resume'];
  const begin = root(run, 'running', timestamp, {}, attempt === 1 ? '' : `:${attempt}`);
  // Other pages take what was asked from their readers.
  return isResumeMap(resume) && attempt === 1
    ? [begin, event('input', 'input.answered', timestamp, { interrupt_ids: Object.keys(resume) })]
    : [begin];
}

/** How it ends: every status has an end, or a page would wait for ever. */
export function rootEnd(run: LiveRun, { status, error, asks, refusal }: Outcome, timestamp: number): Told {
  switch (status) {
    case 'success':
      return root(run, asks === true ? 'interrupted' : 'completed', timestamp, {});
    case 'interrupted':
      return root(run, 'interrupted', timestamp, {});
    default:
      return root(run, 'failed', timestamp, {
        error: error === null ? status : boundedError(error).message,
        // Clients show the questions again that still wait.
        ...(refusal
          ? { reason: refusal.reason, interrupt_ids: refusal.interruptIds, pending_ids: refusal.pendingIds }
          : {}),
      });
  }
}

/** Its id says of which run it tells: clients that see an older run's end again look for that (streaming-protocol-v2.md, section 11). */
function root({ record }: LiveRun, what: string, timestamp: number, more: object, turn = ''): Told {
  return event(
    'lifecycle',
    'lifecycle',
    timestamp,
    { event: what, graph_name: record.graphId, ...more },
    `synth:${record.runId}:${what}${turn}`,
  );
}

function event(channel: string, method: string, timestamp: number, data: object, eventId?: string): Told {
  return (seq) =>
    jsonFrame(
      seq,
      protocolName(channel, []),
      envelope(seq, { method, namespace: [], timestamp, data: JSON.stringify(data) }, eventId),
    );
}
