import type { StreamMode } from '../../wire/runs/messages.js';
import { isProtocolName } from '../../wire/runs/protocol.js';

export type EventFilter = (eventName: string) => boolean;

/** Events that pass every filter (agent-server.md, 10.3). */
const ALWAYS = new Set(['metadata', 'error', 'end', 'feedback']);

/** Selects events by stream mode, and by the namespace in the event's name (`updates|node:uuid`). Null selects all. */
export function eventFilter(modes: readonly StreamMode[], namespaces: readonly string[] | null): EventFilter | null {
  const inMode = modeFilter(modes);
  if (namespaces === null || namespaces.length === 0) return inMode;
  const wanted = namespaces.map((one) => (one === '' ? [] : one.split('|')));
  return (name) => {
    if (isProtocolName(name)) return false;
    const [base, ...place] = name.split('|');
    if (place.length === 0 && ALWAYS.has(base!)) return true;
    return wanted.some((one) => isWithin(place, one)) && (inMode === null || inMode(name));
  };
}

function modeFilter(modes: readonly StreamMode[]): EventFilter | null {
  if (modes.length === 0) return null;
  const wanted = new Set<string>(modes.map((mode) => (mode === 'messages-tuple' ? 'messages' : mode)));
  const partial = modes.includes('messages');
  return (name) => {
    const base = name.split('|', 1)[0]!;
    return ALWAYS.has(base) || wanted.has(base) || (partial && base.startsWith('messages/'));
  };
}

/**
 * True for a namespace and those below it, except subagents: a tool call that runs a graph adds a segment `tools:` (the
 * clients have the same rule). A segment without a task id matches every task of its node.
 */
function isWithin(place: readonly string[], namespace: readonly string[]): boolean {
  return (
    namespace.every(
      (segment, at) =>
        place[at] === segment || (!segment.includes(':') && place[at]?.startsWith(`${segment}:`) === true),
    ) && !place.slice(namespace.length).some((segment) => segment.startsWith('tools:') || segment.startsWith('task:'))
  );
}
