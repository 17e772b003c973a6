import type { Frame } from './frame.js';

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

/** Channels whose events the library tells under the task that made them, and Python's clients look for under its graph. */
const OF_TASKS: ReadonlySet<string> = new Set(['messages', 'tools']);

/** Where a client that thinks in graphs finds an event of a channel: one segment above, for what tasks tell. */
export function graphNamespace(channel: string, namespace: readonly string[]): readonly string[] {
  return OF_TASKS.has(channel) ? namespace.slice(0, -1) : namespace;
}

/** The frame with the namespace that such a client expects. */
export function graphFrame({ name, bytes }: Pick<Frame, 'name' | 'bytes'>): Uint8Array {
  const found = readProtocolName(name);
  if (found === null || found.namespace.length === 0 || !OF_TASKS.has(found.channel)) return bytes;
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // It stands before anything that users write.
  const told = Buffer.from(namespaceMember(found.namespace));
  const at = whole.indexOf(told);
  return Buffer.concat([
    whole.subarray(0, at),
    Buffer.from(namespaceMember(graphNamespace(found.channel, found.namespace))),
    whole.subarray(at + told.byteLength),
  ]);
}

function namespaceMember(namespace: readonly string[]): string {
  return `"namespace":${JSON.stringify(namespace)}`;
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
export function envelope(
  seq: number,
  { method, namespace, timestamp, node, data }: ProtocolEvent,
  eventId = String(seq),
): string {
  const params = `{${namespaceMember(namespace)},"timestamp":${timestamp}${node === undefined ? '' : `,"node":${JSON.stringify(node)}`},"data":${data}}`;
  return `{"type":"event","event_id":${JSON.stringify(eventId)},"seq":${seq},"method":${JSON.stringify(method)},"params":${params}}`;
}
