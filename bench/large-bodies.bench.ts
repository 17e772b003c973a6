import { atMost, defineBench, verify, type Row } from './bench.js';
import { sendPaced } from './load.js';
import { median, format } from './measure.js';

const STALL_MS_MAX = 250;
const PER_SECOND = 200;

interface Shape {
  name: string;
  /** One of the comma-separated parts. */
  part: (at: number) => string;
  brackets: '[]' | '{}';
}

/** A long text, a long chat, and the shapes that cost a parser most per byte. */
const SHAPES: readonly Shape[] = [
  { name: 'one text', brackets: '[]', part: (at) => JSON.stringify(`${at} ${'lorem ipsum '.repeat(100_000)}`) },
  {
    name: 'a chat',
    brackets: '[]',
    part: (at) =>
      JSON.stringify({
        role: 'user',
        content: `${at} ${'word '.repeat(200)}`,
        id: `m${at}`,
        additional_kwargs: {},
        tool_calls: [],
      }),
  },
  { name: 'distinct names', brackets: '{}', part: (at) => `"k${at}":1` },
  { name: 'nested lists', brackets: '[]', part: () => '[[[[[[[[1]]]]]]]]' },
  { name: 'empty objects', brackets: '[]', part: () => '{}' },
];
const ROUTES = [
  ['/runs/wait', (value: string) => `{"assistant_id":"echo","input":{"text":"hello","large":${value}}}`],
  ['/threads', (value: string) => `{"metadata":{"large":${value}},"supersteps":[]}`],
] as const;

export default defineBench({
  name: 'large-bodies',
  description: 'How long other requests wait while the server reads the largest bodies, of every shape',
  smoke: { rounds: 1, bytes: 300_000, seconds: 2 },
  real: { rounds: 3, bytes: 31 * 1024 * 1024, seconds: 30 },
  async run(bench, { rounds, bytes, seconds }) {
    const ours = await bench.startServer({ workers: 1 });
    const rows: Row[] = [];
    for (const [path, bodyOf] of ROUTES) {
      for (const { name, brackets, part } of SHAPES) {
        const body = Buffer.from(bodyOf(valueOf(bytes, brackets, part)));
        const worst: number[] = [];
        let status = 0;
        for (let round = 0; round < rounds; round += 1) {
          const sent = fetch(`${ours.url}${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
          }).then(async (answer) => {
            await answer.arrayBuffer();
            status = answer.status;
          });
          const waits = await sendPaced({
            url: ours.url,
            path: '/ok',
            perSecond: PER_SECOND,
            seconds,
            until: sent,
            check: (text) => text === '{"ok":true}',
          });
          await sent;
          verify([200, 413, 422].includes(status), `${path} with ${name}: ${status}`);
          worst.push(Math.max(...waits));
        }
        const ms = median(worst);
        rows.push({
          what:
            `\`POST ${path}\`, ${name}, ${format.bytes(body.byteLength)} (${status}): longest wait of other ` +
            'requests',
          ours: format.ms(ms),
          reference: null,
          ratio: null,
          budget: `at most ${STALL_MS_MAX} ms`,
          missed: bench.isSmoke ? null : atMost(ms, STALL_MS_MAX),
          method: [
            `${rounds} rounds: \`GET /ok\` ${PER_SECOND} times a second, sent when due whether or not the last ` +
              'was answered, while the body is sent and answered.',
            'Longest wait of each round, median of the rounds. Bodies over the limits for names and elements ' +
              'count too, because they must be refused as quickly.',
          ],
        });
      }
    }
    return rows;
  },
});

function valueOf(bytes: number, [open, close]: string, part: Shape['part']): string {
  const parts: string[] = [];
  for (let at = 0, length = 0; length < bytes; at += 1) {
    const text = part(at);
    length += text.length + 1;
    parts.push(text);
  }
  return `${open}${parts.join(',')}${close}`;
}
