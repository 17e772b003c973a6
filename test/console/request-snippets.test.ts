import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import { Client as LangSmithClient } from 'langsmith';
import t from 'tap';
import { consoleCode } from '../helpers/console-code.js';
import { temporaryFolder } from '../helpers/server.js';

interface Snippets {
  curl: string;
  javascript: string;
  python: string;
}
interface CopiedRequest {
  method: string;
  path: string;
  body?: unknown;
  sdk: { library: string; method: string; args: unknown[]; options: object } | null;
}
interface Modules {
  requestSnippets: (request: object, server: { url: string; credential: string | null }) => Snippets;
  runRequest: (assistant: string, thread: string | null, body: object) => CopiedRequest;
  tracesRequest: (search: object) => CopiedRequest;
  createRequest: (payload: object) => CopiedRequest;
  updateRequest: (id: string, payload: object) => CopiedRequest;
  createCronRequest: (assistant: string, thread: string, options: object) => CopiedRequest;
  updateCronRequest: (id: string, changes: object) => CopiedRequest;
  copiedRun: (
    assistant: string | null,
    thread: string | null,
    form: object,
    run: object | null,
  ) => CopiedRequest | null;
  DEFAULT_OPTIONS: object;
  parseJson: (text: string) => unknown;
}

const {
  requestSnippets,
  runRequest,
  tracesRequest,
  createRequest,
  updateRequest,
  createCronRequest,
  updateCronRequest,
  copiedRun,
  DEFAULT_OPTIONS,
  parseJson,
} = await consoleCode<Modules>(
  t,
  [
    'shared/request-snippets',
    'shared/run-request',
    'pages/traces/traces-request',
    'pages/assistants/assistant-requests',
    'pages/crons/cron-requests',
    'pages/run/copied-run',
    'pages/run/options',
    'api/json',
  ]
    .map((file) => `export * from './${file}.js';`)
    .join('\n'),
);

const SERVER = { url: 'http://127.0.0.1:8123', credential: null };
const KEY = `k'e"y $HOME \`x\` \\ ü`;

/** Values that a quoting must not change. */
const VALUES = [
  `it's "quoted"`,
  'two\nlines\r\n\tand a tab',
  '$HOME ${HOME} $(echo x) `echo x`',
  '\\ \\n \\\\ \\u0041 \\',
  'é 漢字 🙂 مرحبا \u2028 \u2029 \u202e',
  '\u0000 \u001b \u007f',
  '!! #{x} %s %(x)s {x} <script>',
  '@file',
  '-X',
  '',
];
const BODY = {
  assistant_id: 'agent',
  values: VALUES,
  ...Object.fromEntries(VALUES.map((value, at) => [`${value} ${at}`, { [value]: at % 2 === 0 }])),
  nothing: null,
  numbers: [0, -1.5, 1e21],
  deep: [[[{ a: [{}] }]]],
};

/** What the commands of a shell snippet call curl with. */
async function curlCalls(code: string): Promise<string[][]> {
  const file = join(temporaryFolder(t), 'calls');
  const record = `curl() { printf '%s\\0' "$@" >> '${file}'; printf '\\n\\0' >> '${file}'; echo '{"thread_id":"t-1"}'; }\n`;
  await new Promise<void>((resolve, reject) => {
    execFile(
      'sh',
      ['-c', record + code],
      { env: { PATH: process.env['PATH'], THREADMILL_API_KEY: KEY } },
      (error, _out, complaints) =>
        error === null && complaints === '' ? resolve() : reject(error ?? new Error(complaints)),
    );
  });
  return readFileSync(file, 'utf8')
    .split('\0\n\0')
    .slice(0, -1)
    .map((call) => call.split('\0'));
}

interface Call {
  method: string;
  args: unknown[];
}

