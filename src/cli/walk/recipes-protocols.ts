import { GRAPH, type Records } from './records.js';
import { all, makes, names, type Parts, type Recipe } from './requests.js';

const rpc = (method: string, params: Record<string, unknown>): Parts => ({
  body: { jsonrpc: '2.0', id: 1, method, params },
});
const input = (own: Records): Record<string, unknown> => ({ arguments: { text: own.marker } });

const message = (method: string, own: Records, to: Record<string, string>): Parts =>
  rpc(method, {
    message: {
      messageId: own.marker,
      role: method === 'SendMessage' ? 'ROLE_USER' : 'user',
      parts: [{ kind: 'data', data: { text: own.marker } }],
      ...to,
    },
  });

/** Other protocols by which graphs are run. */
export const protocolRecipes: Readonly<Record<string, Recipe>> = {
  'POST /mcp': {
    tries: [
      makes((_, own) => rpc('tools/call', { name: GRAPH, ...input(own) })),
      all(() => rpc('tools/list', {})),
      // What is refused is told in an answer of status 200, so what is shown and changed counts.
      makes((of, own) => rpc('tools/call', { name: `walk-${of.get('assistant')}`, ...input(own) })),
    ],
  },
  'POST /a2a/:assistant_id': {
    tries: [
      makes((_, own) => ({ ...message('SendMessage', own, {}), params: { assistant_id: GRAPH } })),
      names((of, own) => ({ ...message('message/send', own, {}), params: { assistant_id: of.get('assistant') } })),
      // What is refused is told in an answer of status 200, so what is shown and changed counts.
      makes((of, own) => ({
        ...message('SendMessage', own, { contextId: of.get('thread') }),
        params: { assistant_id: GRAPH },
      })),
      makes((of) => ({ ...rpc('GetTask', { id: of.get('run'), historyLength: 10 }), params: { assistant_id: GRAPH } })),
      makes((of) => ({
        ...rpc('ListTasks', { contextId: of.get('thread'), historyLength: 10 }),
        params: { assistant_id: GRAPH },
      })),
      makes((of) => ({ ...rpc('CancelTask', { id: of.get('openRun') }), params: { assistant_id: GRAPH } })),
    ],
    ends: 1,
  },
  'GET /.well-known/agent-card.json': {
    tries: [
      all(() => ({ query: { assistant_id: GRAPH } })),
      names((of) => ({ query: { assistant_id: of.get('assistant') } })),
    ],
  },
  'GET /a2a/:assistant_id/.well-known/agent-card.json': {
    tries: [
      all(() => ({ params: { assistant_id: GRAPH } })),
      names((of) => ({ params: { assistant_id: of.get('assistant') } })),
    ],
  },
};
