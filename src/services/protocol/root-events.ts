import { boundedError } from '../../base/errors.js';
import { isResumeMap } from '../../store/runs/kwargs.js';
import { jsonFrame, type FrameBatch } from '../../wire/runs/frame.js';
import { envelope, protocolName } from '../../wire/runs/protocol.js';
import type { LiveRun, Outcome } from '../runs/live.js';

/** True if the run was started by a command of the second protocol. All its events are then of that protocol. */
export function usesProtocolEvents({ kwargs }: Pick<LiveRun, 'kwargs'>): boolean {
  return kwargs.stream_mode[0] === 'protocol';
}

type EventFactory = (seq: number) => FrameBatch;

/** Events at the start of a run: its status, and the interrupts that it answers. */
export function rootStartEvents(run: LiveRun, timestamp: number): EventFactory[] {
  const { attempt } = run.record;
  const resume = run.kwargs.command?.['resume'];
  const startEvent = lifecycleEvent(run, 'running', timestamp, {});
  // Tells other clients to remove the question.
  return isResumeMap(resume) && attempt === 1
    ? [
        startEvent,
        event(timestamp, { channel: 'input', method: 'input.answered', data: { interrupt_ids: Object.keys(resume) } }),
      ]
    : [startEvent];
}

/** Event at the end of a run. Every status has one, because clients wait for it. */
export function rootEndEvent(
  run: LiveRun,
  { status, error, hasInterrupt, refusal }: Outcome,
  timestamp: number,
): EventFactory {
  switch (status) {
    case 'success':
      return lifecycleEvent(run, hasInterrupt === true ? 'interrupted' : 'completed', timestamp, {});
    case 'interrupted':
      return lifecycleEvent(run, 'interrupted', timestamp, {});
    default:
      return lifecycleEvent(run, 'failed', timestamp, {
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
 * (streaming-protocol-v2.md, section 11). Each attempt has its own `running` event.
 */
function lifecycleEvent({ record }: LiveRun, name: string, timestamp: number, more: object): EventFactory {
  const attemptSuffix = name === 'running' && record.attempt > 1 ? `:${record.attempt}` : '';
  return event(timestamp, {
    channel: 'lifecycle',
    method: 'lifecycle',
    data: { event: name, graph_name: record.graphId, ...more },
    eventId: `synth:${record.runId}:${name}${attemptSuffix}`,
  });
}

interface RootEvent {
  channel: string;
  method: string;
  data: object;
  /** Default: made from the sequence number. */
  eventId?: string;
}

function event(timestamp: number, { channel, method, data, eventId }: RootEvent): EventFactory {
  return (seq) =>
    jsonFrame(
      seq,
      protocolName(channel, []),
      envelope(seq, { method, namespace: [], timestamp, data: JSON.stringify(data) }, eventId),
      method,
    );
}