/** What the JavaScript calls, with stand-ins for the clients. */
async function javascriptCalls(code: string): Promise<Call[]> {
  const calls: Call[] = [];
  const standIn = (path: string): unknown =>
    new Proxy(() => undefined, {
      get: (_target, name) => standIn(path === '' ? String(name) : `${path}.${String(name)}`),
      apply(_target, _this, args) {
        calls.push({ method: path, args });
        const result = { thread_id: 't-1', status: 200, json: () => null };
        return Object.assign(path === 'fetch' ? Promise.resolve(result) : result, {
          async *[Symbol.asyncIterator]() {
            yield await Promise.resolve({});
          },
        });
      },
    });
  // Called with `new`, so not an arrow.
  const Recorder = function (options: unknown): unknown {
    calls.push({ method: 'Client', args: [options] });
    return standIn('');
  };
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...args: unknown[]) => Promise<void>;
  await new AsyncFunction('Client', 'fetch', 'process', 'console', code.replaceAll(/^import .*$/gm, ''))(
    Recorder,
    standIn('fetch'),
    { env: { THREADMILL_API_KEY: KEY } },
    { log: () => undefined },
  );
  return calls;
}

/** Runs each snippet with stand-ins for the clients, in one Python. */
function pythonCalls(
  codes: readonly string[],
): { method: string; args: unknown[]; options: Record<string, unknown> }[][] {
  const program = `
import json, os, sys, types
calls = []
class StandIn:
    def __init__(self, path): self.path = path
    def __getattr__(self, name): return StandIn(f"{self.path}.{name}" if self.path else name)
    def __call__(self, *args, **options):
        calls.append({"method": self.path, "args": args, "options": options})
        if self.path in ("Client", "get_sync_client"): return StandIn("")
        if self.path == "threads.create": return {"thread_id": "t-1"}
        return StandIn("result") if self.path != "result.json" else None
    def __iter__(self): return iter([])
for name, members in {"requests": ["request"], "langgraph_sdk": ["get_sync_client"], "langsmith": ["Client"]}.items():
    module = types.ModuleType(name)
    for member in members: setattr(module, member, StandIn(member))
    sys.modules[name] = module
found = []
out = sys.stdout
for code in json.load(sys.stdin):
    calls = []
    sys.stdout = open(os.devnull, "w")
    exec(compile(code, "snippet", "exec"), {})
    found.append([call for call in calls if not call["method"].startswith("result")])
json.dump(found, out)
`;
  const found = execFileSync('python3', ['-c', program], {
    input: JSON.stringify(codes),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], THREADMILL_API_KEY: KEY },
    maxBuffer: 10_000_000,
  });
  return JSON.parse(found.toString()) as ReturnType<typeof pythonCalls>;
}

t.test('quotes any value so that each language reads it unchanged', async (t) => {
  const request = { method: 'POST', path: 'threads/search', body: BODY, sdk: null };
  const call = {
    ...request,
    sdk: { library: 'langgraph', method: 'threads.search', args: [...VALUES], options: { metadata: BODY } },
  };
  const [plain, sdk] = [requestSnippets(request, SERVER), requestSnippets(call, SERVER)];
  const [command] = await curlCalls(plain.curl);
  t.same(command!.slice(0, 3), ['-s', 'http://127.0.0.1:8123/threads/search', '--json']);
  t.same(JSON.parse(command![3]!), BODY);

  const [fetched] = await javascriptCalls(plain.javascript);
  t.equal(fetched!.args[0], 'http://127.0.0.1:8123/threads/search');
  t.same(JSON.parse((fetched!.args[1] as { body: string }).body), BODY);
  t.same((await javascriptCalls(sdk.javascript))[1], {
    method: 'threads.search',
    args: [...VALUES, { metadata: BODY }],
  });

  const [[requested], [, searched]] = pythonCalls([plain.python, sdk.python]) as [
    { args: unknown[]; options: object }[],
    object[],
  ];
  t.same(requested, {
    method: 'request',
    args: ['POST', 'http://127.0.0.1:8123/threads/search'],
    options: { json: BODY },
  });
  t.same(searched, { method: 'threads.search', args: VALUES, options: { metadata: BODY } });
});

t.test('keeps keys that set prototypes, and numbers that a double cannot hold', async (t) => {
  const text = '{"__proto__":{"a":1},"id":12345678901234567890}';
  const { curl, javascript, python } = requestSnippets(
    { method: 'POST', path: 'x', body: parseJson(text), sdk: null },
    SERVER,
  );
  // Node 20 parses no number without loss.
  const hasRaw = 'rawJSON' in JSON;
  const sent = hasRaw ? text : JSON.stringify(JSON.parse(text));
  t.equal((await curlCalls(curl))[0]!.at(-1), sent);
  const [fetched] = await javascriptCalls(javascript);
  t.equal((fetched!.args[1] as { body: string }).body, sent);
  t.match(python, '"__proto__": {"a": 1}');
  if (hasRaw) t.match(python, '"id": 12345678901234567890');
});

