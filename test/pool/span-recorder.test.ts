import t from 'tap';
import type { EvaluationRun } from '../../src/wire/evaluation/evaluation-run.js';
import { unpackSteps } from '../../src/wire/runs/trace-steps.js';
import type { Outbox } from '../../workers/graph/outbox.js';
import { SpanRecorder } from '../../workers/graph/span-recorder.js';
import { WireJson } from '../../workers/graph/wire-json.js';

const RUN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

/** A step as the front thread gets it. */
type ReceivedStep = EvaluationRun & { isEndOnly: boolean };

/** A recorder, and the steps of each message that it has sent. */
function recording(): { recorder: SpanRecorder; sent: ReceivedStep[][] } {
  const sent: ReceivedStep[][] = [];
  const received = (steps: Uint8Array): ReceivedStep[] =>
    unpackSteps(RUN_ID, steps).map(({ item, isEndOnly }) => ({ ...item.run, isEndOnly }));
  const outbox = { send: ({ steps }: { steps: Uint8Array }) => void sent.push(received(Buffer.from(steps))) };
  const hidden = { hideInputs: false, hideOutputs: false, hide: [], hidesByFunction: false };
  const settings = JSON.stringify({ ...hidden, valueBytesMax: 10_000_000, prices: {} });
  const recorder = new SpanRecorder({
    trace: { settings, hasThread: false, calls: 'none', startUs: null },
    ...{ runId: RUN_ID, graphId: 'graph', lease: 1, attempt: 1, json: new WireJson(), hideFunction: null },
    outbox: outbox as unknown as Outbox,
  });
  return { recorder, sent };
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
