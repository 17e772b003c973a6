import { boundedError } from '../../base/errors.js';
import { isResumeMap } from '../../store/runs/kwargs.js';
import { jsonFrame, type FrameBatch } from '../../wire/runs/frame.js';
import { envelope, protocolName } from '../../wire/runs/protocol.js';
import type { LiveRun, Outcome } from '../runs/live.js';

/** True if the run was started by a command of the second protocol. All its events are then of that protocol. */
export function usesProtocolEvents({ kwargs }: Pick<LiveRun, 'kwargs'>): boolean {
  return kwargs.stream_mode[0] === 'protocol';
}

type Told = (seq: number) => FrameBatch;

/** Events at the start of a run: its status, and the interrupts that it answers. */
export function rootStartEvents(run: LiveRun, timestamp: number): Told[] {
  const { attempt } = run.record;
  const resume = run.kwargs.command?.['resume'];
  const begin = root(run, 'running', timestamp, {}, attempt === 1 ? '' : `:${attempt}`);
  // Tells other clients to remove the question.
  return isResumeMap(resume) && attempt === 1
    ? [begin, event('input', 'input.answered', timestamp, { interrupt_ids: Object.keys(resume) })]
    : [begin];
}

/** Event at the end of a run. Every status has one, because clients wait for it. */
export function rootEndEvent(run: LiveRun, { status, error, hasInterrupt, refusal }: Outcome, timestamp: number): Told {
  switch (status) {
    case 'success':
      return root(run, hasInterrupt === true ? 'interrupted' : 'completed', timestamp, {});
    case 'interrupted':
      return root(run, 'interrupted', timestamp, {});
    default:
      return root(run, 'failed', timestamp, {
        error: error === null ? status : boundedError(error).message,
        // Clients show the open questions again.
        ...(refusal
          ? { reason: refusal.reason, interrupt_ids: refusal.interruptIds, pending_ids: refusal.pendingIds }
          : {}),
      });
  }
}

/**
 * The event id contains the run id. Clients use it to recognize the repeated end of an older run
 * (streaming-protocol-v2.md, section 11).
 */
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
