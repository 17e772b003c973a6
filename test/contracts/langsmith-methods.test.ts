import { randomUUID } from 'node:crypto';
import { Client } from 'langsmith';
import t from 'tap';
import { EVALUATION_LEFT_OUT } from '../compatibility/left-out.js';
import { configWith, testServer } from '../helpers/server.js';

const server = await testServer(t, { config: configWith(t, 'echo') });
t.capture(console, 'warn');

const isLeftOut = (name: string): boolean =>
  EVALUATION_LEFT_OUT.some(({ methods = [] }) =>
    methods.some((one) => (one.endsWith('.*') ? name.startsWith(one.slice(0, -1)) : name === one)),
  );

/** Status and text of a response, by the method that sent the request. */
const answers = new Map<string, { status: number; text: string; request: string }>();
let current = '';
const client = new Client({
  apiUrl: `${server.url}/api/v1`,
  apiKey: 'any',
  callerOptions: { maxRetries: 0 },
  async fetchImplementation(input: string | URL | Request, init?: RequestInit) {
    const request = new Request(input, init);
    const answer = await fetch(request);
    const text = await answer.clone().text();
    answers.set(current, {
      status: answer.status,
      text,
      request: `${request.method} ${new URL(request.url).pathname}`,
    });
    return answer;
  },
});

type Resource = Record<string, unknown> & { constructor: { prototype: object } };

/** Every method of a resource of the client and of the resources in it, such as `threads.share.create`. */
function* methodsIn(name: string, resource: Resource): Generator<[name: string, call: () => unknown]> {
  for (const method of Object.getOwnPropertyNames(resource.constructor.prototype)) {
    const call = resource[method];
    if (method === 'constructor' || typeof call !== 'function') continue;
    yield [`${name}.${method}`, () => (call as (...given: unknown[]) => unknown).apply(resource, argumentsOf(call))];
  }
  for (const [key, part] of Object.entries(resource))
    if (!key.startsWith('_') && typeof part === 'object' && part !== null)
      yield* methodsIn(`${name}.${key}`, part as Resource);
}

/** Ids for path parameters, and an object with the ids that some methods take out of it. */
function argumentsOf(call: object): unknown[] {
  const names = /\(([^)]*)\)/
    .exec(Function.prototype.toString.call(call))![1]!
    .split(',')
    .map((one) => one.trim());
  return names
    .filter((one) => one !== '' && one !== 'options')
    .map((one) => {
      if (one === 'index') return 0;
      if (!/^(?:body|params|query)\b/.test(one)) return randomUUID();
      return Object.fromEntries(
        ['queue_id', 'dataset_id', 'project_id', 'session_id', 'share_token'].map((key) => [key, randomUUID()]),
      );
    });
}

const { openAPIClient } = client as unknown as { openAPIClient: Record<string, unknown> };
const methods = Object.entries(openAPIClient)
  .filter(([name, value]) => !name.startsWith('_') && typeof value === 'object' && value !== null && '_client' in value)
  .flatMap(([name, value]) => [...methodsIn(name, value as Resource)]);

/** False also if the path only matches a route whose parameter has another form. */
const hasRoute = ({ status, text }: { status: number; text: string }): boolean =>
  status !== 405 && status !== 501 && !text.includes('There is no route') && !text.includes('"loc":["path"');

t.test('sends no request that is neither served nor documented as missing', async (t) => {
  t.ok(methods.length > 90, `${methods.length} methods`);
  const missing: string[] = [];
  for (const [name, call] of methods) {
    current = name;
    try {
      const result = await call();
      if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result)
        for await (const _ of result as AsyncIterable<unknown>) break;
    } catch {
      // Most ids are of nothing, so the server refuses them.
    }
    const answer = answers.get(name);
    t.ok(answer, `${name} sends a request`);
    if (answer === undefined) continue;
    const isServed = hasRoute(answer);
    t.not(answer.status, 500, name);
    if (!isServed) missing.push(name);
    t.equal(isServed, !isLeftOut(name), `${name}: ${answer.request} ${answer.status} ${answer.text}`);
  }
  for (const { what, methods: left = [] } of EVALUATION_LEFT_OUT)
    for (const one of left)
      t.ok(
        missing.some((name) => (one.endsWith('.*') ? name.startsWith(one.slice(0, -1)) : name === one)),
        `${what}: ${one} is missing`,
      );
});

t.test('has no prompts, and puts runs of an agent address into the default project', async (t) => {
  const names = EVALUATION_LEFT_OUT.flatMap(({ clientMethods = [] }) => clientMethods);
  for (const name of names) {
    current = name;
    const call = (client as unknown as Record<string, (...given: unknown[]) => unknown>)[name]!;
    try {
      const result = call.call(client, '-/name', { files: { 'a.txt': { type: 'file', content: 'a' } } });
      if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result)
        for await (const _ of result as AsyncIterable<unknown>) break;
      else await result;
    } catch {
      // The response to a missing route.
    }
    const answer = answers.get(name);
    t.ok(answer !== undefined && !hasRoute(answer), `${name} ${answer?.request} ${answer?.text}`);
  }
  const id = randomUUID();
  await client.createRun({
    id,
    name: 'addressed',
    run_type: 'chain',
    inputs: {},
    address: { kind: 'AGENT', id: 'support', environment: 'PRODUCTION' },
  } as Parameters<typeof client.createRun>[0]);
  await client.awaitPendingTraceBatches();
  const { id: project } = await client.readProject({ projectName: 'default' });
  t.match(await client.readRun(id), { session_id: project });
});
