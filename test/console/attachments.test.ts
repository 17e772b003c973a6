import { readFileSync } from 'node:fs';
import { coerceMessageLikeToMessage } from '@langchain/core/messages';
import type { Page } from 'playwright-core';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { consoleModule } from '../helpers/console-module.js';
import { conversation, runOf, runServer, showAllFields, status } from '../helpers/console-run.js';

const server = await runServer();

/** A red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(6_000, 7)]);
const TEXT = 'Day,Degrees\nMonday,24\n';

interface Block {
  [name: string]: unknown;
}
interface ContentFile {
  kind: string;
  name: string | null;
  mimeType: string | null;
  data: string | null;
  text: string | null;
  url: string | null;
}
interface Files {
  contentFile: (block: unknown) => ContentFile | null;
  imageSource: (file: ContentFile) => string | null;
  fileBytes: (file: ContentFile) => number | null;
  fileName: (file: ContentFile) => string;
}

const png = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') };
const pdf = { name: 'report.pdf', mimeType: 'application/pdf', buffer: PDF };
const csv = { name: 'week.csv', mimeType: 'text/csv', buffer: Buffer.from(TEXT) };
const SENT: Block[] = [
  { type: 'text', text: 'What is in these?' },
  { type: 'image', mimeType: 'image/png', data: PNG, metadata: { filename: 'photo.png' } },
  { type: 'file', mimeType: 'application/pdf', data: PDF.toString('base64'), metadata: { filename: 'report.pdf' } },
  { type: 'text-plain', mimeType: 'text/csv', text: TEXT, title: 'week.csv', metadata: { filename: 'week.csv' } },
];

const attached = (page: Page) => page.getByRole('list', { name: 'Attached files' });
/** Files for events that a person causes outside of the page. */
const transfer = (page: Page, file: typeof png) =>
  page.evaluateHandle(
    `(() => { const all = new DataTransfer(); all.items.add(new File([Uint8Array.from(atob('${file.buffer.toString('base64')}'), (one) => one.charCodeAt(0))], '${file.name}', { type: '${file.mimeType}' })); return all; })()`,
  );
const choose = (page: Page, files: (typeof png)[]) => page.locator('input[type=file]').setInputFiles(files);

t.test('reads files of all shapes that messages have', async (t) => {
  const { contentFile, imageSource, fileBytes, fileName } = await consoleModule<Files>('schema/content-files.ts');
  const url = `data:image/png;base64,${PNG}`;
  const shapes: Block[] = [
    { type: 'image', mimeType: 'image/png', data: PNG },
    { type: 'image', mime_type: 'image/png', base64: PNG },
    { type: 'image', source_type: 'base64', mime_type: 'image/png', data: PNG },
    { type: 'image', url },
    { type: 'image_url', image_url: url },
    { type: 'image_url', image_url: { url } },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
  ];
  for (const shape of shapes) {
    const found = contentFile(shape);
    t.match(found, { kind: 'image', mimeType: 'image/png', data: PNG, url: null }, Object.keys(shape).join(' '));
    t.equal(imageSource(found!), url);
    t.equal(fileBytes(found!), png.buffer.length);
    t.equal(fileName(found!), 'Image.png');
  }
  t.match(contentFile({ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } }), {
    kind: 'file',
    name: 'a.pdf',
    mimeType: 'application/pdf',
    data: 'AAAA',
  });
  t.match(contentFile({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }), {
    kind: 'audio',
    mimeType: 'audio/wav',
  });
  t.match(contentFile({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' } }), {
    kind: 'text',
    text: 'hi',
  });
  for (const bad of ['image/svg+xml', 'text/html', 'image/png" onerror="x'])
    t.equal(imageSource(contentFile({ type: 'image', mimeType: bad, data: 'AAAA' })!), null, `${bad} is no picture`);
  t.equal(contentFile({ type: 'image', url: 'javascript:alert(1)' }), null);
  t.equal(contentFile({ type: 'image', fileId: 'file-1' }), null, 'a file of a provider stays JSON');
  t.equal(contentFile({ type: 'text', text: 'hi' }), null);

  const message = coerceMessageLikeToMessage({
    role: 'user',
    content: SENT,
    response_metadata: { output_version: 'v1' },
  } as never);
  t.same(message.contentBlocks, SENT, 'LangChain takes the blocks that the console sends as standard blocks');
});

