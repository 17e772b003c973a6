import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { childServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { EXAMPLES, ROOT, temporaryFolder, testServer } from '../helpers/server.js';

interface Tail {
  stdout: () => string;
  stderr: () => string;
  /** Until stdout or stderr has it. */
  until(pattern: RegExp): Promise<void>;
  end(): Promise<number>;
}

function tail(t: Test, url: string, threadId: string, ...flags: string[]): Tail {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'dist/src/main.js'), 'runs', 'tail', threadId, '--url', url, ...flags],
    { env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  t.teardown(() => {
    child.kill('SIGKILL');
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const closed = once(child, 'close') as Promise<[number]>;
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    async until(pattern) {
      while (!pattern.test(stdout + stderr))
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
    },
    async end() {
      child.kill('SIGINT');
      return (await closed)[0];
    },
  };
}

const ask = (content: string): { messages: { role: string; content: string }[] } => ({
  messages: [{ role: 'user', content }],
});

t.test('prints text, updates, interrupts and ends of the runs of a thread', async (t) => {
  const { client, url } = await testServer(t, { config: EXAMPLES });
  const { thread_id: threadId } = await client.threads.create();
  const shown = tail(t, url, threadId);
  await shown.until(/Following/);
  for await (const _ of client.runs.stream(threadId, 'agent', {
    input: ask('What is the weather in Lisbon?'),
    streamMode: ['messages-tuple', 'updates'],
  }));
  await shown.until(/: success\n/);
  await client.runs.wait(threadId, 'agent', { input: ask('Send a mail'), streamMode: ['values', 'updates'] } as object);
  await shown.until(/interrupt: [\s\S]*: success\n/);
  t.equal(await shown.end(), 0, shown.stderr());
  const lines = shown
    .stdout()
    .replace(/[0-9a-f-]{36}/g, '<id>')
    .replace(/^\w+: ai:/gm, 'ai:')
    .trimEnd()
    .split('\n');
  t.strictSame(
    lines,
    [
      'run <id>',
      'model_request: Let me see. get_weather {"city":"Lisbon"}',
      'tools: 24 °C and sunny',
      'model_request: Done. 24 °C and sunny',
      'run <id>: success',
      'run <id>',
      'values: human: What is the weather in Lisbon?',
      'values: human: Send a mail',
      'ai: Let me see. send_mail {"to":"ada@example.org","text":"Send a mail"}',
      'interrupt: {"question":"Send this mail to ada@example.org?","text":"Send a mail"}',
      'run <id>: success',
    ],
    'and what was told once is not told again',
  );
});

t.test('prints the error of a failed run', async (t) => {
  const { client, url } = await testServer(t);
  const { thread_id: threadId } = await client.threads.create();
  const shown = tail(t, url, threadId);
  await shown.until(/Following/);
  await client.runs.create(threadId, 'trouble', { input: { do: 'throw' } });
  await shown.until(/: error\n/);
  t.match(shown.stdout(), /^error: CustomError: Boo!$/m);
  await shown.end();
});

t.test('prints one JSON line for each event as sent, from a given event on', async (t) => {
  const { client, url } = await testServer(t, { config: EXAMPLES });
  const { thread_id: threadId } = await client.threads.create();
  for await (const _ of client.runs.stream(threadId, 'echo', {
    input: ask('one'),
    streamMode: 'updates',
    streamResumable: true,
  }));
  const all = tail(t, url, threadId, '--json', '--from-start');
  await all.until(/updates/);
  // The end of a run is told to those who follow; it is not kept.
  for await (const _ of client.runs.stream(threadId, 'echo', {
    input: ask('two'),
    streamMode: 'updates',
    streamResumable: true,
  }));
  await all.until(/run_done/);
  const events = all
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; event: string; data: Record<string, unknown> });
  t.strictSame(
    events.map(({ event }) => event),
    ['metadata', 'updates', 'metadata', 'updates', 'metadata'],
  );
  t.ok(events[1]!.data['echo']);
  t.match(events[4]!.data, { status: 'run_done', run_status: 'success' });
  const rest = tail(t, url, threadId, '--json', '--last-event-id', events[1]!.id);
  await rest.until(/run_done/);
  t.equal(rest.stdout(), all.stdout().split('\n').slice(2).join('\n'));
  t.equal(await all.end(), 0);
  t.equal(await rest.end(), 0);
});

t.test('reconnects and prints every event once', async (t) => {
  const dataFolder = temporaryFolder(t);
  const server = await childServer(t, { dataFolder, config: EXAMPLES });
  const { thread_id: threadId } = await server.client.threads.create();
  // One address for both servers.
  let port = Number(new URL(server.url).port);
  const front = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .pipe(
        connect(port, '127.0.0.1')
          .on('error', () => socket.destroy())
          .on('close', () => socket.destroy()),
      )
      .pipe(socket);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  t.teardown(() => front.close());
  const shown = tail(t, `http://127.0.0.1:${(front.address() as AddressInfo).port}`, threadId, '--json');
  await shown.until(/Following/);
  const run = async (client: typeof server.client, text: string): Promise<void> => {
    for await (const _ of client.runs.stream(threadId, 'echo', {
      input: ask(text),
      streamMode: 'updates',
      streamResumable: true,
    }));
  };
  await run(server.client, 'before');
  await shown.until(/run_done/);
  await server.kill();
  await shown.until(/Reconnecting in/);
  const again = await childServer(t, { dataFolder, config: EXAMPLES });
  await run(again.client, 'meanwhile');
  port = Number(new URL(again.url).port);
  await shown.until(/Reconnected/);
  await run(again.client, 'after');
  await shown.until(/run_done[\s\S]*run_done/);
  const told = shown
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; event: string; data: { error?: string } });
  // A server that was killed does not know all numbers that it gave out: it says so, and goes on.
  const events = told.filter(({ data }) => data.error !== 'StreamGap');
  t.strictSame(
    events.map(({ event }) => event),
    ['metadata', 'updates', 'metadata', 'metadata', 'updates', 'metadata', 'updates', 'metadata'],
  );
  t.strictSame(
    events.map(({ id }) => Number(id)),
    events.map(({ id }) => Number(id)).toSorted((a, b) => a - b),
    'ids rise',
  );
  t.equal(await shown.end(), 0);
});

t.test('refuses an unknown thread, a missing server and two start positions', async (t) => {
  const { url } = await testServer(t, { config: EXAMPLES });
  const id = '0199c1de-5a3b-7c44-9c3c-0d1f4a5b6c7d';
  const none = await cli(['runs', 'tail', id, '--url', url]);
  t.equal(none.code, 1);
  t.match(none.stderr, /Thread with ID 0199c1de.* not found/);
  const nobody = await cli(['runs', 'tail', id, '--url', 'http://127.0.0.1:9']);
  t.equal(nobody.code, 1);
  t.match(nobody.stderr, /No server is listening at|failed/);
  t.match(
    (await cli(['runs', 'tail', id, '--url', url, '--from-start', '--last-event-id', '3'])).stderr,
    /cannot be combined/,
  );
});
