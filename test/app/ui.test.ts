import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import { Client } from '@langchain/langgraph-sdk';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import t from 'tap';
import { assistantIdOf } from '../../src/base/ids.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const UI = join(ROOT, 'test', 'ui');

t.test('builds and serves components as the stock page loads them', async (t) => {
  const server = await testServer(t, {
    config: projectOf(t, ['echo'], { ui: { echo: `${UI}/components.jsx` }, http: { mount_prefix: '/agents' } }),
    env: { THREADMILL_API_KEYS: 'a-key-that-no-tag-sends-along' },
  });
  const { url } = server;
  const client = new Client({ apiUrl: url, apiKey: null });
  const { host } = new URL(url);
  const html = await client['~ui'].getComponent('echo', 'weather');
  t.equal(
    html,
    [
      `<link rel="stylesheet" href="http://${host}/agents/ui/echo/entrypoint.css" />`,
      `<script src="http://${host}/agents/ui/echo/entrypoint.js" onload='__LGUI_echo.render("weather", "{{shadowRootId}}")'></script>`,
    ].join('\n'),
  );
  t.equal(
    await client['~ui'].getComponent(assistantIdOf('echo'), 'weather'),
    html,
    "by the id of the graph's assistant, too",
  );

  const script = await server.get('/ui/echo/entrypoint.js');
  t.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
  const tag = script.headers.get('etag')!;
  t.equal((await server.get('/ui/echo/entrypoint.js', { headers: { 'if-none-match': tag } })).status, 304);
  const style = await server.get('/ui/echo/entrypoint.css');
  t.equal(style.headers.get('content-type'), 'text/css; charset=utf-8');
  t.match(await style.text(), /\.weather\{color:teal\}/);

  // A page: what the SDK puts on `window`, an element with a shadow root, and the script of the tag.
  const page = globalThis as unknown as {
    window: object;
    document: object;
    __LGUI_echo: { render(name: string, root: string): void };
  };
  const appended: unknown[] = [];
  // react-dom looks at `window.document` when it is loaded: there is none yet.
  await import('react-dom');
  page.window = globalThis;
  await import('@langchain/langgraph-sdk/react-ui');
  page.document = {
    createElement: (name: string) => ({ name }),
    getElementById: (id: string) =>
      id === 'root' ? { shadowRoot: { appendChild: (one: unknown) => appended.push(one) } } : null,
  };
  t.teardown(() => {
    Reflect.deleteProperty(globalThis, 'window');
    Reflect.deleteProperty(globalThis, 'document');
  });
  const given: [string, FunctionComponent<{ city: string }>, unknown][] = [];
  const store = (globalThis as unknown as Record<symbol, { respond: unknown }>)[Symbol.for('LGUI_EXT_STORE')]!;
  store.respond = (...args: (typeof given)[number]) => given.push(args);
  vm.runInThisContext(await script.text());
  page.__LGUI_echo.render('weather', 'root');
  t.same(appended, [{ name: 'div' }]);
  t.match(given, [['root', Function, { name: 'div' }]]);
  t.throws(
    () => page.__LGUI_echo.render('nothing', 'root'),
    /there is no component "nothing". The components are: weather/,
  );
  // The hooks are the page's own: they work only where React is the same.
  const shared = (globalThis as unknown as Record<symbol, (name: string) => { useStreamContext: unknown }>)[
    Symbol.for('LGUI_REQUIRE')
  ]!('@langchain/langgraph-sdk/react-ui');
  t.type(shared.useStreamContext, 'function');
  t.throws(
    () => renderToStaticMarkup(createElement(given[0]![1], { city: 'Jena' })),
    /useStreamContext must be used within a LoadExternalComponent/,
  );
});

t.test('puts nothing of a request into the page', async (t) => {
  const server = await testServer(t, {
    config: projectOf(t, ['echo'], { ui: { 'my-agent.1': `${UI}/components.jsx` } }),
  });
  const markup = await (await server.post('/ui/my-agent.1', { name: `');alert(1)//</script><script>"&` })).text();
  t.match(markup, '__LGUI_my_agent_1.render(');
  t.notMatch(markup, /<\/script><script>|'\);alert/);
  t.equal((await server.post('/ui/nobody', { name: 'x' })).status, 404);
  t.equal((await server.get('/ui/my-agent.1/../../secret')).status, 404);
  t.equal((await server.get('/ui/my-agent.1/none.js')).status, 404);
  t.equal((await server.post('/ui/my-agent.1', {})).status, 422);
  t.equal((await server.post('/ui/my-agent.1', { name: 'x'.repeat(201) })).status, 422);
});

t.test('names components that cannot be built at the start, and builds none when disabled', async (t) => {
  const broken = join(temporaryFolder(t), 'broken.jsx');
  writeFileSync(broken, 'export default { broken: ( };');
  for (const [module, problem] of [
    [`${UI}/none.tsx`, /does not exist/],
    [broken, /broken\.jsx:1/],
    [`${UI}/tailwind.jsx`, /npm install esbuild-plugin-tailwindcss/],
  ] as const) {
    await t.rejects(testServer(t, { config: projectOf(t, ['echo'], { ui: { echo: module } }) }), {
      code: 'UI_LOAD_FAILED',
      message: problem,
    });
  }
  for (const [more, problem] of [
    [{ ui: 5 }, /ui: must be an object/],
    [{ ui: { echo: 5 } }, /ui\.echo/],
    [{ ui: { 'a/b': 'x' } }, /letters, digits/],
    [{ ui_config: { shared: ['a b'] } }, /ui_config\.shared/],
  ] as const) {
    await t.rejects(async () => testServer(t, { config: projectOf(t, ['echo'], more) }), {
      code: 'CONFIG_INVALID',
      message: problem,
    });
  }
  const server = await testServer(t, {
    config: projectOf(t, ['echo'], { ui: { echo: broken }, http: { disable_ui: true } }),
  });
  t.equal((await server.post('/ui/echo', { name: 'x' })).status, 404);
});