t.test('sends attached, pasted and dropped files, and shows them in the conversation', async (t) => {
  const { page, open, accessible, complaints } = await tab(t, server.url, { height: 900, ownSession: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('/run?assistant=speaker');
  const message = page.getByLabel('Message', { exact: true });
  await message.fill('What is in these?');
  await choose(page, [png, { name: 'program.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(9) }]);
  await page.getByText('program.bin: this kind of file cannot be attached.', { exact: false }).waitFor();
  await attached(page).getByText('photo.png').waitFor();
  t.equal(await attached(page).getByRole('listitem').count(), 1, 'the other file is attached');

  const dropped = await transfer(page, pdf);
  const log = conversation(page);
  await log.dispatchEvent('dragenter', { dataTransfer: dropped });
  await page.getByText('Drop files to attach them').waitFor();
  await log.dispatchEvent('drop', { dataTransfer: dropped });
  await attached(page).getByText('report.pdf').waitFor();
  t.equal(await page.getByText('Drop files to attach them').count(), 0);
  t.equal(await page.getByText('program.bin', { exact: false }).count(), 0, 'the next files clear the error');
  const paste = async (file: typeof png, text: string | null): Promise<void> => {
    const data = await transfer(page, file);
    if (text !== null) await data.evaluate((all, more) => (all as DataTransferLike).setData('text/plain', more), text);
    await message.evaluate(
      (field, clipboardData) =>
        (field as unknown as { dispatchEvent(event: unknown): void }).dispatchEvent(
          new (globalThis as unknown as { ClipboardEvent: new (type: string, init: object) => unknown }).ClipboardEvent(
            'paste',
            { clipboardData, bubbles: true, cancelable: true },
          ),
        ),
      data,
    );
  };
  await paste({ ...png, name: 'of-text.png' }, 'text of a table');
  await paste(csv, null);
  await attached(page).getByText('week.csv').waitFor();
  await paste({ ...png, name: 'twice.png' }, null);
  await page.getByRole('button', { name: 'Remove twice.png' }).click();
  t.equal(await attached(page).getByRole('listitem').count(), 3, 'text with a picture of it is pasted as text');
  await accessible('attached files');

  await page.getByRole('button', { name: 'Copy as…' }).click();
  await page.getByRole('menuitem', { name: 'curl' }).click();
  await page.getByText('Copied as curl.').waitFor();
  const curl = (await page.evaluate('navigator.clipboard.readText()')) as string;
  t.match(curl, '# Replace <base64 of report.pdf, 5.9 KiB> by the content of the file in base64.\n');
  t.match(curl, '"data": "<base64 of report.pdf, 5.9 KiB>"');
  t.match(curl, PNG, 'a small file is copied whole');
  t.ok(curl.length < 3_000);

  await showAllFields(page);
  await attached(page).getByText('report.pdf').waitFor();
  t.equal(await message.inputValue(), 'What is in these?', 'the form has the text and the files');
  await page.getByRole('button', { name: 'Only a message' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await status(page, 'Succeeded');
  const { thread, run } = runOf(page);
  const { kwargs } = (await server.client.runs.get(thread, run)) as unknown as {
    kwargs: { input: { messages: object[] } };
  };
  t.same(kwargs.input.messages, [{ role: 'user', content: SENT, response_metadata: { output_version: 'v1' } }]);
  t.equal(await attached(page).count(), 0, 'the next message has no files');

  const own = log.getByRole('article', { name: 'user message' });
  await log.getByText('b0 b1').waitFor();
  t.equal(await own.count(), 1, 'the message of the state takes the place of the sent one');
  await own.getByRole('button', { name: 'Enlarge photo.png' }).click();
  const dialog = page.getByRole('dialog', { name: 'photo.png' });
  await dialog.getByRole('img', { name: 'photo.png' }).waitFor();
  await accessible('a picture in large');
  await page.keyboard.press('Escape');
  const download = async (name: string): Promise<Buffer> => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      own.getByRole('button', { name: `Download ${name}` }).click(),
    ]);
    t.equal(saved.suggestedFilename(), name);
    return readFileSync(await saved.path());
  };
  t.ok((await download('report.pdf')).equals(PDF), 'the file is what was sent');
  t.equal((await download('week.csv')).toString(), TEXT);
  await own.getByRole('button', { name: 'Show week.csv' }).click();
  await page.getByRole('dialog', { name: 'week.csv' }).getByText('Monday,24').waitFor();
  await page.keyboard.press('Escape');

  await own.getByRole('button', { name: 'Edit and run from here' }).click();
  await page.getByLabel('Message text').fill('And now?');
  await page.getByRole('button', { name: 'Run from here' }).click();
  await own.getByText('And now?').waitFor();
  await status(page, 'Succeeded');
  await own.getByRole('button', { name: 'Enlarge photo.png' }).waitFor();
  t.equal(await own.count(), 1, 'an edited message keeps its files');
  t.same(complaints, []);
});

interface DataTransferLike {
  setData(type: string, text: string): void;
}

t.test('refuses files that do not fit into a request', async (t) => {
  const { metadata } = (await (await fetch(`${server.url}/info`)).json()) as { metadata: { body_bytes_max: number } };
  t.equal(metadata.body_bytes_max, 32 * 1_024 * 1_024);
  const { page, open, complaints } = await tab(t, server.url, { width: 390, dark: true });
  await page.route('**/info', async (route) => {
    const response = await route.fetch();
    const info = (await response.json()) as { metadata: object };
    await route.fulfill({ response, json: { ...info, metadata: { ...info.metadata, body_bytes_max: 128 * 1_024 } } });
  });
  const told = page.waitForResponse('**/info');
  await open('/run?assistant=speaker');
  await told;
  await page.getByLabel('Message', { exact: true }).waitFor();
  const part = (name: string): typeof png => ({ ...png, name, buffer: Buffer.alloc(30 * 1_024, 1) });
  await choose(page, [part('one.png'), part('two.png')]);
  await page
    .getByText('two.png: too large. The files of a message can have 48.0 KiB together, because a request', {
      exact: false,
    })
    .waitFor();
  await choose(page, [part('three.png')]);
  await page.getByText('three.png: too large.', { exact: false }).waitFor();
  t.equal(await attached(page).getByRole('listitem').count(), 1);
  await page.getByRole('button', { name: 'Remove one.png' }).press('Enter');
  await page.locator('textarea:focus').waitFor();
  await choose(page, [part('three.png')]);
  await attached(page).getByText('three.png').waitFor();
  t.equal(await page.getByRole('alert').count(), 0);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  t.equal(overflow, 0, 'the page does not scroll sideways');
  t.same(complaints, []);
});

t.test('sends files from the page of a thread', async (t) => {
  const { thread_id: threadId } = await server.client.threads.create();
  await server.client.runs.wait(threadId, 'speaker', { input: { messages: [{ role: 'user', content: 'Hello' }] } });
  const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390 });
  await open(`/threads/${threadId}`);
  const send = page.getByRole('button', { name: 'Send', exact: true });
  const list = page.getByRole('region', { name: 'Messages' });
  await list.getByText('Hello').first().waitFor();
  await choose(page, [png, { name: 'program.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(9) }]);
  await page.getByText('program.bin: this kind of file cannot be attached.', { exact: false }).waitFor();
  const dropped = await transfer(page, pdf);
  await list.dispatchEvent('dragenter', { dataTransfer: dropped });
  await page.getByText('Drop files to attach them').waitFor();
  await list.dispatchEvent('drop', { dataTransfer: dropped });
  await attached(page).getByText('report.pdf').waitFor();
  t.ok(await send.isEnabled(), 'files need no text');
  await choose(page, [csv]);
  await page.getByLabel('Message', { exact: true }).fill('What is in these?');
  await attached(page).getByText('week.csv').waitFor();
  await accessible('files of a message');
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  t.equal(overflow, 0, 'the page does not scroll sideways');
  await send.click();
  await list.getByText('What is in these?').first().waitFor();
  await list.getByRole('button', { name: 'Enlarge photo.png' }).waitFor();
  t.equal(await attached(page).count(), 0, 'the next message has no files');
  const [run] = await server.client.runs.list(threadId);
  t.same((run as unknown as { kwargs: { input: unknown } }).kwargs.input, {
    messages: [{ role: 'user', content: SENT, response_metadata: { output_version: 'v1' } }],
  });
  t.same(complaints, []);
});

t.test('shows files of messages from elsewhere, and loads nothing from other hosts', async (t) => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>stolen=1</script></svg>').toString('base64');
  const content = [
    { type: 'text', text: 'Four files' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
    { type: 'image_url', image_url: { url: 'https://example.com/chart.png' } },
    { type: 'image_url', image_url: { url: `data:image/svg+xml;base64,${svg}` } },
    { type: 'image', mimeType: 'image/png', data: 'bm8gcGljdHVyZQ==', metadata: { filename: 'broken.png' } },
  ];
  const { thread_id: id } = await server.client.threads.create({
    graphId: 'speaker',
    supersteps: [{ updates: [{ values: { messages: [{ type: 'human', id: 'h', content }] }, asNode: 'second' }] }],
  });
  for (const dark of [false, true]) {
    const { page, open, accessible, complaints } = await tab(t, server.url, { width: 390, dark });
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) elsewhere.push(request.url());
    });
    await open(`/threads/${id}`);
    const said = page.getByRole('article', { name: 'user message' });
    await said.getByRole('img', { name: 'Image.png' }).waitFor();
    const link = said.getByRole('link', { name: 'https://example.com/chart.png' });
    t.same(
      [await link.getAttribute('href'), await link.getAttribute('rel'), await link.getAttribute('target')],
      ['https://example.com/chart.png', 'noopener noreferrer', '_blank'],
    );
    await said.getByText('Image at example.com, not loaded').waitFor();
    await said.getByText(/^image\/svg\+xml, \d+ B$/).waitFor();
    await said.getByText('image/png, 10 B, cannot be shown').waitFor();
    t.equal(await said.getByRole('img').count(), 1, 'only the picture itself is shown');
    t.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, 'it fits 390 px');
    await accessible('files of a message');
    t.same([...elsewhere, ...complaints], []);
  }
});
