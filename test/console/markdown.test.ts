import { deepEqual } from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import { consoleCode } from '../helpers/console-code.js';

interface Block {
  source: string;
  nodes: unknown[];
}
interface Modules {
  MarkdownParser: new () => { parse(text: string, isGrowing: boolean): Block[]; parsedChars: number };
  hasMarkdown: (text: string) => boolean;
  highlight: (code: string, language: string) => { kind: string | null; text: string }[] | null;
  html: (text: string, isGrowing?: boolean) => string;
}

const { MarkdownParser, hasMarkdown, highlight, html } = await consoleCode<Modules>(
  t,
  `import { renderToStaticMarkup } from 'react-dom/server';
  import Markdown from './markdown/markdown.js';
  export { MarkdownParser } from './markdown/parse.js';
  export { hasMarkdown } from './markdown/has-markdown.js';
  export { highlight } from './markdown/highlight.js';
  export const html = (text, isGrowing) => renderToStaticMarkup(<Markdown text={text} isGrowing={isGrowing} />);`,
);

/** The elements of a rendered text, without classes and the frames of blocks. */
const shape = (text: string): string =>
  html(text)
    .replaceAll(/ (?:class|dir)="[^"]*"/g, '')
    .replaceAll(/<\/?div[^>]*>/g, '');

/** What a person reads. */
const read = (text: string): string =>
  html(text)
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');

t.test('shows headings, lists, tables, links and code', (t) => {
  t.equal(
    shape('# One\n\nTwo **three** *four* ~~five~~ `six`'),
    '<h3>One</h3><p>Two <strong>three</strong> <em>four</em> <s>five</s> <code>six</code></p>',
  );
  t.equal(shape('- a\n- b\n  1. c'), '<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>');
  t.equal(shape('3. a\n4. b'), '<ol start="3"><li>a</li><li>b</li></ol>');
  t.equal(shape('- [x] done\n- [ ] open\n- [y] other'), '<ul><li>☑ done</li><li>☐ open</li><li>[y] other</li></ul>');
  t.equal(shape('> a\n>\n> b'), '<blockquote><p>a</p><p>b</p></blockquote>');
  t.equal(
    shape('| a | b |\n|---|--:|\n| 1 | 2 |'),
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
  );
  t.match(html('|a|\n|-:|\n|1|'), /<td class="[\w-]*right[\w-]*">1</);
  t.equal(shape('one\ntwo'), '<p>one<br/>two</p>', 'lines end where they were written');
  const link = (href: string, text: string): string =>
    `<p><a href="${href}" title="${href}" target="_blank" rel="noopener noreferrer">${text}</a></p>`;
  t.equal(shape('[a](https://example.com/?q=1 "t")'), link('https://example.com/?q=1', 'a'));
  t.equal(shape('https://example.com/a_b'), link('https://example.com/a_b', 'https://example.com/a_b'));
  t.equal(shape('<mailto:a@example.com>'), link('mailto:a@example.com', 'mailto:a@example.com'));
  t.equal(shape('[a][b]\n\n[b]: http://example.com'), link('http://example.com', 'a'));
  t.equal(shape('see main.py and example.com'), '<p>see main.py and example.com</p>', 'a file is no link');
  const code = html('```ts\nconst a = "<b>";\n```');
  t.match(code, /<pre[^>]* aria-label="Code: ts"[^>]*><code>const a = &quot;&lt;b&gt;&quot;;<\/code>/);
  t.match(code, /aria-label="Copy code"/);
  t.match(html('    indented'), /<code>indented<\/code>/);
  t.end();
});

