import type { Frame } from './frame.js';

/**
 * Events of the second protocol (docs/decisions/0027). Their frame names contain what filters need:
 * `v2:channel|segment|segment`. Clients read the envelope in the data.
 */
const NAME_PREFIX = 'v2:';

export function isProtocolName(name: string): boolean {
  return name.startsWith(NAME_PREFIX);
}

export function protocolName(channel: string, namespace: readonly string[]): string {
  return `${NAME_PREFIX}${[channel, ...namespace].join('|')}`;
}

/** Parses a frame name. Null if the frame is not of this protocol. */
export function parseProtocolName(name: string): { channel: string; namespace: string[] } | null {
  if (!isProtocolName(name)) return null;
  const [channel, ...namespace] = name.slice(NAME_PREFIX.length).split('|');
  return { channel: channel!, namespace };
}

/**
 * The library reports events of these channels under the task that emitted them. Python clients expect them
 * under the graph of the task.
 */
const TASK_CHANNELS: ReadonlySet<string> = new Set(['messages', 'tools']);

/** Namespace of an event for clients that expect graph namespaces: one segment shorter for the events of tasks. */
export function graphNamespace(channel: string, namespace: readonly string[]): readonly string[] {
  return TASK_CHANNELS.has(channel) ? namespace.slice(0, -1) : namespace;
}

/** The frame, with the namespace that such a client expects. */
export function graphFrame({ name, bytes }: Pick<Frame, 'name' | 'bytes'>): Uint8Array {
  const parsed = parseProtocolName(name);
  if (parsed === null || parsed.namespace.length === 0 || !TASK_CHANNELS.has(parsed.channel)) return bytes;
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The first match is the right one: no user data comes before it.
  const member = Buffer.from(namespaceMember(parsed.namespace));
  const at = whole.indexOf(member);
  return Buffer.concat([
    whole.subarray(0, at),
    Buffer.from(namespaceMember(graphNamespace(parsed.channel, parsed.namespace))),
    whole.subarray(at + member.byteLength),
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

/**
 * The complete event as clients read it, in JSON. `eventId` is its permanent id. The default is its number;
 * other ids carry information.
 */
export function envelope(
  seq: number,
  { method, namespace, timestamp, node, data }: ProtocolEvent,
  eventId = String(seq),
): string {
  const params = `{${namespaceMember(namespace)},"timestamp":${timestamp}${node === undefined ? '' : `,"node":${JSON.stringify(node)}`},"data":${data}}`;
  return `{"type":"event","event_id":${JSON.stringify(eventId)},"seq":${seq},"method":${JSON.stringify(method)},"params":${params}}`;
}
