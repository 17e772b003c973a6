import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { dismiss } from '../helpers/in-page.js';
import { Gate } from '../helpers/gate.js';
import { schemaServer } from '../helpers/schema-server.js';
import { EXAMPLES, temporaryFolder, TEST_GRAPHS } from '../helpers/server.js';

/** The threads pages. */
const folder = temporaryFolder(t);
const server = await schemaServer(t, graphsOf(folder));
const { threads, runs } = server.client;

/** The examples, and test graphs with interrupts, gates and subgraphs. */
function graphsOf(into: string): string {
  const read = (file: string): [string, string][] =>
    Object.entries(
      (JSON.parse(readFileSync(file, 'utf8')) as { graphs: Record<string, string | { path: string }> }).graphs,
    ).map(([name, graph]) => [name, join(dirname(file), typeof graph === 'string' ? graph : graph.path)]);
  const wanted = ['chat', 'questions', 'gate', 'nested'];
  const graphs = Object.fromEntries([
    ...read(TEST_GRAPHS).filter(([name]) => wanted.includes(name)),
    ...read(EXAMPLES),
    ['review', join(dirname(TEST_GRAPHS), 'review.ts:graph')],
  ]);
  const file = join(into, 'langgraph.json');
  writeFileSync(file, JSON.stringify({ graphs }));
  return file;
}

async function conversation(graph: string, metadata: Record<string, unknown>, ...texts: string[]): Promise<string> {
  const { thread_id: id } = await threads.create({ metadata });
  for (const content of texts) await runs.wait(id, graph, { input: { messages: [{ role: 'user', content }] } });
  return id;
}

/** Set by any injected script that runs. */
const ran = (page: Page): Promise<unknown> => page.evaluate('globalThis.stolen');
const message = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true });
const answered = async (id: string): Promise<unknown[]> =>
  ((await threads.getState(id)).values as { messages?: { content: unknown }[] }).messages?.map(
    ({ content }) => content,
  ) ?? [];

