import { isUuid } from '../base/ids.js';
import { CommandError, type Client } from './client.js';

/** The id of the dataset or project with this name. Null if there is none. */
export async function findByName(client: Client, kind: 'datasets' | 'sessions', name: string): Promise<string | null> {
  const found = JSON.parse(await client.get(`/api/v1/${kind}?name=${encodeURIComponent(name)}`)) as { id: string }[];
  return found[0]?.id ?? null;
}

/** The id of a project that --project names by its id or its name. Throws CommandError if there is none. */
export async function projectIdOf(client: Client, project: string): Promise<string> {
  if (isUuid(project)) return project;
  const found = await findByName(client, 'sessions', project);
  if (found === null) throw new CommandError(`--project: there is no project "${project}".`);
  return found;
}
