import { HumanMessage } from '@langchain/core/messages';
import t from 'tap';
import type { EvaluationRun } from '../../src/wire/evaluation/evaluation-run.js';
import { unpackSteps } from '../../src/wire/runs/trace-steps.js';
import type { Outbox } from '../../workers/graph/outbox.js';
import { SpanRecorder } from '../../workers/graph/span-recorder.js';
import { WireJson } from '../../workers/graph/wire-json.js';

const RUN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

/** A step as the front thread gets it. */
type ReceivedStep = EvaluationRun & { isEndOnly: boolean };

/** A recorder, the steps of each message that it has sent, and the bytes of all. */
function recording(more: object = {}): {
  recorder: SpanRecorder;
  sent: ReceivedStep[][];
  bytes: () => number;
} {
  const sent: ReceivedStep[][] = [];
  let bytes = 0;
  const received = (steps: Uint8Array): ReceivedStep[] =>
    unpackSteps(RUN_ID, steps).map(({ item, isEndOnly }) => ({ ...item.run, isEndOnly }));
  const send = ({ steps }: { steps: Uint8Array }): void => {
    bytes += steps.byteLength;
    sent.push(received(Buffer.from(steps)));
  };
  const hidden = { hideInputs: false, hideOutputs: false, hide: [], hidesByFunction: false };
  const settings = JSON.stringify({ ...hidden, valueBytesMax: 10_000_000, prices: {}, ...more });
  const recorder = new SpanRecorder({
    trace: { settings, hasThread: false, calls: 'none', startUs: null },
    ...{ runId: RUN_ID, graphId: 'graph', lease: 1, attempt: 1, json: new WireJson(), hideFunction: null },
    outbox: { send } as unknown as Outbox,
  });
  return { recorder, sent, bytes: () => bytes };
}

const read = (bytes: Uint8Array | null): unknown =>
  bytes === null ? null : JSON.parse(Buffer.from(bytes).toString('utf8'));

t.test('sends texts of any characters and length', async (t) => {
  // 250 and 252 characters: with the rest of the JSON, on both sides of a longer header.
  const texts = ['', 'é'.repeat(250), 'e'.repeat(252), 'é'.repeat(40_000), 'é'.repeat(1_500_000)];
  for (const text of ['plain', 'é, 漢 and 😀', ...texts]) {
    const { recorder, sent } = recording();
    recorder.handleChainStart(undefined, { text }, 'root', undefined, ['tag é'], { of: text.slice(0, 9) });
    recorder.handleChainStart({ name: 'node' }, { text, more: [text] }, 'node', 'root');
    recorder.handleChainError(new Error(`of ${text.slice(0, 9)}`), 'node');
    recorder.handleChainEnd({ answer: text }, 'root');
    recorder.finish();
    const steps = Object.fromEntries(sent.flat().map((step) => [step.parentRunId === null ? 'root' : 'node', step]));
    t.equal(sent.length, 1);
    t.strictSame(read(steps['root']!.inputs), { text });
    t.strictSame(read(steps['root']!.tags), ['tag é']);
    t.strictSame(read(steps['root']!.extra), { metadata: { of: text.slice(0, 9) } });
    t.strictSame(read(steps['root']!.outputs), { answer: text });
    t.strictSame(read(steps['node']!.inputs), { text, more: [text] });
    t.match(read(steps['node']!.error), `of ${text.slice(0, 9)}`);
    t.equal(steps['node']!.outputs, null);
  }
});

t.test('a step that was sent as it began is sent with what is new when it has ended', async (t) => {
  const { recorder, sent } = recording();
  recorder.handleChainStart(undefined, { text: 'in' }, 'root');
  recorder.finish();
  recorder.handleChainEnd({ text: 'out' }, 'root');
  recorder.finish();
  const [[began], [ended]] = sent as [[ReceivedStep], [ReceivedStep]];
  t.strictSame([read(began.inputs), began.endUs, began.outputs], [{ text: 'in' }, null, null]);
  t.strictSame([ended.inputs, ended.extra, read(ended.outputs)], [null, null, { text: 'out' }]);
  t.type(ended.endUs, 'number');
  t.equal(ended.runId, began.runId);
  t.strictSame([began.isEndOnly, ended.isEndOnly], [false, true]);
});

const CHAT = Array.from({ length: 20 }, (_, n) => new HumanMessage({ content: `${n} `.padEnd(300, 'x'), id: `m${n}` }));

t.test('texts are shared without what is hidden in them', async (t) => {
  const { recorder, sent, bytes } = recording({ hide: ['messages.*.id', 'secret'] });
  const secret = 'not to be stored '.repeat(20);
  for (const id of ['root', 'one', 'two'])
    recorder.handleChainStart({ name: id }, { messages: CHAT, secret }, id, id === 'root' ? undefined : 'root');
  recorder.finish();
  const wanted = { messages: CHAT.map(({ content }) => ({ content, id: '[hidden]' })), secret: '[hidden]' };
  for (const { inputs } of sent.flat()) {
    t.match(read(inputs), wanted);
    t.notMatch(Buffer.from(inputs!).toString(), 'not to be stored');
  }
  t.ok(bytes() < 20_000, `${bytes()} bytes`);
});

