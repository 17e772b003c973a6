import t from 'tap';
import { tab } from '../helpers/browser.js';
import { runServer } from '../helpers/console-run.js';

const server = await runServer();

const CODE = 'const city: string = "Lisbon";\nconst degrees = 24;';
const ANSWER = `## Weather

The answer of **two** sources, see [the forecast](https://example.com/forecast).

- Lisbon is sunny
  1. in the morning
- [x] checked

| City | Degrees |
|---|--:|
| Lisbon | 24 |

\`\`\`ts
${CODE}
\`\`\`

Ask again tomorrow: the forecast changes every morning.
`;

const HOSTILE = `<img src=x onerror="globalThis.stolen=1"><script>globalThis.stolen=1</script>
[x](javascript:globalThis.stolen=1)

![a chart](https://example.com/chart.png)

${'>'.repeat(10_000)} deep

${'x'.repeat(2_000)}

مرحبا **بالعالم**
`;

t.test('shows what a model wrote as Markdown, and what people wrote as they wrote it', async (t) => {
  const messages = [
    { type: 'human', id: 'h', content: '# *Weather* in Lisbon?' },
    { type: 'ai', id: 'hostile', content: HOSTILE },
    { type: 'ai', id: 'answer', content: ANSWER },
  ];
  const { thread_id: id } = await server.client.threads.create({
    graphId: 'agent',
    supersteps: [{ updates: [{ values: { messages }, asNode: 'model_request' }] }],
  });
  const { page, open, accessible, picture, complaints } = await tab(t, server.url, { height: 900, ownSession: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) elsewhere.push(request.url());
  });
  await open(`/threads/${id}`);
  await page
    .getByRole('article', { name: 'user message' })
    .getByText('# *Weather* in Lisbon?', { exact: true })
    .waitFor();
  // The newest message is on top.
  const answer = page.getByRole('article', { name: 'assistant message' }).first();
  await answer.getByRole('heading', { name: 'Weather', level: 4 }).waitFor();
  await answer.getByRole('cell', { name: 'Lisbon' }).waitFor();
  // The colors come with a part of the page of their own.
  await answer.locator('pre span').getByText('const').first().waitFor();
  const link = answer.getByRole('link', { name: 'the forecast' });
  t.same(
    [await link.getAttribute('href'), await link.getAttribute('rel'), await link.getAttribute('target')],
    ['https://example.com/forecast', 'noopener noreferrer', '_blank'],
  );
  await answer.getByRole('button', { name: 'Copy code' }).click();
  t.equal(await page.evaluate('navigator.clipboard.readText()'), CODE);
  await page.getByRole('link', { name: 'a chart (https://example.com/chart.png)' }).waitFor();
  await accessible('a message as Markdown');
  await picture('message');

  await page.setViewportSize({ width: 390, height: 800 });
  t.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, 'it fits 390 px');
  await accessible('a message as Markdown on a phone');

  await answer.getByRole('button', { name: 'Show as text' }).click();
  await answer.getByText('see [the forecast](https://example.com/forecast)', { exact: false }).waitFor();
  t.equal(await answer.getByRole('link').count(), 0);
  t.equal(await page.evaluate('globalThis.stolen'), undefined, 'no script has run');
  t.same([...elsewhere, ...complaints], [], 'nothing was loaded from elsewhere');
});