t.test('finds threads by text, status, owner and metadata; a link restores the filters', async (t) => {
  const cafe = await conversation('agent', { owner: 'ada', team: 'support', tier: 2 }, 'Where is the Café Zürich?');
  const mail = await conversation('agent', { owner: 'bob', team: 'sales' }, 'Please send a mail');
  const empty = (await threads.create({ metadata: { owner: 'ada', note: 'zanzibar' } })).thread_id;
  const { page, open, accessible, picture, complaints } = await tab(t, server.url, { ownSession: true });
  await open('/threads');
  const table = page.getByRole('table', { name: 'Threads' });
  const row = (text: string) => table.getByRole('row').filter({ hasText: text });
  await row('Café').waitFor();
  t.equal(await row('Please send a mail').getByText('Waiting for input').count(), 1);
  t.match(await row('Café').innerText(), /agent\s+ada/);
  t.match(await row('Café').innerText(), /assistant: Hello!/, 'the last message');
  await accessible('list');
  await picture('threads');

  const only = async (...texts: string[]): Promise<void> => {
    await table.locator(`tbody > tr:last-child:nth-child(${texts.length})`).waitFor();
    for (const text of texts) await row(text).waitFor();
  };
  const text = page.getByRole('searchbox', { name: 'Text or ID' });
  await text.fill('café ZÜRICH');
  await only('Café');
  await text.fill('zanzi');
  await only(empty);
  await text.fill(mail.slice(0, 30));
  await only('Please send a mail');
  await text.fill('');
  await page.getByRole('textbox', { name: 'Owner' }).fill('ada');
  await only('Café', empty);
  await page.getByRole('textbox', { name: 'Metadata' }).fill('tier=2, team=support');
  await only('Café');
  await page.getByRole('textbox', { name: 'Metadata' }).fill('tier');
  await page.getByText('Write name=value').waitFor();
  await page.getByRole('textbox', { name: 'Metadata' }).fill('');
  await page.getByRole('textbox', { name: 'Owner' }).fill('');
  await page.getByRole('button', { name: /Status/ }).click();
  await page.getByRole('option', { name: 'Interrupted' }).click();
  await only('Please send a mail');
  t.match(page.url(), /status=interrupted/);
  await page.reload();
  await only('Please send a mail');
  await open(`/threads?metadata=${encodeURIComponent('{"team": "support"}')}&sort=created_at.asc`);
  await only('Café');
  await open('/threads?text=nowhere-to-be-found');
  await page.getByText('No matching threads').waitFor();

  const odd = '100%25 of a%2Fb & c+d';
  const literal = await conversation('agent', { title: 'Signs of an address' }, `Is it ${odd}?`);
  await text.fill(odd);
  await only('Signs of an address');
  t.equal(new URL(page.url()).searchParams.get('text'), odd);
  await page.reload();
  await only('Signs of an address');
  t.equal(await text.inputValue(), odd, 'text with URL characters survives a reload');
  await threads.delete(literal);

  await page.clock.install();
  await open('/threads?owner=ada');
  await only('Café', empty);
  const made = (await threads.create({ metadata: { owner: 'ada', title: 'Came by itself' } })).thread_id;
  // The list refreshes every five seconds.
  await page.clock.fastForward(5_000);
  await row('Came by itself').waitFor();
  for (const id of [empty, made]) await page.getByRole('checkbox', { name: `Select ${id}` }).check({ force: true });
  await page.getByRole('button', { name: 'Delete 2 threads' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await only('Café');
  await t.rejects(threads.get(made));
  await threads.get(cafe);
  t.same(complaints, []);
});

t.test('loads the list in pages', async (t) => {
  for (let n = 0; n < 30; n += 1) await threads.create({ metadata: { paged: true, title: `Page thread ${n}` } });
  const { page, open, complaints } = await tab(t, server.url);
  for (const sort of ['updated_at.desc', 'thread_id.asc']) {
    await open(`/threads?metadata=paged%3Dtrue&sort=${sort}`);
    await page.getByText('25 of 30 threads').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('30 threads', { exact: true }).waitFor();
    t.equal(new Set(await page.getByRole('link', { name: /^Page thread/ }).allInnerTexts()).size, 30);
    t.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
  }
  t.same(complaints, []);
});

t.test('opens 10,000 messages at the newest, rendering only visible rows', async (t) => {
  const all = Array.from({ length: 10_000 }, (_, at) => ({
    type: at % 2 ? 'ai' : 'human',
    id: `m${at}`,
    content: `Message ${at} of a long conversation`,
  }));
  const { thread_id: id } = await threads.create({
    graphId: 'echo',
    metadata: { title: 'A long conversation' },
    // In parts: a worker that computes for two seconds without a break is replaced.
    supersteps: [0, 2_500, 5_000, 7_500].map((from) => ({
      updates: [{ values: { messages: all.slice(from, from + 2_500) }, asNode: 'echo' }],
    })),
  });
  const { page, open, accessible, complaints } = await tab(t, server.url);
  await open(`/threads/${id}`);
  await message(page, 'Message 9999 of a long conversation').waitFor();
  await page.getByText('10,000 messages').waitFor();
  const rows = (): Promise<number> => page.getByRole('article').count();
  t.ok((await rows()) < 60, 'few rows are rendered');
  await accessible('10,000 messages');
  await page.getByRole('switch', { name: 'Oldest first' }).check({ force: true });
  await message(page, 'Message 0 of a long conversation').waitFor();
  t.match(page.url(), /order=oldest/);
  await page.getByRole('region', { name: 'Messages' }).evaluate((box) => {
    (box as unknown as { scrollTop: number }).scrollTop = 1e9;
  });
  await message(page, 'Message 9999 of a long conversation').waitFor();
  t.ok((await rows()) < 60);
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('message 777 OF');
  await page.getByText('1 of 10,000 messages').waitFor();
  t.equal(await rows(), 1);
  t.same(complaints, []);
});

t.test('answers an interrupt and sends another message', async (t) => {
  const id = await conversation('agent', {}, 'Please send a mail to Ada');
  const { page, open, accessible, picture, complaints } = await tab(t, server.url);
  await open(`/threads/${id}`);
  const asks = page.getByRole('region', { name: 'Waiting for input' });
  await asks.getByText('Send this mail to ada@example.org?').waitFor();
  await accessible('messages');
  await picture('thread-messages');
  await asks.getByRole('textbox', { name: 'Answer' }).fill('yes');
  await asks.getByRole('checkbox', { name: 'The answer is JSON' }).check({ force: true });
  await asks.getByRole('textbox', { name: 'Answer' }).fill('{"approved": tru');
  await asks.getByText('Invalid JSON').waitFor();
  await asks.getByRole('textbox', { name: 'Answer' }).fill('{"approved": true}');
  await asks.getByRole('button', { name: 'Answer', exact: true }).click();
  await message(page, 'Done. Mail to ada@example.org was sent.').waitFor();
  await asks.waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello again');
  await page.keyboard.press('Enter');
  await message(page, 'Hello again').waitFor();
  t.same((await answered(id)).slice(-2, -1), ['Hello again']);
  t.same(complaints, []);
});

t.test('answers several interrupts one by one, by id', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'questions', { input: { answers: ['start'] } });
  const { page, open, complaints } = await tab(t, server.url);
  await open(`/threads/${id}`);
  const asks = page.getByRole('region', { name: 'Waiting for input' });
  await asks.getByText('Asked by bob').waitFor();
  await asks.getByRole('textbox', { name: 'Answer' }).nth(1).fill('from bob');
  await asks.getByRole('button', { name: 'Answer', exact: true }).nth(1).click();
  await asks.getByText('Asked by bob').waitFor({ state: 'detached' });
  await asks.getByText('Asked by ada').waitFor();
  await asks.getByRole('textbox', { name: 'Answer' }).fill('from ada');
  await asks.getByRole('button', { name: 'Answer', exact: true }).click();
  await asks.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'State' }).click();
  await page.getByRole('tree', { name: 'Values of the state' }).getByText('"end"').waitFor();
  t.same(((await threads.getState(id)).values as { answers: string[] }).answers, [
    'start',
    'ada: from ada',
    'bob: from bob',
    'end',
  ]);
  t.same(complaints, []);
});