t.test('an unfinished text looks like what it becomes', (t) => {
  t.match(html('Code:\n\n```python\nprint(1', true), /aria-label="Code: python"[^>]*><code>print\(1</);
  t.equal(shape('- a\n- **b'), '<ul><li>a</li><li>**b</li></ul>');
  t.equal(
    shape('[a](https://exam'),
    '<p>[a](<a href="https://exam" title="https://exam" target="_blank" rel="noopener noreferrer">https://exam</a></p>',
  );
  t.end();
});

t.test('shows hostile content as text', (t) => {
  for (const text of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<div><p><b onclick="alert(1)">nested</b></p></div>',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](javascript&colon;alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:alert(1))',
    '[x](file:///etc/passwd)',
    '[x](../server/keys)',
    '[x](//example.com)',
    '<javascript:alert(1)>',
    '![x](javascript:alert(1))',
    '![x](data:image/svg+xml;base64,AAAA)',
    '[x]\n\n[x]: javascript:alert(1)',
    '`<script>`',
    '| <img src=x onerror=alert(1)> |\n|---|\n| <script>alert(1)</script> |',
    '```"><script>alert(1)</script>\n<script>alert(1)</script>\n```',
    '# <script>alert(1)</script>',
  ]) {
    const shown = html(text);
    t.notMatch(shown, /<(?:script|svg|img|b|iframe)\b(?! xmlns)/i, text);
    t.notMatch(shown, /<[a-z]+[^>]* on\w+=/i, text);
    t.notMatch(shown, /(?:href|src)="(?!https?:|mailto:)/i, text);
  }
  t.equal(read('<b>bold</b> &lt;i&gt; [x](javascript:alert(1))'), '<b>bold</b> <i> [x](javascript:alert(1))');
  t.equal(read('[x](data:image/png;base64,AAAA)'), 'x', 'an embedded image is no link');
  t.equal(
    shape('![a chart](https://example.com/x.png)'),
    '<p><a href="https://example.com/x.png" title="https://example.com/x.png" target="_blank" rel="noopener noreferrer">a chart (https://example.com/x.png)</a></p>',
    'an image elsewhere is a link',
  );
  t.equal(shape('![dot](data:image/png;base64,AAAA)'), '<p><img src="data:image/png;base64,AAAA" alt="dot"/></p>');
  t.match(html('مرحبا **بالعالم**'), /<div [^>]*dir="auto"><p>/);
  t.end();
});

t.test('keeps the text of any depth and length, with few levels of elements', (t) => {
  const depthOf = (text: string): number => {
    let [depth, deepest] = [0, 0];
    for (const [tag] of html(text).matchAll(/<\/?(?!br|hr|img|path|rect)[^>]*>/g)) {
      depth += tag.startsWith('</') ? -1 : 1;
      deepest = Math.max(deepest, depth);
    }
    return deepest;
  };
  for (const [text, kept] of [
    [`${'>'.repeat(10_000)} deep`, 'deep'],
    [Array.from({ length: 400 }, (_, level) => `${'  '.repeat(level)}- level ${level}`).join('\n'), 'level 399'],
    [`${'*a **b '.repeat(1_000)}middle${' b** a*'.repeat(1_000)}`, 'middle'],
    [`${'[x'.repeat(5_000)}end`, 'end'],
    [`${'> '.repeat(50)}quoted\n`.repeat(200), 'quoted'],
  ] as const) {
    t.ok(read(text).includes(kept), `${text.slice(0, 20)} keeps its text`);
    t.ok(depthOf(text) < 60, `${text.slice(0, 20)} has ${depthOf(text)} levels`);
  }
  for (const part of [
    'x',
    'word ',
    '[',
    '![',
    '[a](',
    '`',
    '``a`',
    '*',
    '_a ',
    '~~a',
    '<',
    '&',
    '\\',
    '|',
    'https://a.b/( ',
  ])
    t.match(read(`first ${part.repeat(Math.ceil(20_000 / part.length))}`), /^first/, `20 kB of ${part}`);
  t.end();
});

/** Pieces of Markdown of which random messages are made. */
const PIECES = [
  'a',
  'b c',
  ' ',
  '\n',
  '\n\n',
  '- ',
  '1. ',
  '2',
  '. ',
  '> ',
  '```',
  '~~~\n',
  '|a|b|\n',
  '|-|-|\n',
  '-|-',
  '    ',
  '\t',
  '# ',
  '**',
  '`',
  '---\n',
  '===',
  '[x](http://a.b)',
  '\r',
  '<b>',
  '* ',
];

t.test('a growing text has the same blocks as the whole text', (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
      const growing = new MarkdownParser();
      for (let count = 1; count <= pieces.length; count += 1) {
        const text = pieces.slice(0, count).join('');
        deepEqual(growing.parse(text, true), new MarkdownParser().parse(text, false), JSON.stringify(text));
      }
    }),
    { numRuns: 300 },
  );
  t.pass('for every beginning of random texts');
  t.end();
});

t.test('parses the end of a growing text only, and keeps blocks that did not change', (t) => {
  const paragraph = 'Some **bold** text with `code`.\n\n- one\n- two\n\n```js\nconst a = 1;\n```\n\n';
  const text = paragraph.repeat(1_000);
  const parser = new MarkdownParser();
  const step = 100;
  let before: Block[] = [];
  for (let end = step; end < text.length; end += step) before = parser.parse(text.slice(0, end), true);
  t.ok(parser.parsedChars < 3 * text.length, `${parser.parsedChars} characters were parsed for ${text.length}`);
  const after = parser.parse(text, false);
  t.equal(after.length, 3_000);
  t.ok(
    before.slice(0, -2).every((block, at) => block === after[at]),
    'the whole text is parsed once at the end, and renders only its last blocks',
  );
  t.equal(parser.parse('[a]\n\n[a]: http://example.com', false).length, 1, 'another text begins again');
  t.end();
});

t.test('needs no parser for plain text', (t) => {
  for (const text of [
    '',
    'Hello, world! (It is 24 °C.)',
    'One.\n\nTwo - three + four = 7; 1.5 > x?',
    'مرحبا',
    "it's 5. Yes",
  ])
    t.equal(hasMarkdown(text), false, text);
  for (const text of [
    '# a',
    'a *b*',
    '`a`',
    '- a',
    ' 1. a',
    '|a|',
    'a\n===',
    '> a',
    '    a',
    'see https://a.b',
    '[a](b)',
    '&lt;',
    '\\*',
  ])
    t.equal(hasMarkdown(text), true, text);
  t.end();
});

t.test('colors code without changing it', (t) => {
  const code = 'const a: string = `x ${1 + 2}`; // <b> "é"\n';
  const parts = highlight(code, 'ts')!;
  t.equal(parts.map(({ text }) => text).join(''), code);
  t.ok(parts.some(({ kind, text }) => kind === 'keyword' && text === 'const'));
  t.ok(parts.some(({ kind, text }) => kind === 'number' && text === '2'));
  t.equal(highlight(code, 'no-such-language'), null);
  t.end();
});
