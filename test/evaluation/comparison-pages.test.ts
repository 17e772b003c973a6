import t from 'tap';
import { configWith, testServer } from '../helpers/server.js';
import { row, sent, type Uploaded } from '../helpers/uploads.js';
import { rowId } from '../helpers/console-experiments.js';

interface Answer {
  total: number;
  offset: number;
  rows: {
    example: { id: string; inputs: { at: number } | null; inputs_preview?: string };
    runs: Record<string, { outputs: unknown; outputs_preview?: string }[]>;
  }[];
}

t.test('returns pages of a comparison by position, truncated values, text and latency', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const rows = (which: number) =>
    Array.from({ length: 7 }, (_, at) =>
      row({
        row_id: rowId('pages', at),
        inputs: { at, word: at % 2 === 0 ? 'Even' : 'odd' },
        actual_outputs: { text: 'ü'.repeat(at === 3 ? 500 : 5) },
        evaluation_scores: [{ key: 'k', score: which }],
        start_time: '2024-05-01T10:10:00Z',
        end_time: `2024-05-01T10:10:0${which === 0 ? 1 : 1 + at}Z`,
      }),
    );
  const uploads: Uploaded[] = [];
  for (const which of [0, 1])
    uploads.push(
      await sent(server, {
        experiment_name: `pages ${which}`,
        experiment_start_time: '2024-05-01T10:00:00Z',
        experiment_end_time: '2024-05-01T11:00:00Z',
        dataset_name: 'pages',
        results: rows(which),
      }),
    );
  const ids = uploads.map(({ experiment }) => experiment.id);
  const ask = async (more: object): Promise<Answer> =>
    (
      await server.post(`/api/v1/datasets/${uploads[0]!.dataset.id}/comparison`, {
        experiment_ids: ids,
        baseline_id: ids[0],
        ...more,
      })
    ).json() as Promise<Answer>;

  const all = await ask({});
  const order = all.rows.map(({ example }) => example.id);
  const second = await ask({ offset: 3, limit: 3 });
  t.same([second.offset, second.rows.map(({ example }) => example.id)], [3, order.slice(3, 6)], 'a page by its place');
  const around = await ask({ example_id: order[4], limit: 3 });
  t.same(
    [around.offset, around.rows.map(({ example }) => example.id)],
    [3, order.slice(3, 6)],
    'the page of an example',
  );
  const elsewhere = await ask({ example_id: rowId('pages', 99), limit: 3 });
  t.equal(elsewhere.offset, 0, 'the first page for one that is not there');
  t.equal(
    (
      await server.post(`/api/v1/datasets/${uploads[0]!.dataset.id}/comparison`, {
        experiment_ids: ids,
        example_id: 'x',
      })
    ).status,
    422,
  );

  const even = await ask({ full_text_contains: ['EVEN', 'at'] });
  t.equal(even.total, 4, 'text in any case');
  const slow = await ask({ sort_by: 'latency' });
  t.same(
    slow.rows.map(({ example }) => example.inputs!.at),
    [6, 5, 4, 3, 2, 1, 0],
    'the largest slowdown first',
  );
  const fast = await ask({ sort_by: 'latency', sort_order: 'desc' });
  t.same(
    fast.rows.map(({ example }) => example.inputs!.at),
    [0, 1, 2, 3, 4, 5, 6],
  );

  const cut = await ask({ value_chars_max: 100 });
  const long = cut.rows.find(({ example }) => example.inputs?.at === 3)!.runs[ids[0]!]![0]!;
  t.same([long.outputs, long.outputs_preview], [null, `{"text":"${'ü'.repeat(91)}…`]);
  const short = cut.rows.find(({ example }) => example.inputs?.at === 2)!.runs[ids[0]!]![0]!;
  t.same([short.outputs, 'outputs_preview' in short], [{ text: 'ü'.repeat(5) }, false]);
});
