import { createHash } from 'node:crypto';
import { sent, withStatistics, type Json, type Target, type Uploaded } from './uploads.js';

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 8, 1, 9);
const QUESTIONS = [
  'How do I reset my password?',
  'Where is my invoice for March?',
  'Can I change the delivery address after ordering?',
  'The app closes when I open settings',
  'Do you ship to Iceland?',
  'Cancel my subscription but keep my data',
  'I was charged twice',
  'How do I export all of my projects as CSV?',
  'Is there a student discount?',
  'My coupon SPRING is refused',
];

/** Id of a row, the same in every experiment. */
export function rowId(dataset: string, index: number): string {
  const hex = createHash('sha256').update(`${dataset} ${index}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export interface MadeExperiment {
  dataset: string;
  name: string;
  rows: number;
  /** Start day, which determines the order in time. */
  day?: number;
  /** Score of each row, 0 or 1. */
  correct: (index: number) => number;
  seconds?: (index: number) => number;
  error?: (index: number) => string | undefined;
  more?: Json;
}

/** Uploads an experiment with two scores and a label per run. */
export async function experiment(
  target: Target,
  {
    dataset,
    name,
    rows,
    day = 0,
    correct,
    seconds = (index) => 1 + (index % 10) / 10,
    error,
    more = {},
  }: MadeExperiment,
): Promise<Uploaded> {
  const start = FIRST + day * DAY;
  const iso = (ms: number): string => new Date(ms).toISOString();
  const results = Array.from({ length: rows }, (_, index) => {
    const score = correct(index);
    const failed = error?.(index);
    const question = `${QUESTIONS[index % QUESTIONS.length]!}${index < QUESTIONS.length ? '' : ` (case ${index})`}`;
    const right = `Open your account page, choose the entry for "${question.slice(0, 24)}" and follow the three steps.`;
    return {
      row_id: rowId(dataset, index),
      inputs: { question },
      expected_outputs: { answer: right, steps: 3 },
      ...(failed === undefined
        ? {
            actual_outputs: {
              answer: score === 1 ? right : 'Please contact our support team, who will gladly help you with this.',
              steps: score === 1 ? 3 : 1,
            },
          }
        : { error: failed }),
      evaluation_scores: [
        { key: 'correct', score, comment: score === 1 ? 'The same steps as expected' : 'Sends the person away' },
        {
          key: 'helpfulness',
          score: Math.round((score * 0.5 + ((index * 37) % 50) / 100) * 100) / 100,
          feedback_source: { type: 'model' },
        },
        { key: 'tone', value: index % 5 === 0 ? 'cold' : 'friendly', feedback_source: { type: 'model' } },
      ],
      start_time: iso(start + index * 1_000),
      end_time: iso(start + index * 1_000 + seconds(index) * 1_000),
      run_name: 'support agent',
      run_metadata: { model: name },
    };
  });
  return sent(target, {
    experiment_name: name,
    experiment_start_time: iso(start),
    experiment_end_time: iso(start + DAY),
    dataset_name: dataset,
    experiment_metadata: { day },
    results,
    ...more,
  });
}

export interface Compared {
  datasetId: string;
  main: string;
  better: string;
  worse: string;
  chance: string;
}

/** A dataset of 120 examples with a baseline and three experiments: better, worse, and without a significant change. */
export async function comparedExperiments(target: Target, dataset = 'Support questions'): Promise<Compared> {
  const one = (
    name: string,
    day: number,
    correct: (index: number) => number,
    more: Partial<MadeExperiment> = {},
  ): Promise<Uploaded> => experiment(target, { dataset, name, rows: 120, day, correct, ...more });
  const usual = (index: number): number => (index % 4 === 0 ? 0 : 1);
  const main = await one('prompt 12', 1, usual, {
    more: {
      dataset_description: 'Questions that people sent to support in spring, with the answers that support gave.',
    },
  });
  const chance = await one('prompt 13, shorter', 3, (index) =>
    index % 24 === 0 ? 1 : index % 24 === 1 ? 0 : usual(index),
  );
  const worse = await one('prompt 13, small model', 5, (index) => (index % 2 === 0 ? 0 : usual(index)), {
    seconds: (index) => 0.4 + (index % 7) / 20,
    error: (index) => (index % 40 === 2 ? 'Timeout after 30 s: the model did not answer' : undefined),
  });
  const better = await one('prompt 14, with sources', 7, (index) => (index % 16 === 1 ? 0 : 1), {
    seconds: (index) => 1.4 + (index % 10) / 10,
  });
  const ids = [main, better, worse, chance].map(({ experiment: { id } }) => id);
  for (const id of ids) await withStatistics(target, id);
  return { datasetId: main.dataset.id, main: ids[0]!, better: ids[1]!, worse: ids[2]!, chance: ids[3]! };
}

/** Content that must be shown as text. */
export const HOSTILE = {
  script: '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">{{data}}<!--',
  style: '</style><style>*{display:none}</style>',
  rightToLeft: 'שלום, מה שלומך? هذا نص من اليمين إلى اليسار \u202E',
  long: 'a'.repeat(1_000_000),
};

/** A dataset with two experiments that contain hostile content in every field. */
export async function hostileExperiments(target: Target): Promise<{ datasetId: string; ids: string[] }> {
  const texts = [HOSTILE.script, HOSTILE.style, HOSTILE.rightToLeft, HOSTILE.long, '__proto__', 'javascript:alert(1)'];
  const uploads = await Promise.all(
    [0, 1].map((which) =>
      sent(target, {
        experiment_name: `${HOSTILE.script} ${which}`,
        experiment_description: HOSTILE.style,
        experiment_start_time: '2026-01-01T00:00:00Z',
        experiment_end_time: '2026-01-01T01:00:00Z',
        dataset_name: `${HOSTILE.rightToLeft} ${HOSTILE.script}`,
        dataset_description: HOSTILE.script,
        experiment_metadata: { [HOSTILE.script]: HOSTILE.style },
        results: texts.map((text, index) => ({
          row_id: rowId('hostile', index),
          inputs: { [text.slice(0, 200)]: text },
          expected_outputs: { text },
          start_time: '2026-01-01T00:00:01Z',
          end_time: '2026-01-01T00:00:02Z',
          run_name: HOSTILE.script,
          ...(index === 0
            ? { error: HOSTILE.script }
            : { actual_outputs: { text: `${text}${which}`, link: 'javascript:alert(1)' } }),
          evaluation_scores: [
            {
              key: HOSTILE.script,
              score: which === 0 ? 1 : 0,
              comment: text.slice(0, 10_000),
              correction: { text: HOSTILE.script },
            },
            { key: '__proto__', score: which, value: HOSTILE.style },
          ],
        })),
      }),
    ),
  );
  const ids = uploads.map(({ experiment: { id } }) => id);
  for (const id of ids) await withStatistics(target, id);
  return { datasetId: uploads[0]!.dataset.id, ids };
}
