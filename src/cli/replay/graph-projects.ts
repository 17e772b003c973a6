import type { Client } from '../client.js';

const PAGE = 100;
const PROJECTS_MAX = 1_000;

/** Ids of the projects that have the traces of a graph's runs: one for each assistant, at most 1,000. */
export async function projectIdsOf(client: Client, graphId: string): Promise<string[]> {
  const metadata = encodeURIComponent(JSON.stringify({ graph_id: graphId }));
  const path = `/api/v1/sessions?metadata=${metadata}&include_stats=false&limit=${PAGE}`;
  const ids: string[] = [];
  for (let offset = 0; ids.length < PROJECTS_MAX; offset += PAGE) {
    const page = JSON.parse(await client.get(`${path}&offset=${offset}`)) as { id: string }[];
    ids.push(...page.map(({ id }) => id));
    if (page.length < PAGE) break;
  }
  return ids;
}
