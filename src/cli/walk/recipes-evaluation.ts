import { randomUUID } from 'node:crypto';
import { END, SCORE, START, uploadOf, type RecordName, type Records } from './records.js';
import { form, type Kind, type Making, type Parts, type Recipe, type Try } from './requests.js';

const BASE = '/api/v1';

const as =
  (kind: Kind) =>
  (make: Making): Try => ({ kind, make });
const [names, filters, all, makes] = [as('names'), as('filters'), as('all'), as('makes')];

const of = (records: Records, name: string, record: RecordName): Parts => ({ params: { [name]: records.get(record) } });
const dataset =
  (more: Making = () => ({})): Making =>
  (theirs, own) => ({ ...more(theirs, own), ...of(theirs, 'dataset_id', 'dataset') });
const session =
  (more: Making = () => ({})): Making =>
  (theirs, own) => ({ ...more(theirs, own), ...of(theirs, 'session_id', 'experiment') });
/** The second experiment of the pair that is compared. */
const pair = (records: Records): string[] => [records.get('experiment'), records.get('experiment2')];

function example(own: Records, datasetId: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id: randomUUID(), dataset_id: datasetId, inputs: { text: own.marker }, ...more };
}

function trace(own: Records, more: Record<string, unknown> = {}): Record<string, unknown> {
  const id = randomUUID();
  return {
    id,
    trace_id: id,
    dotted_order: `20260101T000000000000Z${id}`,
    name: own.marker,
    run_type: 'chain',
    start_time: START,
    end_time: END,
    inputs: { text: own.marker },
    ...more,
  };
}

/** What is sent for a run of another's: a part of it, or it as a whole. */
function change(theirs: Records, own: Records): Record<string, unknown> {
  const id = theirs.get('evaluationRun');
  return { id, trace_id: id, dotted_order: `20260101T000000000000Z${id}`, outputs: changedTo(own) };
}

/** Another value each time, so that every change shows. */
const changedTo = (own: Records): Record<string, unknown> => ({ changed: `${own.marker} ${randomUUID()}` });

const jsonPart = (name: string, value: unknown): { name: string; type: string; value: unknown } => ({
  name,
  type: 'application/json',
  value,
});
const lines = (...values: unknown[]): Parts => ({
  raw: { contentType: 'application/x-ndjson', text: values.map((value) => `${JSON.stringify(value)}\n`).join('') },
});

const FILE = { tries: [names(dataset())] } as const;
const CONFIG = 'how the scores of a key are shown is one for all users';

