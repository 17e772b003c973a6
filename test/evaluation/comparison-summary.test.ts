import t from 'tap';
import { configWith, testServer } from '../helpers/server.js';
import { row, sent, withStatistics, type Json, type Uploaded } from '../helpers/uploads.js';
import { rowId } from '../helpers/console-experiments.js';

interface Difference {
  pairs: number;
  baseline_mean: number | null;
  mean: number | null;
  difference: number | null;
  interval: [number, number] | null;
  interval_confidence: number;
  p_value: number;
  verdict: string;
  unpaired_baseline_examples: number;
  unpaired_candidate_examples: number;
}

interface Comparison {
  correction: string;
  experiments: {
    id: string;
    latency_mean: number | null;
    error_rate: number | null;
    versus_baseline: {
      examples_changed: number;
      latency: Difference;
      error_rate: Difference;
      feedback: Record<string, Difference>;
    } | null;
  }[];
}

t.test('comparison summary', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const upload = (dataset: string, name: string, rows: Json[]): Promise<Uploaded> =>
    sent(server, {
      experiment_name: `${dataset} ${name}`,
      experiment_start_time: '2024-05-01T10:00:00Z',
      experiment_end_time: '2024-05-01T11:00:00Z',
      dataset_name: dataset,
      results: rows,
    });
  const scored = (dataset: string, at: number, scores: Record<string, number>, more: Json = {}): Json =>
    row({
      row_id: rowId(dataset, at),
      inputs: { at },
      actual_outputs: { at },
      evaluation_scores: Object.entries(scores).map(([key, score]) => ({ key, score })),
      start_time: '2024-05-01T10:10:00Z',
      end_time: `2024-05-01T10:10:0${1 + (at % 5)}Z`,
      ...more,
    });
  const compare = (uploads: readonly Uploaded[], more: Json = {}): Promise<Response> =>
    server.post(`/api/v1/datasets/${uploads[0]!.dataset.id}/comparison`, {
      experiment_ids: uploads.map(({ experiment }) => experiment.id),
      baseline_id: uploads[0]!.experiment.id,
      ...more,
    });
  const range = (count: number, from = 0): number[] => Array.from({ length: count }, (_, at) => from + at);

  await t.test('shows the means of the pairs, and counts the examples without a pair', async (t) => {
    const uploads = [
      await upload(
        'pairs',
        'main',
        range(12).map((at) => scored('pairs', at, { k: 1 })),
      ),
      // Of the examples 4 to 14, two have no score.
      await upload(
        'pairs',
        'branch',
        range(11, 4).map((at) => scored('pairs', at, at < 6 ? {} : { k: 0.5 })),
      ),
    ];
    const { experiments } = (await (await compare(uploads)).json()) as Comparison;
    const { k } = experiments[1]!.versus_baseline!.feedback;
    t.match(k, {
      pairs: 6,
      baseline_mean: 1,
      mean: 0.5,
      difference: -0.5,
      unpaired_baseline_examples: 6,
      unpaired_candidate_examples: 5,
      verdict: 'worse',
    });
    t.match(experiments[1]!.versus_baseline!.latency, {
      pairs: 8,
      unpaired_baseline_examples: 4,
      unpaired_candidate_examples: 3,
    });
    for (const one of [k!, experiments[1]!.versus_baseline!.latency])
      t.ok(Math.abs(one.mean! - one.baseline_mean! - one.difference!) < 1e-9, 'the means differ by the difference');
    t.equal(experiments[0]!.latency_mean, range(12).reduce((sum, at) => sum + 1 + (at % 5), 0) / 12, 'of all runs');
    t.equal(experiments[1]!.versus_baseline!.examples_changed, 0);
  });

  await t.test('applies the confidence to all verdicts together with Holm', async (t) => {
    const keys = ['a', 'b', 'c', 'd'];
    // With 6 of 6 regressions each p-value is 1 in 32: not enough once there are four.
    const scores = (score: number): Record<string, number> => Object.fromEntries(keys.map((key) => [key, score]));
    const uploads = [
      await upload(
        'holm',
        'main',
        range(6).map((at) => scored('holm', at, { ...scores(1) })),
      ),
      await upload(
        'holm',
        'branch',
        range(6).map((at) => scored('holm', at, { ...scores(0) })),
      ),
    ];
    const read = async (more: Json): Promise<Comparison> =>
      (await compare(uploads, more)).json() as Promise<Comparison>;
    const [plain, corrected] = [await read({}), await read({ correction: 'holm' })];
    t.same([plain.correction, corrected.correction], ['none', 'holm']);
    t.match(plain.experiments[1]!.versus_baseline!.feedback['a'], {
      p_value: 1 / 32,
      verdict: 'worse',
      interval: [-1, -1],
      interval_confidence: 0.95,
    });
    t.match(corrected.experiments[1]!.versus_baseline!.feedback['a'], {
      p_value: 4 / 32,
      verdict: 'not_enough_evidence',
      interval: null,
      interval_confidence: 1 - 0.05 / 4,
    });
  });

  await t.test('refuses an unknown score and names the known ones, the nearest first', async (t) => {
    const uploads = [await upload('keys', 'main', [scored('keys', 0, { helpful: 1, correctness: 1, tone: 0 })])];
    const response = await compare(uploads, { feedback_key: 'corectnes' });
    t.equal(response.status, 422);
    const { detail } = (await response.json()) as { detail: { msg: string }[] };
    t.match(detail[0]!.msg, /which have "correctness", "tone", "helpful"\. They have no "corectnes"$/);
  });

  await t.test('counts the examples that changed between the experiments', async (t) => {
    const rows = range(6).map((at) => scored('changes', at, { k: 1 }));
    const changed = rows.map((one, at) => (at < 2 ? { ...one, expected_outputs: { answer: 'new' } } : one));
    const uploads = [
      await upload('changes', 'main', rows),
      await upload('changes', 'same', rows),
      await upload('changes', 'branch', changed),
    ];
    const { experiments } = (await (await compare(uploads)).json()) as Comparison;
    t.same(
      experiments.map(({ versus_baseline: versus }) => versus?.examples_changed),
      [undefined, 0, 2],
    );
    const back = (await (await compare([uploads[2]!, uploads[0]!])).json()) as Comparison;
    t.equal(back.experiments[1]!.versus_baseline!.examples_changed, 2, 'in either direction');
  });

  await t.test('takes an empty error text for no error', async (t) => {
    const uploads = [
      await upload('errors', 'main', [
        scored('errors', 0, {}, { error: '' }),
        scored('errors', 1, {}, { error: 'failed' }),
      ]),
    ];
    const { id } = uploads[0]!.experiment;
    t.match(await withStatistics(server, id), { error_rate: 0.5 });
    const { rows } = (await (await compare(uploads, { sort_by: 'example' })).json()) as {
      rows: { example: { inputs: { at: number } }; runs: Record<string, { status: string }[]> }[];
    };
    t.same(
      rows.sort((a, b) => a.example.inputs.at - b.example.inputs.at).map(({ runs }) => runs[id]![0]!.status),
      ['success', 'error'],
    );
  });

  await t.test('reads all statistics as soon as the runs are there', async (t) => {
    const { experiment } = await upload(
      'at once',
      'main',
      range(40).map((at) => scored('at once', at, { k: 1 })),
    );
    const first = (await (await fetch(`${server.url}/api/v1/sessions/${experiment.id}`)).json()) as Json;
    t.match(first, { run_count: 40, latency_p50: 3, error_rate: 0, feedback_stats: { k: { n: 40 } } });
  });
});
