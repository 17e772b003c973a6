import { WALK_GRAPH, type Records } from './records.js';
import { creates, lists, targets, type Recipe, type RequestParts } from './requests.js';

const rpc = (method: string, params: Record<string, unknown>): RequestParts => ({
  body: { jsonrpc: '2.0', id: 1, method, params },
});
const input = (own: Records): Record<string, unknown> => ({ arguments: { text: own.marker } });

const message = (method: string, own: Records, to: Record<string, string>): RequestParts =>
  rpc(method, {
    message: {
      messageId: own.marker,
      role: method === 'SendMessage' ? 'ROLE_USER' : 'user',
      parts: [{ kind: 'data', data: { text: own.marker } }],
      ...to,
    },
  });

/** MCP and A2A: other protocols that run graphs. */
export const protocolRecipes: Readonly<Record<string, Recipe>> = {
  'POST /mcp': {
    attempts: [
      creates((_, own) => rpc('tools/call', { name: WALK_GRAPH, ...input(own) })),
      lists(() => rpc('tools/list', {})),
      // Refusals have status 200 in this protocol. Only texts and changes can show a leak.
      creates((theirs, own) => rpc('tools/call', { name: `walk-${theirs.get('assistant')}`, ...input(own) })),
    ],
  },
  'POST /a2a/:assistant_id': {
    attempts: [
      creates((_, own) => ({ ...message('SendMessage', own, {}), params: { assistant_id: WALK_GRAPH } })),
      targets((theirs, own) => ({
        ...message('message/send', own, {}),
        params: { assistant_id: theirs.get('assistant') },
      })),
      // Refusals have status 200 in this protocol. Only texts and changes can show a leak.
      creates((theirs, own) => ({
        ...message('SendMessage', own, { contextId: theirs.get('thread') }),
        params: { assistant_id: WALK_GRAPH },
      })),
      creates((theirs) => ({
        ...rpc('GetTask', { id: theirs.get('run'), historyLength: 10 }),
        params: { assistant_id: WALK_GRAPH },
      })),
      creates((theirs) => ({
        ...rpc('ListTasks', { contextId: theirs.get('thread'), historyLength: 10 }),
        params: { assistant_id: WALK_GRAPH },
      })),
      creates((theirs) => ({
        ...rpc('CancelTask', { id: theirs.get('openRun') }),
        params: { assistant_id: WALK_GRAPH },
      })),
    ],
    destructiveOrder: 1,
  },
  'GET /.well-known/agent-card.json': {
    attempts: [
      lists(() => ({ query: { assistant_id: WALK_GRAPH } })),
      targets((theirs) => ({ query: { assistant_id: theirs.get('assistant') } })),
    ],
  },
  'GET /a2a/:assistant_id/.well-known/agent-card.json': {
    attempts: [
      lists(() => ({ params: { assistant_id: WALK_GRAPH } })),
      targets((theirs) => ({ params: { assistant_id: theirs.get('assistant') } })),
    ],
  },
};
