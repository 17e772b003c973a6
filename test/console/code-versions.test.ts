import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readProject } from '../../src/config/config.js';
import { tab } from '../helpers/browser.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

const sourceOf = (word: string): string => `
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
export const graph = new StateGraph(Annotation.Root({ text: Annotation<string> }))
  .addNode('say', () => ({ text: '${word}' }))
  .addEdge(START, 'say')
  .addEdge('say', END)
  .compile();
`;

t.test('shows the versions of the code, and which of them a run used', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'langgraph.json');
  const source = join(folder, 'agent.ts');
  writeFileSync(source, sourceOf('first'));
  writeFileSync(file, JSON.stringify({ graphs: { agent: './agent.ts:graph' }, traces: true }));
  const server = await testServer(t, { config: file });
  const { client } = server;
  const { thread_id: threadId } = await client.threads.create();
  await client.runs.wait(threadId, 'agent', { input: { text: 'an old whale' } });
  const [run] = await client.runs.list(threadId);
  const { code_version: first } = run as unknown as { code_version: string };
  writeFileSync(source, sourceOf('second'));
  await server.reload(readProject(file));
  await client.runs.wait(threadId, 'agent', { input: { text: 'a new whale' } });

  const { page, open, accessible, picture, complaints } = await tab(t, server.url);
  await open('/server?tab=code');
  const table = page.getByRole('table', { name: 'Versions of agent' });
  await table.getByRole('row', { name: new RegExp(`^${first} Kept`) }).waitFor();
  t.equal(await table.getByRole('row', { name: /^[0-9a-f]{12} Current/ }).count(), 1);
  await page.getByText(/The server keeps 20 versions of each graph.*continue with the newest version/).waitFor();
  await accessible('code');
  await picture('server-code');

  await table.getByRole('link', { name: `Traces of ${first}` }).click();
  await page.getByText(/Only traces.*that match/).waitFor();
  await page.getByRole('link', { name: /an old whale/ }).click();
  await page.getByText('Code version').waitFor();
  await page.getByText(first, { exact: true }).first().waitFor();
  t.ok(page.url().endsWith(`/traces/${run!.run_id}`), 'the only trace of the old version');

  await open(`/threads/${threadId}?tab=runs`);
  await page.getByRole('button', { name: `Run ${run!.run_id}` }).click();
  await page.getByRole('menuitem', { name: 'Show details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run details' });
  await dialog.getByText(first, { exact: true }).first().waitFor();
  t.same(complaints, []);

  const phone = await tab(t, server.url, { width: 390, dark: true, ownSession: true });
  await phone.open('/server?tab=code');
  await phone.page.getByRole('row', { name: new RegExp(`^${first} Kept`) }).waitFor();
  t.equal(await phone.page.evaluate('document.documentElement.scrollWidth'), 390, 'no sideways scrolling');
  await phone.accessible('code on a phone');
});
