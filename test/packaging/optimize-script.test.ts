import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { build, transform, type BuildOptions } from 'esbuild';
import t from 'tap';
import { COMMON_OPTIONS } from '../../packaging/bundle.js';
import { loadScript, SCRIPT_END, SCRIPT_START, SHARED_MAPS } from '../../packaging/cached-script.js';
import { optimizeScript } from '../../packaging/optimize-script.js';

/** Bundles a source with the options of the built scripts. */
async function scriptOf(source: string, options: BuildOptions = {}): Promise<string> {
  const { outputFiles } = await build({
    ...COMMON_OPTIONS,
    stdin: { contents: source },
    format: 'cjs',
    keepNames: true,
    ...options,
  });
  return outputFiles![0]!.text;
}

/** What the script exports, as JSON. */
function run(script: string): string {
  const module = { exports: {} };
  const load = runInThisContext(`(function (module, exports) { ${script}\n})`) as (...args: object[]) => void;
  load(module, module.exports);
  return JSON.stringify(module.exports);
}

/** Functions and classes in every place that gives a name, and in places that give none. */
const NAMED = `
  const holder = {};
  let assigned; assigned = () => 1;
  function declared() { function inner() {} const arrow = async () => 2; return [inner, arrow]; }
  function withDefault(given = () => 3) { return given; }
  class Plain { static make() { return class Plain {}; } }
  class Own { static name = 'other'; }
  class Method { static name() { return 'called'; } }
  const chosen = Math.random() > 2 ? () => 4 : function () {};
  const [taken = () => 5] = [];
  const { member = function () {} } = {};
  const spelled = { 'a b': () => 6, short() {}, ['comp' + 'uted']: () => 7, plain: () => 8, expression: function own() {} };
  holder.property = () => 9;
  const wrapped = ((one) => one)(() => 10);
  export const names = [
    assigned, declared, ...declared(), withDefault(), Plain, Plain.make(), Own, chosen, taken, member,
    ...Object.values(spelled), holder.property, wrapped, class {}, function* generator() {},
  ].map(({ name }) => name);
  export const called = Method.name();
`;

t.test('keeps the names of functions and classes', async (t) => {
  const script = await scriptOf(NAMED);
  const optimized = optimizeScript(script);
  t.equal(run(optimized), run(script));
  const { code } = await transform(NAMED, { format: 'cjs' });
  t.equal(run(optimized), run(code), 'as without a bundle');
  const calls = (text: string): number => text.split('__name(').length - 1;
  t.ok(calls(script) > 10);
  t.ok(calls(optimized) < calls(script) / 2, optimized);
});

t.test('keeps names that a bundle changes', async (t) => {
  const script = await scriptOf(
    'import "a"; class State {} function read() {} export const names = [State.name, read.name];',
    {
      plugins: [
        {
          name: 'other',
          setup(setup) {
            setup.onResolve({ filter: /^a$/ }, () => ({ path: 'a', namespace: 'other' }));
            setup.onLoad({ filter: /.*/, namespace: 'other' }, () => ({
              contents: 'class State {} function read() {} globalThis.other = [State, read]; export {}',
            }));
          },
        },
      ],
    },
  );
  t.match(script, /State2/);
  t.equal(run(optimizeScript(script)), '{"names":["State","read"]}');
});

t.test('copies the same members by spreads', async (t) => {
  const source = `
    const own = JSON.parse('{"__proto__":{"polluted":true},"b":1,"a":2}');
    const order = [];
    const seen = { get first() { order.push('first'); return 1; }, get second() { order.push('second'); return 2; } };
    export const copies = [
      { ...own, c: 3 }, { ...own, a: 4, ...seen }, { x: 1, ...own }, { ...own }, { ...null, z: 1 }, { ...undefined, z: 1 },
      { ...'ab', c: 1 }, { ...[1, 2], length: 3 }, { ...{ __proto__: null, q: 1 }, r: 2 }, { ...order, ...{ ...own, d: { ...own, e: 1 } } },
    ].map((copy) => [Object.entries(copy), Object.getPrototypeOf(copy) === Object.prototype]);
    export const polluted = {}.polluted;
    export { order };
  `;
  const script = await scriptOf(source);
  const optimized = optimizeScript(script);
  t.equal(run(optimized), run(script));
  const { code } = await transform('const a = { ...b, c: 1 }, d = { ...b }, e = { c: 1, ...b };', {
    minifyWhitespace: true,
  });
  t.equal(optimizeScript(code).trim(), `const a={${SHARED_MAPS}...b,c:1},d={...b},e={c:1,...b};`);
});

t.test('is loaded with what this version of V8 needs', (t) => {
  const file = join(t.testdir(), 'copy.script');
  const optimized = optimizeScript('module.exports = (a) => ({ ...a, b: 1 });');
  writeFileSync(file, `${SCRIPT_START}${optimized}${SCRIPT_END}`);
  const copy = loadScript(file) as (a: object) => object;
  t.strictSame(copy({ a: 1 }), { a: 1, b: 1 });
  t.equal(copy.toString().includes(SHARED_MAPS), process.versions.v8.startsWith('11.'));
  t.end();
});