const recipes: Readonly<Record<string, Recipe>> = {
  'POST /platform/datasets/:dataset_id/examples': {
    tries: [
      names(
        dataset((_, own) => {
          const id = randomUUID();
          return { raw: form([jsonPart(id, {}), jsonPart(`${id}.inputs`, { text: own.marker })]) };
        }),
      ),
    ],
  },
  'PATCH /platform/datasets/:dataset_id/examples': {
    tries: [
      names(
        dataset((theirs, own) => ({
          raw: form([
            jsonPart(theirs.get('example'), {}),
            jsonPart(`${theirs.get('example')}.outputs`, { changed: own.marker }),
          ]),
        })),
      ),
      names((theirs, own) => ({
        ...of(own, 'dataset_id', 'dataset'),
        raw: form([
          jsonPart(theirs.get('example'), {}),
          jsonPart(`${theirs.get('example')}.outputs`, { changed: own.marker }),
        ]),
      })),
    ],
  },
  'PATCH /platform/datasets/:dataset_id/examples/metadata': {
    tries: [
      names(
        dataset((theirs, own) => ({
          body: {
            example_ids: [theirs.get('example')],
            operations: [{ key: 'changed', operation: 'set', value: own.marker }],
          },
        })),
      ),
      // Each example is answered for: 207 may say that none was found.
      filters((theirs, own) => ({
        ...of(own, 'dataset_id', 'dataset'),
        body: {
          example_ids: [theirs.get('example')],
          operations: [{ key: 'changed', operation: 'set', value: own.marker }],
        },
      })),
    ],
  },
  'POST /platform/datasets/examples/delete': {
    tries: [
      names((theirs) => ({ body: { example_ids: [theirs.get('example2')] } })),
      names((theirs) => ({ body: { example_ids: [theirs.get('example2')], hard_delete: true } })),
    ],
    ends: 4,
  },

  'POST /datasets/upload-experiment': {
    tries: [
      makes((_, own) => ({ body: uploadOf(own, { dataset_name: `more ${own.marker} ${randomUUID()}` }) })),
      names((theirs, own) => ({ body: uploadOf(own, { dataset_id: theirs.get('uploadedDataset') }) })),
      names((theirs, own) => ({ body: uploadOf(own, { dataset_name: theirs.named('uploadedDataset') }) })),
    ],
  },
  'GET /datasets': {
    tries: [
      all(() => ({ query: { limit: '100' } })),
      filters((theirs) => ({ query: { id: theirs.get('dataset') } })),
      filters((theirs) => ({ query: { name: theirs.named('dataset') } })),
      filters((theirs) => ({ query: { name_contains: 'dataset', metadata: JSON.stringify({ walk: theirs.marker }) } })),
    ],
  },
  'GET /datasets/:dataset_id': { tries: [names(dataset())] },
  'GET /datasets/:dataset_id/versions': { tries: [names(dataset())] },
  'GET /datasets/:dataset_id/version': {
    tries: [
      names(dataset(() => ({ query: { tag: 'latest' } }))),
      names(dataset((theirs) => ({ query: { as_of: theirs.get('version') } }))),
    ],
  },
  'GET /datasets/:dataset_id/versions/diff': {
    tries: [names(dataset((theirs) => ({ query: { from_version: theirs.get('version'), to_version: 'latest' } })))],
  },
  'GET /datasets/:dataset_id/splits': { tries: [names(dataset())] },
  'POST /datasets/:dataset_id/runs': {
    tries: [
      names(dataset((theirs) => ({ body: { session_ids: pair(theirs) } }))),
      names((theirs, own) => ({ ...of(own, 'dataset_id', 'dataset'), body: { session_ids: pair(theirs) } })),
      names((theirs, own) => ({
        ...of(own, 'dataset_id', 'dataset'),
        body: { session_ids: [own.get('experiment'), theirs.get('experiment')] },
      })),
      names((theirs, own) => ({ ...of(theirs, 'dataset_id', 'dataset'), body: { session_ids: pair(own) } })),
    ],
  },
  'POST /datasets/:dataset_id/runs/delta': {
    tries: [
      names(
        dataset((theirs) => ({
          body: {
            baseline_session_id: theirs.get('experiment'),
            comparison_session_ids: [theirs.get('experiment2')],
            feedback_key: SCORE,
          },
        })),
      ),
      names((theirs, own) => ({
        ...of(own, 'dataset_id', 'dataset'),
        body: {
          baseline_session_id: own.get('experiment'),
          comparison_session_ids: [theirs.get('experiment2')],
          feedback_key: SCORE,
        },
      })),
    ],
  },
  'POST /datasets/:dataset_id/comparison': {
    tries: [
      names(dataset((theirs) => ({ body: { experiment_ids: pair(theirs) } }))),
      names((theirs, own) => ({
        ...of(own, 'dataset_id', 'dataset'),
        body: { experiment_ids: [own.get('experiment'), theirs.get('experiment')] },
      })),
    ],
  },
  'POST /datasets': {
    tries: [
      makes((_, own) => ({ body: { name: `made ${own.marker} ${randomUUID()}` } })),
      names((theirs, own) => ({ body: { name: `made ${own.marker} ${randomUUID()}`, id: theirs.get('dataset') } })),
      names((theirs) => ({ body: { name: theirs.named('dataset') } })),
    ],
  },
  'PATCH /datasets/:dataset_id': { tries: [names(dataset((_, own) => ({ body: { description: own.marker } })))] },
  'DELETE /datasets/:dataset_id': {
    tries: [names(dataset()), names((theirs) => of(theirs, 'dataset_id', 'uploadedDataset'))],
    ends: 6,
  },
  'PUT /datasets/:dataset_id/tags': {
    tries: [names(dataset((theirs) => ({ body: { as_of: theirs.get('version'), tag: 'walked' } })))],
  },
  'GET /sessions/:session_id/export': {
    tries: [names(session()), names(session(() => ({ query: { format: 'csv' } })))],
  },
  'GET /datasets/:dataset_id/export': {
    tries: [names(dataset()), names(dataset(() => ({ query: { format: 'csv' } })))],
  },
  'GET /datasets/:dataset_id/jsonl': FILE,
  'GET /datasets/:dataset_id/csv': FILE,
  'GET /datasets/:dataset_id/openai_ft': FILE,

  'POST /datasets/comparative': {
    tries: [
      names((theirs, own) => ({ body: { name: own.marker, experiment_ids: pair(theirs) } })),
      names((theirs, own) => ({
        body: { name: own.marker, experiment_ids: [own.get('experiment'), theirs.get('experiment')] },
      })),
      names((theirs, own) => ({
        body: { id: theirs.get('comparative'), name: own.marker, experiment_ids: pair(own) },
      })),
    ],
  },
  'GET /datasets/:dataset_id/comparative': { tries: [names(dataset())] },
  'DELETE /datasets/comparative/:comparative_experiment_id': {
    tries: [names((theirs) => of(theirs, 'comparative_experiment_id', 'comparative'))],
    ends: 3,
  },
  'GET /settings': { tries: [all(() => ({}))] },
  'GET /workspaces/current/stats': { tries: [all(() => ({}))] },
  'GET /datasets/:dataset_id/share': { tries: [names(dataset())] },
  'GET /runs/:run_id/share': { tries: [names((theirs) => of(theirs, 'run_id', 'evaluationRun'))] },

  'GET /examples': {
    tries: [
      filters((theirs) => ({ query: { dataset: theirs.get('dataset') } })),
      filters((theirs) => ({ query: { id: [theirs.get('example'), theirs.get('example2')] } })),
      filters((theirs, own) => ({ query: { dataset: own.get('dataset'), id: theirs.get('example') } })),
    ],
  },
  'GET /examples/count': {
    tries: [{ ...filters((theirs) => ({ query: { dataset: theirs.get('dataset') } })), nothing: '0' }],
  },
  'GET /examples/:example_id': {
    tries: [
      names((theirs) => of(theirs, 'example_id', 'example')),
      names((theirs) => ({ ...of(theirs, 'example_id', 'example'), query: { as_of: theirs.get('version') } })),
    ],
  },
  'POST /datasets/upload': {
    tries: [
      makes((_, own) => ({
        raw: form([
          { name: 'file', file: 'walk.csv', type: 'text/csv', value: `text\n${own.marker}\n` },
          { name: 'input_keys', value: 'text' },
          { name: 'name', value: `file ${own.marker} ${randomUUID()}` },
        ]),
      })),
      names((theirs, own) => ({
        raw: form([
          { name: 'file', file: 'walk.csv', type: 'text/csv', value: `text\n${own.marker}\n` },
          { name: 'input_keys', value: 'text' },
          { name: 'name', value: `file ${own.marker} ${randomUUID()}` },
          { name: 'id', value: theirs.get('dataset') },
        ]),
      })),
    ],
  },
  'POST /examples/bulk': {
    tries: [
      names((theirs, own) => ({ body: [example(own, theirs.get('dataset'))] })),
      names((theirs, own) => ({ body: [example(own, own.get('dataset')), example(own, theirs.get('dataset'))] })),
      names((theirs, own) => ({ body: [example(own, own.get('dataset'), { id: theirs.get('example') })] })),
    ],
  },
  'POST /examples': {
    tries: [
      names((theirs, own) => ({ body: example(own, theirs.get('dataset')) })),
      names((theirs, own) => ({ body: example(own, own.get('dataset'), { id: theirs.get('example') }) })),
      // What another's run said is not to be had by making an example of it.
      names((theirs, own) => ({
        body: { dataset_id: own.get('dataset'), source_run_id: theirs.get('evaluationRun'), use_source_run_io: true },
      })),
    ],
  },
  'PATCH /examples/bulk': {
    tries: [
      names((theirs, own) => ({
        body: [{ id: theirs.get('example'), dataset_id: theirs.get('dataset'), outputs: { changed: own.marker } }],
      })),
      names((theirs, own) => ({
        body: [
          { id: own.get('example'), outputs: { changed: own.marker } },
          { id: theirs.get('example'), outputs: { changed: own.marker } },
        ],
      })),
    ],
  },
  'PATCH /examples/:example_id': {
    tries: [
      names((theirs, own) => ({ ...of(theirs, 'example_id', 'example'), body: { outputs: { changed: own.marker } } })),
    ],
  },
  'DELETE /examples/:example_id': { tries: [names((theirs) => of(theirs, 'example_id', 'example3'))], ends: 4 },
  'DELETE /examples': {
    tries: [
      names((theirs) => ({ query: { example_ids: [theirs.get('example4')] } })),
      names((theirs, own) => ({ query: { example_ids: [own.get('example4'), theirs.get('example')] } })),
    ],
    ends: 4,
  },
  'PUT /datasets/:dataset_id/splits': {
    tries: [
      names(dataset((theirs) => ({ body: { split_name: 'walked', examples: [theirs.get('example')] } }))),
      names((theirs, own) => ({
        ...of(own, 'dataset_id', 'dataset'),
        body: { split_name: 'walked', examples: [theirs.get('example')] },
      })),
    ],
  },
  'POST /datasets/clone': {
    tries: [
      names((theirs) => ({
        body: { source_dataset_id: theirs.get('dataset'), target_dataset_id: theirs.get('uploadedDataset') },
      })),
      names((theirs, own) => ({
        body: { source_dataset_id: theirs.get('dataset'), target_dataset_id: own.get('dataset') },
      })),
      names((theirs, own) => ({
        body: { source_dataset_id: own.get('dataset'), target_dataset_id: theirs.get('dataset') },
      })),
      filters((theirs, own) => ({
        body: {
          source_dataset_id: own.get('uploadedDataset'),
          target_dataset_id: own.get('dataset'),
          examples: [theirs.get('example')],
        },
      })),
    ],
  },
  'POST /datasets/:dataset_id/import': { tries: [names(dataset((_, own) => lines({ inputs: { text: own.marker } })))] },

  'GET /sessions': {
    tries: [
      all(() => ({ query: { limit: '100' } })),
      filters((theirs) => ({ query: { id: theirs.get('experiment') } })),
      filters((theirs) => ({ query: { name: theirs.named('experiment') } })),
      filters((theirs) => ({ query: { reference_dataset: theirs.get('dataset') } })),
    ],
  },
  'GET /sessions/:session_id': {
    tries: [names(session()), names(session(() => ({ query: { include_stats: 'true' } })))],
  },
  'GET /sessions/:session_id/metadata': { tries: [names(session())] },
  'POST /sessions': {
    tries: [
      makes((_, own) => ({ body: { name: `made ${own.marker} ${randomUUID()}` } })),
      names((theirs, own) => ({
        body: { name: `made ${own.marker} ${randomUUID()}`, reference_dataset_id: theirs.get('dataset') },
      })),
      names((theirs) => ({ query: { upsert: 'true' }, body: { name: theirs.named('experiment') } })),
      names((theirs, own) => ({ body: { name: `made ${own.marker} ${randomUUID()}`, id: theirs.get('experiment') } })),
    ],
  },
  'PATCH /sessions/:session_id': {
    tries: [
      names(session((_, own) => ({ body: { description: own.marker, extra: { metadata: { changed: own.marker } } } }))),
    ],
  },
  'DELETE /sessions/:session_id': { tries: [names((theirs) => of(theirs, 'session_id', 'experiment2'))], ends: 5 },
  'DELETE /sessions': {
    tries: [
      names((theirs) => ({ query: { session_ids: [theirs.get('experiment3')] } })),
      names((theirs, own) => ({ query: { session_ids: [own.get('experiment3'), theirs.get('experiment')] } })),
    ],
    ends: 5,
  },

  'POST /runs/query': {
    tries: [
      filters((theirs) => ({ body: { session: [theirs.get('experiment')] } })),
      filters((theirs) => ({ body: { id: [theirs.get('evaluationRun')] } })),
      filters((theirs) => ({ body: { trace: theirs.get('evaluationRun') } })),
      filters((theirs) => ({ body: { reference_example: [theirs.get('example')] } })),
      filters((theirs, own) => ({
        body: { session: [own.get('experiment'), theirs.get('experiment')], filter: `eq(name, "${theirs.marker}")` },
      })),
    ],
  },
  'POST /runs/stats': {
    tries: [
      filters((theirs) => ({ body: { session: [theirs.get('experiment')] } })),
      filters((theirs) => ({ body: { id: [theirs.get('evaluationRun')] } })),
    ],
  },
  'GET /runs/:run_id': { tries: [names((theirs) => of(theirs, 'run_id', 'evaluationRun'))] },
  'POST /runs': {
    tries: [
      makes((_, own) => ({ body: trace(own, { session_name: `project ${own.marker}` }) })),
      names((theirs, own) => ({ body: trace(own, { session_id: theirs.get('experiment') }) })),
      names((theirs, own) => ({ body: trace(own, { session_name: theirs.named('experiment') }) })),
      names((theirs, own) => ({
        body: trace(own, { trace_id: theirs.get('evaluationRun'), parent_run_id: theirs.get('evaluationRun') }),
      })),
      names((theirs, own) => ({
        body: { ...trace(own), ...change(theirs, own), session_name: `project ${own.marker}` },
      })),
      makes((theirs, own) => ({
        body: trace(own, { session_name: `project ${own.marker}`, reference_example_id: theirs.get('example') }),
      })),
    ],
  },
  // A part of a run that does not exist makes the run, and a part of another's is accepted and dropped: a leak shows in what the owner reads.
  'PATCH /runs/:run_id': {
    tries: [
      makes((theirs, own) => ({ ...of(theirs, 'run_id', 'evaluationRun'), body: { outputs: changedTo(own) } })),
      makes((theirs, own) => ({
        ...of(theirs, 'run_id', 'evaluationRun'),
        body: { session_name: `project ${own.marker}`, outputs: changedTo(own) },
      })),
    ],
  },
  'POST /runs/batch': {
    tries: [
      makes((_, own) => ({ body: { post: [trace(own, { session_name: `project ${own.marker}` })] } })),
      makes((theirs, own) => ({ body: { patch: [change(theirs, own)] } })),
      makes((theirs, own) => ({
        body: {
          post: [trace(own, { session_name: `project ${own.marker}` })],
          patch: [{ ...change(theirs, own), session_name: `project ${own.marker}` }],
        },
      })),
      names((theirs, own) => ({ body: { post: [trace(own, { session_id: theirs.get('experiment') })] } })),
    ],
  },
  'POST /runs/multipart': {
    tries: [
      makes((_, own) => {
        const { inputs, ...run } = trace(own, { session_name: `project ${own.marker}` });
        return {
          raw: form([jsonPart(`post.${String(run['id'])}`, run), jsonPart(`post.${String(run['id'])}.inputs`, inputs)]),
        };
      }),
      makes((theirs, own) => {
        const { outputs, ...run } = change(theirs, own);
        return {
          raw: form([
            jsonPart(`patch.${String(run['id'])}`, run),
            jsonPart(`patch.${String(run['id'])}.outputs`, outputs),
          ]),
        };
      }),
      names((theirs, own) => {
        const id = randomUUID();
        return {
          raw: form([
            jsonPart(`feedback.${id}`, {
              id,
              key: SCORE,
              score: 0,
              comment: own.marker,
              run_id: theirs.get('evaluationRun'),
              trace_id: theirs.get('evaluationRun'),
            }),
          ]),
        };
      }),
    ],
  },

  'GET /feedback': {
    tries: [
      filters((theirs) => ({ query: { run: theirs.get('evaluationRun') } })),
      filters((theirs) => ({ query: { session: theirs.get('experiment') } })),
      all(() => ({ query: { limit: '100' } })),
    ],
  },
  'GET /feedback/:feedback_id': { tries: [names((theirs) => of(theirs, 'feedback_id', 'feedback'))] },
  'POST /feedback/tokens': {
    tries: [
      names((theirs, own) => ({ body: { run_id: theirs.get('run'), feedback_key: own.marker } })),
      names((theirs, own) => ({
        body: [
          { run_id: own.get('run'), feedback_key: own.marker },
          { run_id: theirs.get('run'), feedback_key: own.marker },
        ],
      })),
      names((theirs, own) => ({ body: { run_id: theirs.get('evaluationRun'), feedback_key: own.marker } })),
      names((theirs, own) => ({
        body: { run_id: own.get('run'), feedback_key: own.marker, id: theirs.get('feedback') },
      })),
    ],
  },
  'GET /feedback/tokens': {
    tries: [
      names((theirs) => ({ query: { run_id: theirs.get('run') } })),
      names((theirs) => ({ query: { run_id: theirs.get('evaluationRun') } })),
    ],
  },
  'GET /feedback-configs': { tries: [all(() => ({}))] },
  'POST /feedback': {
    tries: [
      names((theirs, own) => ({
        body: { key: SCORE, score: 1, comment: own.marker, run_id: theirs.get('evaluationRun') },
      })),
      names((theirs, own) => ({
        body: { key: SCORE, score: 1, comment: own.marker, session_id: theirs.get('experiment') },
      })),
      names((theirs, own) => ({
        body: {
          id: theirs.get('feedback'),
          key: SCORE,
          score: 1,
          comment: own.marker,
          run_id: own.get('evaluationRun'),
        },
      })),
    ],
  },
  'PATCH /feedback/:feedback_id': {
    tries: [
      names((theirs, own) => ({ ...of(theirs, 'feedback_id', 'feedback'), body: { comment: own.marker, score: 0 } })),
    ],
  },
  'DELETE /feedback/:feedback_id': { tries: [names((theirs) => of(theirs, 'feedback_id', 'feedback2'))], ends: 3 },
  'POST /feedback-configs': {
    tries: [makes(() => ({ body: { feedback_key: SCORE, feedback_config: { type: 'continuous', min: 0, max: 1 } } }))],
  },
  'PATCH /feedback-configs': {
    tries: [
      {
        kind: 'makes',
        make: () => ({ body: { feedback_key: SCORE, feedback_config: { type: 'continuous', min: 0, max: 2 } } }),
      },
    ],
    shared: CONFIG,
  },
  'DELETE /feedback-configs': {
    tries: [{ kind: 'makes', make: () => ({ query: { feedback_key: SCORE } }) }],
    ends: 8,
    shared: CONFIG,
  },
};

/** By the documented route, as `nameOf` says it. */
export const evaluationRecipes: Readonly<Record<string, Recipe>> = Object.fromEntries(
  Object.entries(recipes).map(([name, recipe]) => [name.replace(' ', ` ${BASE}`), recipe]),
);