t.test('a model call that waits for its price is sent with its texts', async (t) => {
  const { recorder, sent } = recording();
  recorder.handleChainStart(undefined, {}, 'root');
  recorder.handleChatModelStart({ name: 'model' }, [CHAT], 'call', 'root', {}, [], { ls_model_name: 'gpt-4o' });
  const message = { usage_metadata: { input_tokens: 1, output_tokens: 0, total_tokens: 1 } };
  recorder.handleLLMEnd({ generations: [[{ text: CHAT[0]!.text, message }]] }, 'call');
  const { pricing } = recorder;
  t.not(pricing, null, 'the prices are loaded only now');
  recorder.finish();
  await pricing;
  recorder.finish();
  const [call] = sent.flat().filter(({ runType }) => runType === 'llm');
  t.equal(Buffer.from(call!.inputs!).toString(), new WireJson().text({ messages: [CHAT] }));
  t.match(read(call!.outputs), { generations: [[{ text: CHAT[0]!.text }]] });
});

t.test('a model call is sent once, when its price is known', async (t) => {
  const { recorder, sent } = recording();
  recorder.handleChainStart(undefined, {}, 'root');
  recorder.handleChatModelStart({ name: 'model' }, [[]], 'call', 'root', {}, [], { ls_model_name: 'gpt-4o' });
  const message = { usage_metadata: { input_tokens: 1_000_000, output_tokens: 0, total_tokens: 1_000_000 } };
  recorder.handleLLMEnd({ generations: [[{ text: 'é', message }]] }, 'call');
  await recorder.pricing;
  recorder.finish();
  const calls = sent.flat().filter(({ runType }) => runType === 'llm');
  t.equal(calls.length, 1);
  t.equal(calls[0]!.promptTokens, 1_000_000);
  t.ok(calls[0]!.totalCost! > 0);
  t.match(read(calls[0]!.outputs), { generations: [[{ text: 'é' }]] });
});

t.test('a message of a chat is sent once for all steps that have it', async (t) => {
  const { recorder, sent, bytes } = recording();
  recorder.handleChainStart(undefined, { messages: CHAT }, 'root');
  for (const id of ['one', 'two', 'three']) {
    recorder.handleChainStart({ name: id }, { messages: CHAT }, id, 'root');
    recorder.handleChainEnd({ messages: [] }, id);
  }
  recorder.handleChainEnd({ messages: CHAT }, 'root');
  recorder.finish();
  const json = new WireJson().text({ messages: CHAT });
  const steps = sent.flat();
  t.equal(steps.length, 4);
  for (const { inputs } of steps) t.equal(Buffer.from(inputs!).toString(), json);
  t.equal(Buffer.from(steps.find(({ parentRunId }) => parentRunId === null)!.outputs!).toString(), json);
  t.ok(bytes() < json.length * 1.5, `${bytes()} bytes`);
});

t.test('each message has the texts of its steps', async (t) => {
  const { recorder, sent } = recording();
  const json = new WireJson().text({ messages: CHAT });
  recorder.handleChainStart(undefined, { messages: CHAT }, 'root');
  recorder.finish();
  recorder.handleChainStart({ name: 'node' }, { messages: CHAT }, 'node', 'root');
  recorder.finish();
  recorder.handleChainEnd({ messages: CHAT }, 'node');
  recorder.handleChainEnd({ messages: CHAT }, 'root');
  recorder.finish();
  t.equal(sent.length, 3);
  t.strictSame(
    sent.map((steps) => steps.map(({ inputs, outputs }) => [inputs, outputs].map((one) => one && one.byteLength))),
    [
      [[json.length, null]],
      [[json.length, null]],
      [
        [null, json.length],
        [null, json.length],
      ],
    ],
  );
});

t.test('of a value that is too long, only the beginning is sent', async (t) => {
  const { recorder, sent, bytes } = recording({ valueBytesMax: 5_000 });
  recorder.handleChainStart(undefined, { messages: CHAT }, 'root');
  recorder.handleChainEnd({ messages: CHAT.slice(0, 5) }, 'root');
  recorder.finish();
  const [[step]] = sent as [[ReceivedStep]];
  const json = new WireJson().text({ messages: CHAT });
  t.strictSame(read(step.inputs), { truncated: true, bytes: json.length, beginning: json.slice(0, 2_000) });
  t.equal(Buffer.from(step.outputs!).toString(), new WireJson().text({ messages: CHAT.slice(0, 5) }));
  t.ok(bytes() < 6_000, `${bytes()} bytes`);
});
