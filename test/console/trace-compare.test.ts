import t from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { tab } from '../helpers/browser.js';
import { sideways } from '../helpers/in-page.js';
import { until as untilRead } from '../helpers/langsmith.js';
import { until } from '../helpers/page-until.js';
import { temporaryFolder, testServer, WITHOUT_TYPES } from '../helpers/server.js';
import { sendTrace, type SentStep } from '../helpers/sent-traces.js';

const HOUR_MS = 3_600_000;
const CODE = 'sha256-4f2a91c7d0b8e6';
const HOSTILE = '<img src=x onerror="document.title=1">';
const NOBODY = '00000000-0000-4000-8000-000000000000';

interface Version {
  model: string;
  answer: string;
  isNew?: boolean;
  error?: string;
  metadata?: Record<string, unknown>;
}

const usageOf = (tokens: number): object => ({
  input_tokens: 40,
  output_tokens: tokens - 40,
  total_tokens: tokens,
});

/** A run of the support graph. The ids and times of its messages differ each time. */
function supportRun({ model, answer, isNew = false, error, metadata = {} }: Version, startMs: number): SentStep {
  const question = { type: 'human', id: `human ${startMs}`, content: 'Where is my order?' };
  const reply = { type: 'ai', id: `lc_run--${startMs}`, content: answer, tool_calls: [] };
  const askedAt = new Date(startMs).toISOString();
  return {
    name: 'support',
    inputs: { messages: [question], asked_at: askedAt },
    outputs: { messages: [question, reply] },
    metadata: { thread_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', ...metadata },
    steps: [
      { name: 'classify', inputs: { text: 'Where is my order?' }, outputs: { kind: 'order' } },
      {
        name: 'answer',
        inputs: { messages: [question] },
        outputs: { messages: [reply] },
        steps: [
          ...(isNew
            ? [
                {
                  name: 'guard',
                  type: 'tool',
                  inputs: { text: 'x' },
                  outputs: { allowed: true },
                  steps: [{ name: 'rule' }],
                },
              ]
            : []),
          {
            name: 'ChatModel',
            type: 'llm',
            inputs: { messages: [[question]] },
            outputs: { generations: [[{ text: answer, message: reply }]], usage_metadata: usageOf(isNew ? 60 : 48) },
            metadata: { ls_provider: 'acme', ls_model_name: model },
          },
          {
            name: 'lookup',
            type: 'tool',
            inputs: { order: HOSTILE },
            ...(error === undefined ? { outputs: { found: true } } : { error }),
          },
        ],
      },
      ...(isNew ? [] : [{ name: 'log', outputs: { logged: true } }]),
    ],
  };
}

t.test('comparing traces in the console', async (t) => {
  const server = await testServer(t, { env: WITHOUT_TYPES });
  const nowMs = Date.now() - HOUR_MS;
  const send = (version: Version, project: string, startMs: number): Promise<string> =>
    sendTrace(server, supportRun(version, startMs), { project, startMs });
  const original = await send({ model: 'small-1', answer: 'It arrives on Monday.' }, 'support', nowMs);
  const repeated = await send({ model: 'small-1', answer: 'It arrives on Monday.' }, 'support', nowMs + 60_000);
  const replay = await send(
    {
      model: 'small-2',
      answer: 'It arrives on Friday.',
      isNew: true,
      error: 'RangeError: There is no such order.\n    at lookup (support.ts:12:3)',
      metadata: { replay_of: original, replay_code: CODE },
    },
    'replays',
    nowMs + 120_000,
  );
  await untilRead(
    () => server.get(`/api/v1/runs/${replay}`),
    ({ status }) => status === 200,
  );
  const comparison = `/traces/compare?left=${original}&right=${replay}`;

  await t.test('shows the first difference, and goes from one to the next', async (t) => {
    const { page, open, accessible, complaints, picture } = await tab(t, server.url);
    await open(comparison);
    await page.getByText('1 step equal, 4 differ, 1 only original, 2 only replay').waitFor();
    const sides = page.getByRole('table', { name: 'Both traces' });
    await sides.getByRole('row', { name: /Original: support.*Succeeded.*48/ }).waitFor();
    await sides.getByRole('row', { name: new RegExp(`Replay: support.*60.*${CODE.slice(0, 12)}`) }).waitFor();
    const tree = page.getByRole('tree', { name: 'Steps of both traces' });
    const rows = tree.getByRole('treeitem');
    t.strictSame(
      (await rows.allInnerTexts()).map((text) =>
        text
          .split('\n')
          .filter((line) => /^[A-Za-z]/.test(line))
          .join(' '),
      ),
      [
        'Original: support Outputs Replay: support',
        'Original: classify Equal Replay: classify',
        'Original: answer Outputs Replay: answer',
        'Only replay Replay: guard',
        'Only replay Replay: rule',
        'Original: ChatModel Outputs Replay: ChatModel',
        'Original: lookup Outputs, error, status Replay: lookup',
        'Original: log Only original',
      ],
    );
    await accessible('a comparison');

    const chosen = tree.locator('[aria-selected=true]');
    const shows = (name: string): Promise<void> => page.getByRole('region', { name, exact: true }).last().waitFor();
    t.match(await chosen.innerText(), /guard/, 'the first difference is open');
    await page.getByText('Difference 1 of 6').waitFor();
    await shows('guard');
    await page.keyboard.press('n');
    await page.getByText('Difference 2 of 6').waitFor();
    t.match(await chosen.innerText(), /ChatModel/, 'the steps below a step of one side are passed over');
    const outputs = page.getByRole('region', { name: 'Original outputs and Replay outputs' });
    await outputs.locator('mark', { hasText: 'Monday' }).first().waitFor();
    await outputs.locator('mark', { hasText: 'Friday' }).first().waitFor();
    t.equal(await outputs.locator('mark', { hasText: 'lc_run' }).count(), 0, 'ids of messages do not count');
    await page.evaluate('document.querySelector("[aria-label=Steps]").scrollIntoView()');
    await picture('trace-compare');
    await page.getByRole('heading', { name: 'Inputs (equal)' }).waitFor();
    await page.getByRole('cell', { name: 'acme · small-2' }).waitFor();

    await page.getByRole('button', { name: /^Next/ }).click();
    await page.getByText('Difference 3 of 6').waitFor();
    const error = page.getByRole('region', { name: 'Original and Replay' });
    await error.getByText('RangeError: There is no such order.').waitFor();
    t.equal(await error.getByText('support.ts:12').count(), 0, 'the stack does not count');
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('n');
    await page.getByText('Difference 6 of 6').waitFor();
    t.match(await chosen.innerText(), /support/, 'the outputs of the run are the last difference');
    t.equal(await page.getByRole('button', { name: /^Next/ }).isDisabled(), true);
    await page.keyboard.press('p');
    await page.getByText('Difference 5 of 6').waitFor();
    t.equal(await page.title(), 'Compare traces · Threadmill', 'nothing of a trace is executed');
    t.strictSame(complaints, []);
  });

  await t.test('works with the keyboard alone', async (t) => {
    const { page, open, complaints } = await tab(t, server.url);
    await open(comparison);
    const tree = page.getByRole('tree', { name: 'Steps of both traces' });
    await tree.waitFor();
    for (let press = 0; press < 40; press += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.getAttribute("aria-label")')) === 'Steps of both traces') break;
    }
    const chosen = tree.locator('[aria-selected=true]');
    await page.keyboard.press('Home');
    await until(page, `document.querySelector('[role=tree] [aria-selected=true]').textContent.includes('support')`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await until(page, `document.querySelector('[role=tree] [aria-selected=true]').textContent.includes('answer')`);
    await page.keyboard.press('ArrowLeft');
    await tree.getByText('ChatModel').first().waitFor({ state: 'detached' });
    t.match(await chosen.getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('n');
    await page.getByText('Difference 1 of 6').waitFor();
    t.match(await chosen.innerText(), /guard/, 'the pairs above a difference are opened');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await until(page, `document.querySelector('[role=tree] [aria-selected=true]').textContent.includes('answer')`);
    t.strictSame(complaints, []);
  });

  await t.test('leaves out equal steps, and shows ids and times, on request', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url, { dark: true });
    await open(`/traces/compare?left=${original}&right=${repeated}`);
    await page.getByText('6 steps equal, 0 differ, 0 only left, 0 only right').waitFor();
    await page.getByText('No differences').waitFor();
    await page.getByText('Only differences').click();
    await page.getByText('Both runs did the same, except for ids and times.').waitFor();
    await accessible('equal traces');
    await page.getByText('Ids and times', { exact: true }).click();
    await page.getByText('3 steps equal, 3 differ').waitFor();
    await page.getByRole('treeitem').nth(2).waitFor();
    t.equal(await page.getByRole('treeitem', { name: /classify/ }).count(), 0);
    await page.keyboard.press('n');
    await page
      .locator('mark', { hasText: 'human' })
      .or(page.locator('mark', { hasText: String(nowMs) }))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Swap sides' }).click();
    await until(page, `new URLSearchParams(location.search).get('left') === '${repeated}'`);
    t.strictSame(complaints, []);
  });

  await t.test('stacks the sides on a phone', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390, height: 844 });
    await open(`${comparison}&step=${original}`);
    const removed = page.locator('mark', { hasText: 'Monday' }).first();
    await removed.waitFor();
    const [before, after] = [
      (await removed.boundingBox())!,
      (await page.locator('mark', { hasText: 'Friday' }).first().boundingBox())!,
    ];
    t.ok(after.y > before.y, 'the new text is below the old one');
    t.equal(await sideways(page), 0, 'nothing scrolls sideways');
    await accessible('a comparison on a phone');
    t.strictSame(complaints, []);
  });

  await t.test('begins at a trace: its original run, its replays, or another trace', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/traces/${replay}`);
    await page.getByRole('link', { name: 'Compare with the original run' }).click();
    await page.getByText('Difference 1 of 6').waitFor();
    await page.getByRole('link', { name: /^Original: support/ }).click();
    const replays = page.getByRole('region', { name: 'Replays of this run' });
    await replays.getByRole('cell', { name: CODE.slice(0, 12) }).waitFor();
    await accessible('a run with replays');
    await replays.getByRole('link', { name: 'Compare with support' }).click();
    await page.getByText('Difference 1 of 6').waitFor();
    t.match(page.url(), `left=${original}&right=${replay}`, 'the original is on the left');

    await open(`/traces/${original}`);
    await page.getByRole('button', { name: 'Compare with…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare with another trace' });
    const field = dialog.getByRole('combobox', { name: 'Trace' });
    await field.fill('nonsense');
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
    await dialog.getByText('This is no id of a trace.').waitFor();
    await accessible('the choice of a trace');
    await field.fill('');
    await page.getByRole('option', { name: /same thread/ }).click();
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('6 steps equal').waitFor();
    t.match(page.url(), `left=${original}&right=${repeated}`);

    await open(`/traces/${original}`);
    await page.getByRole('button', { name: 'Compare with…' }).click();
    await field.fill(`${server.url}/console/traces/${replay}?step=${NOBODY}`);
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('Difference 1 of 6').waitFor();
    t.strictSame(complaints, []);
  });

  await t.test('says what is wrong with an id', async (t) => {
    const { page, open, accessible, complaints } = await tab(t, server.url);
    await open(`/traces/compare?left=${original}&right=nonsense`);
    await page.getByText('This is no id of a trace.').waitFor();
    await accessible('a bad id');
    await page.getByRole('textbox', { name: 'Right trace' }).fill(NOBODY);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('The right trace does not exist').waitFor();
    await accessible('a trace that does not exist');
    await page.getByRole('textbox', { name: 'Right trace' }).fill(original.toUpperCase());
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('Both sides are the same trace.').waitFor();
    await page.getByText('No differences').waitFor();

    const steps = (await (
      await server.post('/api/v1/runs/query', { trace: replay, run_type: 'llm', select: ['id'] })
    ).json()) as { runs: { id: string }[] };
    await open(`/traces/compare?left=${original}&right=${steps.runs[0]!.id}`);
    await page.getByText('Difference 1 of 6').waitFor();
    t.pass('the id of a step stands for its trace');
    t.strictSame(complaints, []);
  });

  await t.test('shows 10,000 steps without delay', async (t) => {
    const many = (odd: number): SentStep => ({
      name: 'batch',
      steps: Array.from({ length: 9_999 }, (_, at) => ({
        name: `item ${at % 10}`,
        outputs: { value: at === odd ? 'odd' : at },
      })),
    });
    const [left, right] = [
      await sendTrace(server, many(-1), { project: 'long', startMs: nowMs }),
      await sendTrace(server, many(7_777), { project: 'long', startMs: nowMs + 60_000 }),
    ];
    const { page, open, complaints } = await tab(t, server.url);
    await open(`/traces/compare?left=${left}&right=${right}`);
    await page.getByText('9,999 steps equal, 1 differs').waitFor();
    const tree = page.getByRole('tree', { name: 'Steps of both traces' });
    const chosenAt = (position: number): string => `(() => {
      const tree = document.querySelector('[aria-label="Steps of both traces"]');
      const row = tree.querySelector('[aria-selected=true]');
      if (row?.getAttribute('aria-posinset') !== '${position}') return false;
      const [inner, outer] = [row.getBoundingClientRect(), tree.getBoundingClientRect()];
      return inner.top >= outer.top && inner.bottom <= outer.bottom;
    })()`;
    await until(page, chosenAt(7_778));
    t.ok((await tree.getByRole('treeitem').count()) < 100, 'only visible rows are rendered');
    await tree.focus();
    const startMs = performance.now();
    for (let press = 0; press < 20; press += 1) await page.keyboard.press('ArrowDown');
    await until(page, chosenAt(7_798));
    t.ok(performance.now() - startMs < 10_000, 'twenty steps take little time');
    await page.keyboard.press('p');
    await until(page, chosenAt(7_778));
    t.strictSame(complaints, []);
  });
});

t.test('says that a key may not read traces', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text: key } = createKey(dataFolder, { name: 'narrow', scopes: ['crons'] });
  const server = await testServer(t, { dataFolder, env: WITHOUT_TYPES });
  const { page, open, accessible } = await tab(t, server.url, { ownSession: true });
  await open(`/traces/compare?left=${NOBODY}&right=${NOBODY}`);
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText(/scope/).waitFor();
  await accessible('a comparison without access');
});
