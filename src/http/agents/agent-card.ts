import { asObject, parseJson, type JsonObject } from '../../base/json/json.js';
import { VERSION } from '../../base/version.js';
import type { AssistantRecord } from '../../store/assistants.js';
import type { Exchange } from '../transport/exchange.js';

/** Members that an assistant's `metadata.a2a` says instead. */
const OWN = [
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

/** What other agents read of an assistant, JSON. */
export function agentCard(
  { assistantId, graphId, name, description, metadata }: AssistantRecord,
  exchange: Exchange,
): string {
  const own = asObject(asObject(parseJson(metadata))['a2a']);
  const said = Object.fromEntries(Object.entries(own).filter(([key]) => OWN.includes(key)));
  const { url = addressOf(exchange, assistantId), ...more } = said;
  const about = description === null || description === '' ? `Runs the graph ${graphId}.` : description;
  const card: JsonObject = {
    name,
    description: about,
    version: VERSION,
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    // What version 0.3 reads.
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

/** Where the client reached us; whatever stands before us says whether that was https. */
function addressOf({ headers, path }: Exchange, assistantId: string): string {
  const prefix = path.slice(0, Math.max(0, path.search(/\/(?:\.well-known|a2a)\//)));
  const host = headers['host'] ?? '';
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}${prefix}/a2a/${assistantId}`;
}
