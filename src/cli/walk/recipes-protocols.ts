import { GRAPH, type Records } from './records.js';
import { all, makes, type Parts, type Recipe } from './requests.js';

const rpc = (method: string, params: Record<string, unknown>): Parts => ({ body: { jsonrpc: '2.0', id: 1, method, params } });
const input = (own: Records): Record<string, unknown> => ({ arguments: { text: own.marker } });

/** Other protocols by which graphs are run. */
export const protocolRecipes: Readonly<Record<string, Recipe>> = {
  'POST /mcp': { tries: [
    makes((_, own) => rpc('tools/call', { name: GRAPH, ...input(own) })),
    all(() => rpc('tools/list', {})),
    // What is refused is told in an answer of status 200, so what is shown and changed counts.
    makes((of, own) => rpc('tools/call', { name: `walk-${of.get('assistant')}`, ...input(own) })),
  ] },
};
