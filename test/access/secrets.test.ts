import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import t from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { asText } from '../../src/base/json/json.js';
import { dataFile } from '../../src/store/files/data-file.js';
import { PageFile } from '../../src/store/files/page-file.js';
import { verifiedEntries } from '../../src/store/files/page-walk.js';
import { CHECKSUM_BYTES } from '../../src/store/record-codec.js';
import { decompress, isCompressed } from '../../src/wire/compression.js';
import { childServer } from '../helpers/child-server.js';
import { Gate } from '../helpers/gate.js';
import { configWith, ROOT, temporaryFolder } from '../helpers/server.js';

const fewGraphs = configWith(t, 'gate', 'mirror', 'echo');

const PROJECT = join(ROOT, 'test', 'access', 'project', 'langgraph.json');

/** Files below a folder that hold one of the texts. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return texts.some((text) => bytes.includes(text));
    });
}

/** Values of the data folder of a stopped server, as they were before compression. */
function decompressedValues(folder: string): string[] {
  const pages = PageFile.open(dataFile(folder))!;
  try {
    return [...verifiedEntries(pages)]
      .map(({ value }) => value.subarray(CHECKSUM_BYTES))
      .filter(isCompressed)
      .map((value) => asText(decompress(value)));
  } finally {
    pages.close();
  }
}

/**
 * What a user has to prove who it is, and what the handler found for it; neither may be read by whoever gets hold of
 * the disk.
 */
const SECRETS = ['planted-user-secret', 'token-of-alice'];

t.test('keeps secrets of a user off the disk, the log and every response', async (t) => {
  const dataFolder = temporaryFolder(t);
  const server = await childServer(t, { config: PROJECT, dataFolder, env: { LOG_LEVEL: 'trace' } });
  const alice = new Client({
    apiUrl: server.url,
    apiKey: null,
    defaultHeaders: { authorization: 'Bearer token-of-alice' },
    callerOptions: { maxRetries: 0 },
  });
  const thread = await alice.threads.create();
  const gate = new Gate(dataFolder);
  const said: string[] = [];
  const streamed = (async () => {
    for await (const part of alice.runs.stream(thread.thread_id, 'gate', {
      input: { label: 'a', gate: gate.file },
      streamMode: ['values', 'updates', 'debug', 'events', 'tasks', 'checkpoints', 'messages'],
      streamResumable: true,
      streamSubgraphs: true,
    }))
      said.push(JSON.stringify(part));
  })();
  await gate.reached();
  // The run is stored with its caller: it could go on after a restart.
  t.strictSame(filesWith(dataFolder, SECRETS), [], 'while it runs');
  gate.open();
  await streamed;
  await alice.runs.create(null, 'gate', { input: {} });
  const state = await alice.threads.getState(thread.thread_id);
  const history = await alice.threads.getHistory(thread.thread_id);
  const runs = await alice.runs.list(thread.thread_id);
  for (const [what, shown] of Object.entries({
    events: said,
    state,
    history,
    runs,
    thread: await alice.threads.get(thread.thread_id),
  })) {
    for (const secret of SECRETS) t.notMatch(JSON.stringify(shown), secret, what);
  }
  t.strictSame(filesWith(dataFolder, SECRETS), [], 'when it has ended');
  await server.kill('SIGTERM');
  for (const secret of SECRETS) t.notMatch(server.stderr(), secret, 'the log');
  t.strictSame(filesWith(dataFolder, SECRETS), [], 'when the server has ended');
  const values = decompressedValues(dataFolder);
  t.ok(values.length > 0);
  for (const secret of SECRETS) t.notOk(values.some((value) => value.includes(secret)));
});

t.test('keeps keys off the disk and the log', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text } = createKey(dataFolder, { name: 'ci' });
  const server = await childServer(t, { config: fewGraphs, dataFolder, env: { LOG_LEVEL: 'trace' } });
  const client = new Client({ apiUrl: server.url, apiKey: text, callerOptions: { maxRetries: 0 } });
  const thread = await client.threads.create();
  const values = await client.runs.wait(thread.thread_id, 'mirror', {
    input: {},
    config: { configurable: { 'x-api-key': text, authorization: `Bearer ${text}` } },
  });
  t.notMatch(JSON.stringify(values), text, 'a client that sends it as configuration does not plant it');
  await server.kill('SIGTERM');
  t.strictSame(filesWith(dataFolder, [text]), []);
  t.notMatch(server.stderr(), text);
});
