
/**
 * Events of the second protocol (docs/decisions/0027). Their frames have names of their own, which say what filters ask:
 * `v2:channel|segment|segment`. What clients read is the envelope in the data.
 */
const MARK = 'v2:';

export function isProtocolName(name: string): boolean {
  return name.startsWith(MARK);
}

export function protocolName(channel: string, namespace: readonly string[]): string {
  return `${MARK}${[channel, ...namespace].join('|')}`;
}

/** What a frame's name says; null when it is none of this protocol. */
export function readProtocolName(name: string): { channel: string; namespace: string[] } | null {
  if (!isProtocolName(name)) return null;
  const [channel, ...namespace] = name.slice(MARK.length).split('|');
  return { channel: channel!, namespace };
}

export interface ProtocolEvent {
  method: string;
  namespace: readonly string[];
  /** Milliseconds since 1970. */
  timestamp: number;
  node?: string;
  /** JSON in one line. */
  data: string;
}

/** The whole event as clients read it, JSON. `eventId` names it for ever; its number as text unless something else must be told by it. */
export function envelope(seq: number, { method, namespace, timestamp, node, data }: ProtocolEvent, eventId = String(seq)): string {
  const params = `{"namespace":${JSON.stringify(namespace)},"timestamp":${timestamp}${node === undefined ? '' : `,"node":${JSON.stringify(node)}`},"data":${data}}`;
  return `{"type":"event","event_id":${JSON.stringify(eventId)},"seq":${seq},"method":${JSON.stringify(method)},"params":${params}}`;
}

