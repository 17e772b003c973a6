import { asObject, parseJson, type JsonObject } from '../../base/json/json.js';
import { VERSION } from '../../base/version.js';
import type { AssistantRecord } from '../../store/assistants.js';
import type { Exchange } from '../transport/exchange.js';

/** Members of the card that an assistant's `metadata.a2a` overrides. */
const OVERRIDABLE_FIELDS = [
  'name',
  'description',
  'version',
  'skills',
  'provider',
  'documentationUrl',
  'iconUrl',
  'defaultInputModes',
  'defaultOutputModes',
  'url',
];
const MODES = ['text/plain', 'application/json'];

/** The agent card that other agents read, as JSON. */
export function agentCardJson(
  { assistantId, graphId, name, description, metadata }: AssistantRecord,
  exchange: Exchange,
): string {
  const own = asObject(asObject(parseJson(metadata))['a2a']);
  const overrides = Object.fromEntries(Object.entries(own).filter(([key]) => OVERRIDABLE_FIELDS.includes(key)));
  const { url = agentUrl(exchange, assistantId), ...more } = overrides;
  const about = description === null || description === '' ? `Runs the graph ${graphId}.` : description;
  const card: JsonObject = {
    name,
    description: about,
    version: VERSION,
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    // Members for version 0.3.
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: [{ id: graphId, name, description: about, tags: ['langgraph'] }],
    ...more,
  };
  return JSON.stringify(card);
}

/**
 * The URL under which the client reached the server. A proxy in front tells through `x-forwarded-proto` whether
 * that was https.
 */
function agentUrl({ headers, path }: Exchange, assistantId: string): string {
  const prefix = path.slice(0, Math.max(0, path.search(/\/(?:\.well-known|a2a)\//)));
  const host = headers['host'] ?? '';
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}${prefix}/a2a/${assistantId}`;
}
