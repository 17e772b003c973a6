import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { ROOT, temporaryFolder } from '../helpers/server.js';

t.setTimeout(120_000);

/** What stderr is: a pipe that nobody reads, one whose reader has gone, a full disk. */
type Reader = 'stalled' | 'closed' | 'full';
const READERS: readonly Reader[] = ['stalled', 'closed', 'full'];

interface Started {
  child: ChildProcess;
  url: string;
  folder: string;
  exited: Promise<string>;
  /** Everything that the pipe holds and the process still writes. */
  read(): string;
}

/** Prints more than a pipe and the queue behind it hold, or sleeps and does not listen to cancellation. */
const GRAPH = `
  import { StateGraph, Annotation, START, END } from '@langchain/langgraph';
  const State = Annotation.Root({ lines: Annotation(), sleepMs: Annotation() });
  export const graph = new StateGraph(State).addNode('print', async ({ lines, sleepMs }) => {
    for (let line = 0; line < lines; line += 1) { console.error('e'.repeat(999)); console.log('o'.repeat(999)); }
    await new Promise((resolve) => setTimeout(resolve, sleepMs));
    return {};
  }).addEdge(START, 'print').addEdge('print', END).compile();
`;
/** A bug on the front thread, when the test asks for it. */
const FATAL = `--import=data:text/javascript,${encodeURIComponent("process.on('SIGUSR2', () => { throw new Error('fatal'); });")}`;

/** A shell opens the reader's end of stderr and becomes the process. */
function spawned(
  t: Test,
  reader: Reader,
  args: readonly string[],
): { child: ChildProcess; exited: Promise<string>; read: () => string } {
  const fifo = join(temporaryFolder(t), 'log');
  let pipe: number | null = null;
  if (reader !== 'full') {
    execFileSync('mkfifo', [fifo]);
    pipe = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  }
  const child = spawn('sh', ['-c', 'exec "$@" 2>"$LOG"', 'sh', process.execPath, ...args], {
    env: {
      PATH: process.env['PATH'],
      LOG: reader === 'full' ? '/dev/full' : fifo,
      LOG_LEVEL: 'info',
      NODE_OPTIONS: FATAL,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit').then(([code, signal]) => String(signal ?? code));
  t.teardown(() => {
    child.kill('SIGKILL');
    if (pipe !== null) closeSync(pipe);
  });
  if (reader === 'closed') {
    child.stdout.once('data', () => {
      closeSync(pipe!);
      pipe = null;
    });
  }
  return {
    child,
    exited,
    read() {
      const bytes = Buffer.alloc(1024 * 1024);
      try {
        return bytes.toString('utf8', 0, readSync(pipe!, bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return '';
        throw error;
      }
    },
  };
}

async function server(t: Test, reader: Reader): Promise<Started> {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'graph.mjs'), GRAPH);
  writeFileSync(join(folder, 'langgraph.json'), JSON.stringify({ graphs: { agent: './graph.mjs:graph' } }));
  const process = spawned(t, reader, [
    join(ROOT, 'dist/src/main.js'),
    'serve',
    '--config',
    join(folder, 'langgraph.json'),
    '--port',
    '0',
    '--data',
    join(folder, 'data'),
    '--workers',
    '1',
  ]);
  const [greeting] = (await once(process.child.stdout!, 'data')) as [Buffer];
  return { ...process, folder, url: /Threadmill at (\S+)/.exec(greeting.toString())![1]! };
}

const post = (url: string, path: string, body: unknown): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** More lines than a pipe takes. */
async function fillLog(url: string): Promise<void> {
  for (let at = 0; at < 12; at += 1)
    await Promise.all(Array.from({ length: 30 }, async () => (await post(url, '/threads', {})).arrayBuffer()));
}

for (const reader of READERS) {
  t.test(`log ${reader}: the server serves on, graphs may print, and SIGTERM ends it`, async (t) => {
    const { child, url, exited } = await server(t, reader);
    await fillLog(url);
    const printed = await post(url, '/runs/wait', { assistant_id: 'agent', input: { lines: 20_000, sleepMs: 0 } });
    t.equal(printed.status, 200);
    t.equal((await fetch(`${url}/ok`)).status, 200);
    child.kill('SIGTERM');
    t.equal(await exited, '0');
  });

  t.test(`log ${reader}: a second SIGTERM ends the server at once`, async (t) => {
    const { child, url, exited } = await server(t, reader);
    await fillLog(url);
    const { run_id: runId } = (await (
      await post(url, '/runs', { assistant_id: 'agent', input: { lines: 0, sleepMs: 600_000 } })
    ).json()) as { run_id: string };
    t.ok(runId);
    child.kill('SIGTERM');
    while (
      await fetch(`${url}/ok`, { headers: { connection: 'close' } }).then(
        () => true,
        () => false,
      )
    )
      await sleep(10);
    child.kill('SIGTERM');
    t.equal(await exited, '1');
  });

  t.test(`log ${reader}: a fatal error ends the server`, async (t) => {
    const { child, url, exited } = await server(t, reader);
    await fillLog(url);
    child.kill('SIGUSR2');
    t.not(await exited, '0');
  });

  t.test(`log ${reader}: a command that had a server of its own ends`, async (t) => {
    const module = (file: string): string => JSON.stringify(pathToFileURL(join(ROOT, 'dist/src', file)).href);
    const program = `
      import { Log } from ${module('base/log/log.js')};
      import { runCommand } from ${module('cli/client.js')};
      process.stdout.write('started');
      await runCommand(2, async () => {
        const logs = await Log.open({ levels: { base: 'info', modules: new Map() }, pretty: null });
        for (let line = 0; line < 3000; line += 1) logs.forModule('server').info({ filler: 'x'.repeat(400) }, 'filler');
        await logs.flush();
        return 3;
      });
    `;
    const { exited } = spawned(t, reader, ['--input-type=module', '-e', program]);
    t.equal(await exited, '3');
  });
}

t.test('drops and counts lines that a stalled reader misses, and logs the count afterwards', async (t) => {
  const { child, url, exited, read } = await server(t, 'stalled');
  t.equal((await post(url, '/runs/wait', { assistant_id: 'agent', input: { lines: 30_000, sleepMs: 0 } })).status, 200);
  let text = '';
  let lost: string | undefined;
  for (let round = 0; lost === undefined && round < 2_000; round += 1) {
    text += read();
    lost = text.split('\n').find((line) => line.includes('log lines were lost'));
    await sleep(5);
  }
  t.ok(lost, 'the count is logged');
  const kept = text.split('\n').filter((line) => line.startsWith('eee')).length;
  t.ok((JSON.parse(lost!) as { lines: number }).lines > 0 && kept < 30_000);
  child.kill('SIGTERM');
  while ((await Promise.race([exited, sleep(5)])) === undefined) read();
  t.equal(await exited, '0');
});