t.test('reads the key from the environment', async (t) => {
  const request = { method: 'PATCH', path: 'assistants/a%20b?x=1&y=[2]', body: { name: 'x' }, sdk: null };
  for (const [credential, header, value] of [
    ['x-api-key', 'x-api-key', KEY],
    ['bearer', 'authorization', `Bearer ${KEY}`],
  ] as const) {
    const server = { ...SERVER, credential };
    const { curl, javascript, python } = requestSnippets(request, server);
    t.same(await curlCalls(curl), [
      [
        '-s',
        '-X',
        'PATCH',
        `http://127.0.0.1:8123/${request.path}`,
        '-H',
        `${header}: ${value}`,
        '--json',
        '{"name":"x"}',
      ],
    ]);
    const [fetched] = await javascriptCalls(javascript);
    t.same((fetched!.args[1] as { headers: object }).headers, { 'content-type': 'application/json', [header]: value });
    t.match(pythonCalls([python])[0]![0]!.options, { headers: { [header]: value } });

    const run = requestSnippets(runRequest('agent', null, {}), server);
    const [client] = await javascriptCalls(run.javascript);
    t.same(client!.args[0], {
      apiUrl: SERVER.url,
      ...(credential === 'bearer' ? { defaultHeaders: { [header]: value } } : { apiKey: value }),
    });
    t.same(pythonCalls([run.python])[0]![0]!.options, {
      url: SERVER.url,
      ...(credential === 'bearer' ? { headers: { [header]: value } } : { api_key: value }),
    });
  }
});

t.test('a run can create its thread first', async (t) => {
  const { curl, javascript, python } = requestSnippets(
    runRequest('agent', 'new', { input: { a: 1 }, stream_mode: ['values'] }),
    SERVER,
  );
  t.same(await curlCalls(curl), [
    ['-s', 'http://127.0.0.1:8123/threads', '--json', '{}'],
    [
      '-N',
      'http://127.0.0.1:8123/threads/t-1/runs/stream',
      '--json',
      '{"assistant_id":"agent","input":{"a":1},"stream_mode":["values"]}',
    ],
  ]);
  t.same((await javascriptCalls(javascript)).slice(1), [
    { method: 'threads.create', args: [] },
    { method: 'runs.stream', args: ['t-1', 'agent', { input: { a: 1 }, streamMode: ['values'] }] },
  ]);
  t.same(pythonCalls([python])[0]!.slice(1), [
    { method: 'threads.create', args: [], options: {} },
    { method: 'runs.stream', args: ['t-1', 'agent'], options: { input: { a: 1 }, stream_mode: ['values'] } },
  ]);
});

t.test('uses methods that the SDKs have, and plain requests for the rest', (t) => {
  const search = {
    session: ['p'],
    is_root: true,
    limit: 50,
    filter: 'eq(a, 1)',
    tree_filter: null,
    start_time: null,
    end_time: null,
  };
  const requests = [
    runRequest('agent', 't', { input: null }),
    createRequest({ graphId: 'agent', metadata: {} }),
    updateRequest('a/b', { description: 'x' }),
    createCronRequest('agent', '', { schedule: '* * * * *', multitask_strategy: 'reject' }),
    createCronRequest('agent', 't', { schedule: '* * * * *' }),
    updateCronRequest('c', { enabled: false }),
    tracesRequest(search),
  ];
  const clients = {
    langgraph: new Client({ apiUrl: SERVER.url }),
    langsmith: new LangSmithClient({ apiUrl: SERVER.url, apiKey: 'any' }),
  };
  for (const { sdk } of requests) {
    const { library, method } = sdk!;
    const found = method
      .split('.')
      .reduce<unknown>(
        (owner, name) =>
          (owner as Record<string, unknown>)[
            name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
          ],
        clients[library as keyof typeof clients],
      );
    t.type(found, 'function', method);
  }
  t.same(
    requests.map(({ method, path }) => `${method} ${path}`),
    [
      'POST threads/t/runs/stream',
      'POST assistants',
      'PATCH assistants/a%2Fb',
      'POST runs/crons',
      'POST threads/t/runs/crons',
      'PATCH runs/crons/c',
      'POST api/v1/runs/query',
    ],
  );
  t.same(requests[1]!.body, { graph_id: 'agent', metadata: {} });
  t.same(requests.at(-1)!.body, { session: ['p'], is_root: true, limit: 50, filter: 'eq(a, 1)' });
  t.same(requests.at(-1)!.sdk!.options, { project_id: ['p'], is_root: true, limit: 50, filter: 'eq(a, 1)' });
  for (const { sdk } of [
    createCronRequest('agent', '', { schedule: '* * * * *', end_time: '2030-01-01T00:00:00Z' }),
    updateCronRequest('c', { timezone: null }),
    tracesRequest({ ...search, start_time: '2030-01-01T00:00:00Z' }),
  ])
    t.equal(sdk, null);
  t.end();
});