t.test('approves, edits and rejects actions of an agent', async (t) => {
  const { page, open, accessible, complaints } = await tab(t, server.url);
  for (const [decision, said] of [
    ['Approve', 'Done. Paid 5.'],
    ['Edit', 'Done. Paid 7.'],
    ['Reject', 'Done. Too much.'],
  ] as const) {
    const id = await conversation('review', {}, `Pay, ${decision}`);
    await open(`/threads/${id}`);
    const action = page.getByRole('group', { name: 'Decision about pay' });
    await action.getByRole('button', { name: decision }).click();
    if (decision === 'Edit') await page.getByRole('textbox', { name: 'amount' }).fill('7');
    if (decision === 'Reject') await page.getByRole('textbox', { name: 'Reason' }).fill('Too much.');
    if (decision === 'Edit') await accessible('decision');
    if (decision !== 'Approve') await page.getByRole('button', { name: 'Send decision' }).click();
    await message(page, said).waitFor();
  }
  t.same(complaints, []);
});

t.test("edits the state as a node, and shows the server's message on rejection", async (t) => {
  const id = await conversation('echo', {}, 'first');
  const { page, open, accessible, picture, complaints } = await tab(t, server.url);
  await open(`/threads/${id}?tab=state`);
  const tree = page.getByRole('tree', { name: 'Values of the state' });
  await tree.getByText('[2]').waitFor();
  await accessible('state');
  await picture('thread-state');
  await page.getByRole('button', { name: 'Edit state' }).click();
  const dialog = page.getByRole('dialog');
  await accessible('edit state');
  await dialog.getByRole('textbox', { name: 'Values' }).fill('{"messages": [{"role": "nobody"}]}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  t.match(await dialog.getByRole('alert').innerText(), /message/i);
  await dialog.getByRole('button', { name: /As node/ }).click();
  await page.getByRole('option', { name: 'echo' }).click();
  await dialog
    .getByRole('textbox', { name: 'Values' })
    .fill('{"messages": [{"role": "user", "content": "put in by hand"}]}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await tree.getByText('[3]').waitFor();
  t.same((await answered(id)).at(-1), 'put in by hand');
  t.same(complaints, []);
});

t.test('shows, compares and forks checkpoints', async (t) => {
  const id = await conversation('agent', {}, 'What is the weather in Berlin?', 'And the weather in Lisbon?');
  const { page, open, accessible, picture, complaints } = await tab(t, server.url);
  await open(`/threads/${id}?tab=history`);
  const line = page.getByRole('region', { name: 'Checkpoints, newest first' });
  await page.getByRole('heading', { name: 'State after step 8' }).waitFor();
  t.same(await line.getByRole('listitem').count(), 10);
  await accessible('history');
  await line.getByRole('button', { name: 'Compare with step 3, model_request' }).click();
  const changed = page.getByRole('region', { name: 'Changes' });
  await changed.getByText('4 messages added').waitFor();
  t.equal(await changed.getByText('And the weather in Lisbon?', { exact: true }).count(), 1);
  t.equal(await changed.getByText('What is the weather in Berlin?').count(), 0, 'unchanged messages are left out');
  t.equal(await changed.getByRole('table').count(), 1, 'the difference as JSON');
  await accessible('compared');
  await picture('thread-history');
  const link = page.url();
  await page.reload();
  await changed.getByText('4 messages added').waitFor();
  t.equal(page.url(), link, 'a link restores the comparison');

  await line
    .getByRole('button', { name: /model_request/ })
    .and(line.locator('[aria-pressed]'))
    .nth(2)
    .click();
  await page.getByRole('heading', { name: 'State after step 3' }).waitFor();
  await page.getByRole('button', { name: 'Fork' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('textbox', { name: 'Input' })
    .fill('{"messages": [{"role": "user", "content": "Only hello"}]}');
  await dialog.getByRole('button', { name: 'Start run' }).click();
  await page.getByRole('tab', { name: 'Messages' }).click();
  await message(page, 'Only hello').waitFor();
  await message(page, 'Hello! Ask me about the weather in Berlin or Lisbon, or to send a mail.').waitFor();
  t.same(
    (await answered(id)).filter((text) => String(text).includes('Lisbon?')),
    [],
    'the forked messages are not in this state',
  );
  await page.getByRole('tab', { name: 'History' }).click();
  await line.getByRole('button', { name: 'Compare with step 1, model_request' }).waitFor();

  await page.getByRole('button', { name: 'Edit state' }).click();
  await dialog
    .getByRole('textbox', { name: 'Values' })
    .fill('{"messages": [{"role": "user", "content": "edited into the past"}]}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await line.getByText('State update').waitFor();
  t.same((await answered(id)).at(-1), 'edited into the past');
  t.same(complaints, []);
});

t.test('shows the history of a subgraph', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'nested', { input: { question: 'Which colour?' } });
  const { page, open, complaints } = await tab(t, server.url);
  await open(`/threads/${id}?tab=history`);
  await page.getByRole('button', { name: 'Subgraph history' }).click();
  await page.getByText('History of the subgraph').waitFor();
  await page
    .getByRole('button', { name: /Compare with step .*/ })
    .first()
    .waitFor();
  await page.getByRole('tree', { name: 'Values at this checkpoint' }).getByText('"prepared"').waitFor();
  await page.getByRole('button', { name: 'Back to the main graph' }).click();
  await page.getByText('History of the subgraph').waitFor({ state: 'detached' });
  t.same(complaints, []);
});

t.test('shows why runs wait, cancels and deletes them', async (t) => {
  const gate = new Gate(folder);
  const { thread_id: id } = await threads.create({ metadata: { title: 'Held' } });
  await runs.create(id, 'gate', { input: { gate: gate.file, label: 'one' } });
  await gate.reached();
  await runs.create(id, 'gate', { input: { label: 'two' } });
  const { page, open, accessible, complaints } = await tab(t, server.url);
  await open(`/threads/${id}?tab=runs`);
  const table = page.getByRole('table', { name: 'Runs' });
  await table.getByText('of the same thread is executing').waitFor();
  t.equal(await page.getByRole('link', { name: 'Watch live' }).count(), 1);
  await accessible('runs');
  await table.getByRole('row').filter({ hasText: 'Queued' }).getByRole('button', { name: /^Run / }).click();
  await page.getByRole('menuitem', { name: 'Cancel', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
  await table.getByRole('row').filter({ hasText: 'Interrupted' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel runs' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Cancel run' }).waitFor({ state: 'detached' });
  await table.getByText('Running').waitFor({ state: 'detached' });
  t.same(
    (await runs.list(id)).map(({ status }) => status),
    ['interrupted', 'interrupted'],
  );
  await table.getByRole('button', { name: /^Run / }).first().click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await table.locator('tbody > tr:last-child:nth-child(1)').waitFor();
  t.equal((await runs.list(id)).length, 1);
  t.same(complaints, []);
});

t.test('edits metadata and retention; exports, prunes, copies and deletes a thread', async (t) => {
  const id = await conversation('echo', { title: 'To be kept', team: 'support' }, 'one', 'two');
  const { page, open, accessible, complaints } = await tab(t, server.url);
  await open(`/threads/${id}?tab=about`);
  const metadata = page.getByRole('textbox', { name: 'Metadata as JSON' });
  await metadata.fill('{"title": "Renamed", "team": null}');
  await page.getByText('has no effect').waitFor();
  await accessible('about');
  await threads.update(id, { metadata: { other: 1 } });
  const save = page.getByRole('region', { name: 'Metadata' }).getByRole('button', { name: 'Save' });
  await save.click();
  await page.getByRole('region', { name: 'Metadata' }).getByRole('alert').waitFor();
  t.equal((await threads.get(id)).metadata?.['title'], 'To be kept', 'a conflicting change is kept');
  await page.getByRole('button', { name: 'Load current version' }).click();
  t.match(await metadata.inputValue(), /"other": 1/);
  await metadata.fill('{"title": "Renamed", "team": null}');
  await save.click();
  await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
  t.matchStrict((await threads.get(id)).metadata, { title: 'Renamed', team: null, other: 1 });

  const retention = page.getByRole('region', { name: 'Retention' });
  await retention.getByRole('textbox', { name: 'Time to live (minutes)' }).fill('90');
  await retention.getByRole('textbox', { name: 'Latest states to keep' }).fill('50');
  await retention.getByRole('button', { name: 'Save' }).click();
  await retention.getByText('unless there is new activity').waitFor();
  t.match(await (await server.get(`/threads/${id}?include=ttl`)).json(), {
    ttl: { ttl_minutes: 90, strategy: 'delete' },
    keep_last: 50,
  });

  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  t.match(readFileSync(await (await file).path(), 'utf8'), /"format":2/);
  await page.getByRole('button', { name: 'Delete older states' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Older states deleted.').waitFor();
  t.equal((await threads.getHistory(id)).length, 1);

  await page.getByRole('button', { name: 'Copy thread' }).click();
  await page.waitForURL((url) => url.pathname.includes('/threads/') && !url.pathname.endsWith(id));
  await message(page, 'You said: two').waitFor();
  const copy = page.url().split('/').at(-1)!;
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Threads', level: 1 }).waitFor();
  await t.rejects(threads.get(copy));
  await open(`/threads/${copy}`);
  await page.getByText('Thread not found').waitFor();
  t.same(complaints, []);
});

t.test('shows hostile content as text, also on a narrow screen', async (t) => {
  const script = '<img src=x onerror="globalThis.stolen=1"><script>globalThis.stolen=1</script>';
  const arabic = 'مرحبا \u202e بالعالم';
  const id = await conversation(
    'chat',
    { title: script, owner: script, [script]: script, link: 'javascript:globalThis.stolen=1' },
    `${script} [x](javascript:globalThis.stolen=1)`,
    arabic,
  );
  await runs.wait(id, 'chat', {
    input: {
      messages: [
        { role: 'user', name: script, content: 'x'.repeat(1_000_000) },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: script, name: script, args: { [script]: arabic }, type: 'tool_call' }],
        },
      ],
    },
  });
  for (const [width, dark] of [
    [1_280, false],
    [390, true],
  ] as const) {
    const { page, open, accessible, complaints } = await tab(t, server.url, { width, dark });
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    const wide = (): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    await open(`/threads?owner=${encodeURIComponent(script)}`);
    await page.getByRole('link', { name: script }).waitFor();
    t.equal(await wide(), 0);
    await accessible(`hostile list at ${width}`);
    await page.getByRole('link', { name: script }).click();
    await page.getByRole('heading', { name: script, level: 1 }).waitFor();
    await page.getByText(`Tool call: ${script}`).waitFor();
    await page.getByRole('button', { name: 'Show full text' }).first().click();
    await page.getByRole('dialog').getByText('977 KiB').waitFor();
    await dismiss(page);
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('مرحبا');
    await message(page, arabic).waitFor();
    t.equal(await wide(), 0);
    await accessible(`hostile messages at ${width}`);
    for (const name of ['State', 'History', 'Runs', 'About']) {
      await page.getByRole('tab', { name }).click();
      await page.getByRole('tabpanel', { name }).locator('[role=tree], table, textarea').first().waitFor();
      t.equal(await wide(), 0, `${name} fits ${width} px`);
      await accessible(`hostile ${name} at ${width}`);
    }
    t.same([dialogs, await ran(page)], [0, undefined], 'no script has run');
    t.equal(await page.locator('a[href^="javascript:"], main img').count(), 0);
    t.same(complaints, []);
  }
});
