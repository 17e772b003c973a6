import t from 'tap';
import { tab } from '../helpers/browser.js';
import { dismiss, focused, rows, sideways } from '../helpers/in-page.js';
import { until } from '../helpers/page-until.js';
import { schemaServer } from '../helpers/schema-server.js';
import { EXAMPLES } from '../helpers/server.js';

const SCRIPT = '<script>document.title="taken"</script>';
const RIGHT_TO_LEFT = 'مساعد يكتب من اليمين';

/** Schedules with their description. Null: the form shows no description. */
const SENTENCES: readonly (readonly [schedule: string, words: string | null])[] = [
  ['* * * * *', 'Every minute'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['0/15 9-17 * * 1-5', 'Every 15 minutes from 09:00 to 17:59 from Monday to Friday'],
  ['0 * * * *', 'Every hour, on the hour'],
  ['5 */6 * * *', 'Every 6 hours from 00:05'],
  ['30 9-17/2 * * *', 'Every 2 hours from 09:30 to 17:30'],
  ['0,30 9 * * sat,SUN', 'At 09:00 and 09:30 on Saturday and Sunday'],
  ['0 0 L * *', 'At 00:00 on the last day of the month'],
  ['0 0 15W * *', 'At 00:00 on the working day nearest to the 15th'],
  ['0 8 * * 5L', 'At 08:00 on the last Friday of the month'],
  ['0 8 * * fri#L', 'At 08:00 on the last Friday of the month'],
  ['0 8 * * 1#2', 'At 08:00 on the 2nd Monday of the month'],
  ['0 8 13 * 5', 'At 08:00 on the 13th of the month, and also on Friday'],
  ['0 8 13 * +5', 'At 08:00 on the 13th of the month, if that is Friday'],
  ['0 0 1 jan,jul *', 'At 00:00 on the 1st of the month in January and July'],
  ['@weekly', 'At 00:00 on Sunday'],
  ['17 3 */2 6-8 *', 'At 03:17 every 2 days from the 1st of the month in June to August'],
  ['61 * * * *', null],
  ['0 9 * *', null],
  ['whenever', null],
];

t.test('crons page', async (t) => {
  const { client, url, get, post } = await schemaServer(t, EXAMPLES);

  await t.test('creates a cron with a schedule in words; pauses, resumes, edits and deletes it', async (t) => {
    const assistant = await client.assistants.create({ graphId: 'echo', name: 'Morning digest' });
    const { page, open, accessible, complaints } = await tab(t, url);
    await open('/crons');
    await page.getByText('No crons found').waitFor();
    await page.getByRole('button', { name: 'New cron' }).click();
    const dialog = page.getByRole('dialog');
    const next = dialog.getByRole('region', { name: 'Next runs' });
    await next.getByText('At 09:00', { exact: true }).waitFor();
    t.equal(await next.getByRole('listitem').count(), 5);
    await dialog.getByRole('button', { name: 'Repeats' }).click();
    await page.getByRole('option', { name: 'Every week' }).click();
    await dialog.getByLabel('At', { exact: true }).fill('17:30');
    await next.getByText('At 17:30 on Monday', { exact: true }).waitFor();
    await next
      .getByText(/^Monday .* at 17:30$/)
      .nth(4)
      .waitFor();
    await dialog.getByRole('button', { name: 'Repeats' }).click();
    await page.getByRole('option', { name: 'Own expression' }).click();
    const schedule = dialog.getByLabel('Schedule');
    t.equal(await schedule.inputValue(), '30 17 * * 1', 'the expression of the preset');
    for (const [text, words] of SENTENCES) {
      await schedule.fill(text);
      await next.getByText(words ?? /^(Five fields|Invalid value for minute)/, { exact: true }).waitFor();
    }
    t.ok(await dialog.getByRole('button', { name: 'Create' }).isDisabled(), 'requires an assistant');
    await dialog.getByRole('combobox', { name: 'Assistant' }).fill('MORNING');
    // Until the search returns, the list still has all assistants.
    await until(page, "document.querySelectorAll('[role=option]').length === 1");
    await page.getByRole('option', { name: 'Morning digest' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    t.equal(
      await dialog.getByRole('combobox', { name: 'Assistant' }).inputValue(),
      'Morning digest',
      'selected with the keyboard',
    );
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('berl');
    await page.getByRole('option', { name: 'Europe/Berlin' }).click();
    await dialog.getByLabel('Message', { exact: true }).fill('good morning');
    await dialog.getByText('Context, configuration, metadata and more').click();
    await dialog.getByLabel('Metadata').fill('{"team": "blue"}');
    await dialog.getByLabel('More options').fill('{"durability": "exit", "interrupt_before": ["say"]}');
    await dialog.getByRole('button', { name: 'Thread after the run' }).click();
    await page.getByRole('option', { name: 'Keep', exact: true }).click();
    await accessible('the form');
    await schedule.fill('0 0 30 2 *');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').getByText('matches no time').waitFor();
    await schedule.fill('0 9 * * mon-fri');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'At 09:00 from Monday to Friday' }).waitFor();
    await page.getByRole('link', { name: 'Morning digest' }).waitFor();
    await accessible('the cron');
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    t.match(await (await get(`/runs/crons/${id}`)).json(), {
      assistant_id: assistant.assistant_id,
      schedule: '0 9 * * mon-fri',
      timezone: 'Europe/Berlin',
      enabled: true,
      on_run_completed: 'keep',
      metadata: { team: 'blue' },
      payload: { input: { messages: [{ content: 'good morning' }] }, durability: 'exit', interrupt_before: ['say'] },
    });

    await page.getByText('Enabled', { exact: true }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    t.equal(((await (await get(`/runs/crons/${id}`)).json()) as { enabled: boolean }).enabled, false);
    await page.getByText('Enabled', { exact: true }).click();
    await page.getByText('Paused', { exact: true }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Edit' }).click();
    t.match(await dialog.getByLabel('More options').inputValue(), /"durability": "exit"/);
    t.match(await dialog.getByRole('button', { name: 'Repeats' }).textContent(), 'Monday to Friday');
    await dialog.getByRole('button', { name: 'Repeats' }).click();
    await page.getByRole('option', { name: 'Own expression' }).click();
    await dialog.getByLabel('Schedule').fill('30 7 1 * *');
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('');
    await dialog.getByLabel('More options').fill('{"durability": "sync"}');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'At 07:30 on the 1st of the month' }).waitFor();
    const after = (await (await get(`/runs/crons/${id}`)).json()) as {
      timezone: unknown;
      payload: Record<string, unknown>;
    };
    t.same(
      [after.timezone, after.payload['durability'], after.payload['interrupt_before'] ?? null, after.payload['input']],
      [null, 'sync', null, { messages: [{ role: 'user', content: 'good morning' }] }],
      'emptied fields are removed, other fields are unchanged',
    );

    await page.getByRole('link', { name: 'Crons' }).last().click();
    await page.getByRole('table', { name: 'Crons' }).getByRole('link', { name: 'At 07:30' }).waitFor();
    await page.getByRole('table', { name: 'Crons' }).getByRole('link', { name: 'At 07:30' }).click();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await accessible('the confirmation');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No crons found').waitFor();
    t.equal((await get(`/runs/crons/${id}`)).status, 404);
    t.same(complaints, []);
  });

  await t.test('finds crons by assistant, thread and state in pages', async (t) => {
    const { thread_id: thread } = await client.threads.create();
    for (let at = 0; at < 30; at += 1)
      await client.crons.create('echo', { schedule: `${at} 5 * * *`, enabled: at >= 3 });
    await client.crons.createForThread(thread, 'research', { schedule: '0 6 * * *', input: { topic: 'tea' } });
    const { page, open, accessible, complaints } = await tab(t, url);
    await open('/crons');
    await page.getByText('1 to 25 of 31').waitFor();
    await accessible('the list');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('26 to 31 of 31').waitFor();
    await page.getByRole('button', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Paused', exact: true }).click();
    await rows(page, 3);
    await page.getByRole('switch', { name: 'Enabled: At 05:01' }).press(' ');
    await rows(page, 2);
    await open('/crons');
    await page.getByRole('combobox', { name: 'Assistant' }).fill('resea');
    await until(page, "document.querySelectorAll('[role=option]').length === 1");
    await page.getByRole('option', { name: 'research' }).click();
    await rows(page, 1);
    t.match(page.url(), /assistant=[0-9a-f-]{36}/);
    await page.reload();
    await rows(page, 1);
    t.equal(
      await page.getByRole('combobox', { name: 'Assistant' }).inputValue(),
      'research',
      'the field shows the name for the id in the link',
    );
    await open('/crons');
    await page.getByLabel('Thread').fill('abc');
    await page.getByText('Enter a complete thread ID.').waitFor();
    await page.getByLabel('Thread').fill(thread);
    await rows(page, 1);
    t.equal(await page.getByRole('link', { name: 'Fixed thread' }).getAttribute('href'), `/console/threads/${thread}`);
    t.same(complaints, []);
  });

  await t.test('lists different kinds of crons', async (t) => {
    const { thread_id: thread } = await client.threads.create();
    await client.crons.create('echo', { schedule: '0 8 1 * *', enabled: false });
    await client.crons.createForThread(thread, 'research', { schedule: '*/15 * * * *', input: { topic: 'tea' } });
    await client.crons.create('agent', {
      schedule: '0 9 * * mon-fri',
      timezone: 'Europe/Berlin',
      onRunCompleted: 'keep',
    });
    const { page, open, complaints, picture } = await tab(t, url);
    await open('/crons');
    await page.getByRole('link', { name: 'At 09:00 from Monday to Friday' }).waitFor();
    await page.getByRole('link', { name: 'agent' }).waitFor();
    await picture('crons');
    t.same(complaints, []);
  });

  await t.test('shows a rejected run and hostile content as text at 390 and 2,560 px', async (t) => {
    const assistant = await client.assistants.create({ graphId: 'echo', name: SCRIPT });
    const { cron_id: id } = (await (
      await post('/runs/crons', {
        assistant_id: assistant.assistant_id,
        schedule: '0 4 1 1 *',
        enabled: false,
        input: { [SCRIPT]: RIGHT_TO_LEFT, long: 'y'.repeat(100_000) },
        metadata: { [RIGHT_TO_LEFT]: SCRIPT },
      })
    ).json()) as { cron_id: string };
    for (const [width, dark] of [
      [390, true],
      [2_560, false],
    ] as const) {
      const { page, open, accessible, complaints } = await tab(t, url, { width, dark });
      await page.route(`**/runs/crons/${id}`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          json: {
            ...((await response.json()) as object),
            last_error: {
              error: 'THREAD_BUSY',
              message: `${SCRIPT} has a run`,
              at: '2026-01-01T00:00:00.000000+00:00',
            },
          },
        });
      });
      await open(`/crons?assistant=${assistant.assistant_id}&enabled=off`);
      await page.getByRole('link', { name: SCRIPT }).waitFor();
      await accessible(`the list at ${width}`);
      t.equal(await sideways(page), 0);
      await page.getByRole('link', { name: 'At 04:00' }).click();
      await page.getByRole('alert').getByText(`THREAD_BUSY: ${SCRIPT} has a run`).waitFor();
      await page.getByRole('tree', { name: 'Run payload' }).getByText('yyy').waitFor();
      await accessible(`one at ${width}`);
      t.equal(await sideways(page), 0);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByRole('group', { name: 'Input', exact: true }).waitFor();
      await accessible(`the form at ${width}`);
      await dismiss(page);
      t.equal(await focused(page), 'Edit');
      t.same(complaints, []);
    }
  });
});