t.test('copies the form of the run page, or the run that the page shows', (t) => {
  const schema = {
    type: 'object',
    properties: { messages: { type: 'array', items: { type: 'string' }, langgraph_type: 'messages' } },
  };
  const form = (content: string, isTouched: boolean): object => ({
    schema,
    input: { messages: [{ role: 'user', content }] },
    options: { ...DEFAULT_OPTIONS, interruptBefore: 'tools' },
    isTouched,
  });
  const run = {
    multitask_strategy: 'enqueue',
    kwargs: {
      input: { messages: ['before'] },
      command: null,
      context: null,
      config: {
        recursion_limit: 7,
        metadata: { run_id: 'r' },
        configurable: { model: 'small', run_id: 'r', thread_id: 't', langgraph_auth_user: { secret: 'x' } },
      },
      stream_mode: ['values'],
      subgraphs: false,
      resumable: true,
      interrupt_before: null,
      durability: 'sync',
    },
  };
  const recorded = {
    assistant_id: 'agent',
    input: { messages: ['before'] },
    stream_mode: ['values'],
    durability: 'sync',
    stream_subgraphs: false,
    stream_resumable: true,
    multitask_strategy: 'enqueue',
    config: { recursion_limit: 7, configurable: { model: 'small' } },
  };
  t.match(copiedRun('agent', 't', form('hello', true), run)?.body, {
    input: { messages: [{ role: 'user', content: 'hello' }] },
    interrupt_before: ['tools'],
    stream_subgraphs: true,
  });
  t.same(copiedRun('agent', 't', form('hello', false), run)?.body, recorded, 'nothing was entered');
  t.same(copiedRun('agent', 't', form('', true), run)?.body, recorded, 'the next message is empty');
  t.equal(copiedRun('agent', 'new', form('', true), null), null);
  t.equal(copiedRun(null, 'new', form('hello', true), null), null);
  t.end();
});

t.test('leaves out the base64 of long files, with a comment that a file name cannot end', async (t) => {
  const data = 'A'.repeat(4_000);
  const name = 'a\nrm -rf /\r\u2028b.pdf';
  const content = (long: string): object[] => [
    { type: 'text', text: data },
    { type: 'file', mimeType: 'application/pdf', data: long, metadata: { filename: name } },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${long === data ? data : IMAGE}` } },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
  ];
  const IMAGE = '<base64 of Image.png, 2.9 KiB>';
  const PLACEHOLDER = '<base64 of a rm -rf /  b.pdf, 2.9 KiB>';
  const input = (long: string): object => ({ messages: [{ role: 'user', content: content(long) }] });
  const snippets = requestSnippets(runRequest('agent', 'th-1', { input: input(data) }), SERVER);
  const note = `Replace ${PLACEHOLDER} by the content of the file in base64.`;
  for (const [code, mark] of [
    [snippets.curl, '#'],
    [snippets.javascript, '//'],
    [snippets.python, '#'],
  ] as const)
    t.equal(code.split('\n')[0], `${mark} ${note}`);
  const sent = { assistant_id: 'agent', input: input(PLACEHOLDER) };
  t.same(JSON.parse((await curlCalls(snippets.curl))[0]!.at(-1)!), sent);
  t.same((await javascriptCalls(snippets.javascript)).at(-1)!.args[2], { input: input(PLACEHOLDER) });
  t.same(pythonCalls([snippets.python])[0]!.at(-1)!.options['input'], input(PLACEHOLDER));
});
