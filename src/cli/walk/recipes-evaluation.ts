import { randomBytes, randomUUID } from 'node:crypto';
import { END_TIME, SCORE_KEY, START_TIME, WALK_GRAPH, uploadBody, type RecordName, type Records } from './records.js';
import {
  creates,
  filters,
  lists,
  multipartForm,
  targets,
  type Recipe,
  type RequestBuilder,
  type RequestParts,
} from './requests.js';

const BASE = '/api/v1';

const withId = (records: Records, name: string, record: RecordName): RequestParts => ({
  params: { [name]: records.get(record) },
});
const dataset =
  (more: RequestBuilder = () => ({})): RequestBuilder =>
  (theirs, own) => ({ ...more(theirs, own), ...withId(theirs, 'dataset_id', 'dataset') });
const session =
  (more: RequestBuilder = () => ({})): RequestBuilder =>
  (theirs, own) => ({ ...more(theirs, own), ...withId(theirs, 'session_id', 'experiment') });
const serverExperiment = (theirs: Records): RequestParts => withId(theirs, 'experiment_id', 'experimentOfServer');
const walked = (own: Records): Record<string, string> => ({ walk: own.marker });
/** Both experiments of the compared pair. */
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
    start_time: START_TIME,
    end_time: END_TIME,
    inputs: { text: own.marker },
    ...more,
  };
}

/** An update of the owner's run. */
function change(theirs: Records, own: Records): Record<string, unknown> {
  const id = theirs.get('evaluationRun');
  return { id, trace_id: id, dotted_order: `20260101T000000000000Z${id}`, outputs: newOutputs(own) };
}

/** A new value for each request, so that every change shows. */
const newOutputs = (own: Records): Record<string, unknown> => ({ changed: `${own.marker} ${randomUUID()}` });

const jsonPart = (name: string, value: unknown): { name: string; type: string; value: unknown } => ({
  name,
  type: 'application/json',
  value,
});
const lines = (...values: unknown[]): RequestParts => ({
  raw: { contentType: 'application/x-ndjson', text: values.map((value) => `${JSON.stringify(value)}\n`).join('') },
});

const DATASET_FILE = { attempts: [targets(dataset())] } as const;
const SHARED_CONFIG = 'all users share the configuration of a feedback key';

const inQueue = (records: Records): RequestParts => withId(records, 'queue_id', 'queue');
const queueRun = (queue: Records, run: Records): RequestParts => ({
  params: { queue_id: queue.get('queue'), queue_run_id: run.get('queueRun') },
});
const queueItem = (queue: Records, item: Records): RequestParts => ({
  params: { queue_id: queue.get('queue'), item_id: item.get('queueRun') },
});
const QUEUE = { attempts: [targets((theirs) => inQueue(theirs))] } as const;
const ALERT = { attempts: [targets((theirs) => withId(theirs, 'alert_id', 'alert'))] } as const;
const alertOn = (project: Records): Record<string, unknown> => ({
  project_id: project.get('experiment'),
  metric: 'run_count',
  window_seconds: 3_600,
  operator: 'above',
  threshold: 1_000_000,
});
const ruleOf = (own: Records): Record<string, unknown> => ({
  session_id: own.get('experiment'),
  add_to_annotation_queue_id: own.get('queue'),
  is_enabled: false,
});
const RULE = { attempts: [targets((theirs) => withId(theirs, 'rule_id', 'rule'))] } as const;
const RUN_SHARE = { attempts: [targets((theirs) => withId(theirs, 'run_id', 'evaluationRun'))] } as const;

const recipes: Readonly<Record<string, Recipe>> = {
  'POST /platform/datasets/:dataset_id/examples': {
    attempts: [
      targets(
        dataset((_, own) => {
          const id = randomUUID();
          return { raw: multipartForm([jsonPart(id, {}), jsonPart(`${id}.inputs`, { text: own.marker })]) };
        }),
      ),
    ],
  },
  'PATCH /platform/datasets/:dataset_id/examples': {
    attempts: [
      targets(
        dataset((theirs, own) => ({
          raw: multipartForm([
            jsonPart(theirs.get('example'), {}),
            jsonPart(`${theirs.get('example')}.outputs`, { changed: own.marker }),
          ]),
        })),
      ),
      targets((theirs, own) => ({
        ...withId(own, 'dataset_id', 'dataset'),
        raw: multipartForm([
          jsonPart(theirs.get('example'), {}),
          jsonPart(`${theirs.get('example')}.outputs`, { changed: own.marker }),
        ]),
      })),
    ],
  },
  'PATCH /platform/datasets/:dataset_id/examples/metadata': {
    attempts: [
      targets(
        dataset((theirs, own) => ({
          body: {
            example_ids: [theirs.get('example')],
            operations: [{ key: 'changed', operation: 'set', value: own.marker }],
          },
        })),
      ),
      // The response has a result for each example, so its status 207 does not mean that the example was found.
      filters((theirs, own) => ({
        ...withId(own, 'dataset_id', 'dataset'),
        body: {
          example_ids: [theirs.get('example')],
          operations: [{ key: 'changed', operation: 'set', value: own.marker }],
        },
      })),
    ],
  },
  'POST /platform/datasets/examples/delete': {
    attempts: [
      targets((theirs) => ({ body: { example_ids: [theirs.get('example2')] } })),
      targets((theirs) => ({ body: { example_ids: [theirs.get('example2')], hard_delete: true } })),
    ],
    destructiveOrder: 4,
  },
  'DELETE /platform/datasets/:dataset_id/examples/:example_id': {
    attempts: [
      targets((theirs) => ({ params: { dataset_id: theirs.get('dataset'), example_id: theirs.get('example') } })),
      targets((theirs, own) => ({ params: { dataset_id: own.get('dataset'), example_id: theirs.get('example') } })),
    ],
    destructiveOrder: 5,
  },

  'POST /datasets/upload-experiment': {
    attempts: [
      creates((_, own) => ({ body: uploadBody(own, { dataset_name: `more ${own.marker} ${randomUUID()}` }) })),
      targets((theirs, own) => ({ body: uploadBody(own, { dataset_id: theirs.get('uploadedDataset') }) })),
      targets((theirs, own) => ({ body: uploadBody(own, { dataset_name: theirs.named('uploadedDataset') }) })),
    ],
  },
  'GET /datasets': {
    attempts: [
      lists(() => ({ query: { limit: '100' } })),
      filters((theirs) => ({ query: { id: theirs.get('dataset') } })),
      filters((theirs) => ({ query: { name: theirs.named('dataset') } })),
      filters((theirs) => ({ query: { name_contains: 'dataset', metadata: JSON.stringify({ walk: theirs.marker }) } })),
    ],
  },
  'GET /datasets/:dataset_id': { attempts: [targets(dataset())] },
  'GET /datasets/:dataset_id/versions': { attempts: [targets(dataset())] },
  'GET /datasets/:dataset_id/version': {
    attempts: [
      targets(dataset(() => ({ query: { tag: 'latest' } }))),
      targets(dataset((theirs) => ({ query: { as_of: theirs.get('version') } }))),
    ],
  },
  'GET /datasets/:dataset_id/versions/diff': {
    attempts: [
      targets(dataset((theirs) => ({ query: { from_version: theirs.get('version'), to_version: 'latest' } }))),
    ],
  },
  'GET /datasets/:dataset_id/splits': { attempts: [targets(dataset())] },
  'POST /datasets/:dataset_id/runs': {
    attempts: [
      targets(dataset((theirs) => ({ body: { session_ids: pair(theirs) } }))),
      targets((theirs, own) => ({ ...withId(own, 'dataset_id', 'dataset'), body: { session_ids: pair(theirs) } })),
      targets((theirs, own) => ({
        ...withId(own, 'dataset_id', 'dataset'),
        body: { session_ids: [own.get('experiment'), theirs.get('experiment')] },
      })),
      targets((theirs, own) => ({ ...withId(theirs, 'dataset_id', 'dataset'), body: { session_ids: pair(own) } })),
    ],
  },
  'POST /datasets/:dataset_id/runs/delta': {
    attempts: [
      targets(
        dataset((theirs) => ({
          body: {
            baseline_session_id: theirs.get('experiment'),
            comparison_session_ids: [theirs.get('experiment2')],
            feedback_key: SCORE_KEY,
          },
        })),
      ),
      targets((theirs, own) => ({
        ...withId(own, 'dataset_id', 'dataset'),
        body: {
          baseline_session_id: own.get('experiment'),
          comparison_session_ids: [theirs.get('experiment2')],
          feedback_key: SCORE_KEY,
        },
      })),
    ],
  },
  'POST /datasets/:dataset_id/comparison': {
    attempts: [
      targets(dataset((theirs) => ({ body: { experiment_ids: pair(theirs) } }))),
      targets((theirs, own) => ({
        ...withId(own, 'dataset_id', 'dataset'),
        body: { experiment_ids: [own.get('experiment'), theirs.get('experiment')] },
      })),
    ],
  },
  'POST /datasets': {
    attempts: [
      creates((_, own) => ({ body: { name: `made ${own.marker} ${randomUUID()}` } })),
      targets((theirs, own) => ({ body: { name: `made ${own.marker} ${randomUUID()}`, id: theirs.get('dataset') } })),
      targets((theirs) => ({ body: { name: theirs.named('dataset') } })),
    ],
  },
  'PATCH /datasets/:dataset_id': { attempts: [targets(dataset((_, own) => ({ body: { description: own.marker } })))] },
  'DELETE /datasets/:dataset_id': {
    attempts: [targets(dataset()), targets((theirs) => withId(theirs, 'dataset_id', 'uploadedDataset'))],
    destructiveOrder: 6,
  },
  'PUT /datasets/:dataset_id/tags': {
    attempts: [targets(dataset((theirs) => ({ body: { as_of: theirs.get('version'), tag: 'walked' } })))],
  },
  'GET /sessions/:session_id/export': {
    attempts: [targets(session()), targets(session(() => ({ query: { format: 'csv' } })))],
  },
  'GET /datasets/:dataset_id/export': {
    attempts: [targets(dataset()), targets(dataset(() => ({ query: { format: 'csv' } })))],
  },
  'GET /datasets/:dataset_id/jsonl': DATASET_FILE,
  'GET /datasets/:dataset_id/csv': DATASET_FILE,
  'GET /datasets/:dataset_id/openai_ft': DATASET_FILE,

  'POST /datasets/comparative': {
    attempts: [
      targets((theirs, own) => ({ body: { name: own.marker, experiment_ids: pair(theirs) } })),
      targets((theirs, own) => ({
        body: { name: own.marker, experiment_ids: [own.get('experiment'), theirs.get('experiment')] },
      })),
      targets((theirs, own) => ({
        body: { id: theirs.get('comparative'), name: own.marker, experiment_ids: pair(own) },
      })),
    ],
  },
  'GET /datasets/:dataset_id/comparative': { attempts: [targets(dataset())] },
  'DELETE /datasets/comparative/:comparative_experiment_id': {
    attempts: [targets((theirs) => withId(theirs, 'comparative_experiment_id', 'comparative'))],
    destructiveOrder: 3,
  },
  'POST /alerts': {
    attempts: [
      creates((_, own) => ({ body: { ...alertOn(own), name: own.marker, is_enabled: false } })),
      targets((theirs, own) => ({ body: { ...alertOn(theirs), name: own.marker } })),
    ],
  },
  'GET /alerts': {
    attempts: [lists(), filters((theirs) => ({ query: { project_id: theirs.get('experiment') } }))],
  },
  'POST /alerts/test': { attempts: [targets((theirs) => ({ body: alertOn(theirs) }))] },
  'GET /alerts/:alert_id': ALERT,
  'GET /alerts/:alert_id/history': ALERT,
  'PATCH /alerts/:alert_id': {
    attempts: [
      targets((theirs, own) => ({ ...withId(theirs, 'alert_id', 'alert'), body: { name: own.marker } })),
      targets((theirs, own) => ({
        ...withId(own, 'alert_id', 'alert'),
        body: { project_id: theirs.get('experiment') },
      })),
    ],
  },
  'DELETE /alerts/:alert_id': {
    attempts: [targets((theirs) => withId(theirs, 'alert_id', 'alert2'))],
    destructiveOrder: 2,
  },
  'POST /alerts/:alert_id/test': {
    attempts: [targets((theirs) => ({ ...withId(theirs, 'alert_id', 'alert'), body: {} }))],
  },
  'POST /runs/rules': {
    attempts: [
      creates((_, own) => ({ body: { ...ruleOf(own), display_name: own.marker } })),
      targets((theirs, own) => ({
        body: { ...ruleOf(own), session_id: theirs.get('experiment'), display_name: own.marker },
      })),
      targets((theirs, own) => ({
        body: { ...ruleOf(own), add_to_dataset_id: theirs.get('dataset'), display_name: own.marker },
      })),
      targets((theirs, own) => ({
        body: { ...ruleOf(own), add_to_annotation_queue_id: theirs.get('queue'), display_name: own.marker },
      })),
    ],
  },
  'GET /runs/rules': {
    attempts: [
      lists(),
      filters((theirs) => ({ query: { session_id: theirs.get('experiment') } })),
      filters((theirs) => ({ query: { name_contains: theirs.marker } })),
    ],
  },
  'GET /runs/rules/:rule_id': RULE,
  'PATCH /runs/rules/:rule_id': {
    attempts: [
      targets((theirs, own) => ({ ...withId(theirs, 'rule_id', 'rule'), body: { display_name: own.marker } })),
      targets((theirs, own) => ({
        ...withId(own, 'rule_id', 'rule'),
        body: { session_id: theirs.get('experiment') },
      })),
      targets((theirs, own) => ({
        ...withId(own, 'rule_id', 'rule'),
        body: { add_to_dataset_id: theirs.get('dataset') },
      })),
      targets((theirs, own) => ({
        ...withId(own, 'rule_id', 'rule'),
        body: { add_to_annotation_queue_id: theirs.get('queue') },
      })),
    ],
  },
  'DELETE /runs/rules/:rule_id': {
    attempts: [targets((theirs) => withId(theirs, 'rule_id', 'rule2'))],
    destructiveOrder: 2,
  },
  'POST /annotation-queues': {
    attempts: [
      creates((_, own) => ({ body: { name: own.marker } })),
      targets((theirs, own) => ({ body: { name: own.marker, id: theirs.get('queue') } })),
    ],
  },
  'GET /annotation-queues': {
    attempts: [
      lists(() => ({ query: { limit: '100' } })),
      filters((theirs) => ({ query: { ids: theirs.get('queue') } })),
      filters((theirs) => ({ query: { name_contains: theirs.marker } })),
    ],
  },
  'GET /annotation-queues/:queue_id': QUEUE,
  'PATCH /annotation-queues/:queue_id': {
    attempts: [targets((theirs, own) => ({ ...inQueue(theirs), body: { description: own.marker } }))],
  },
  'DELETE /annotation-queues/:queue_id': {
    attempts: [targets((theirs) => withId(theirs, 'queue_id', 'queue2'))],
    destructiveOrder: 3,
  },
  'POST /annotation-queues/:queue_id/runs': {
    attempts: [
      targets((theirs, own) => ({ ...inQueue(theirs), body: [own.get('evaluationRun')] })),
      targets((theirs, own) => ({ ...inQueue(own), body: [theirs.get('evaluationRun')] })),
    ],
  },
  'POST /annotation-queues/:queue_id/runs/by-key': {
    attempts: [
      targets((theirs, own) => ({ ...inQueue(theirs), body: [{ run_id: own.get('evaluationRun') }] })),
      targets((theirs, own) => ({ ...inQueue(own), body: [{ run_id: theirs.get('evaluationRun') }] })),
    ],
  },
  'GET /annotation-queues/:queue_id/runs': QUEUE,
  'GET /annotation-queues/:queue_id/run/:index': {
    attempts: [targets((theirs) => ({ params: { queue_id: theirs.get('queue'), index: '0' } }))],
  },
  'PATCH /annotation-queues/:queue_id/runs/:queue_run_id': {
    attempts: [
      targets((theirs) => ({ ...queueRun(theirs, theirs), body: { last_reviewed_time: END_TIME } })),
      targets((theirs, own) => ({ ...queueRun(own, theirs), body: { last_reviewed_time: END_TIME } })),
    ],
  },
  'POST /annotation-queues/status/:queue_run_id': {
    attempts: [
      targets((theirs) => ({ ...withId(theirs, 'queue_run_id', 'queueRun'), body: { status: 'needs_review' } })),
    ],
  },
  'DELETE /annotation-queues/:queue_id/runs/:queue_run_id': {
    attempts: [
      targets((theirs) => ({
        params: { queue_id: theirs.get('queue2'), queue_run_id: theirs.get('queueRun2') },
      })),
    ],
    destructiveOrder: 2,
  },
  'POST /annotation-queues/:queue_id/runs/delete': {
    attempts: [targets((theirs) => ({ ...inQueue(theirs), body: { run_ids: [theirs.get('queueRun')] } }))],
    destructiveOrder: 2,
  },
  'GET /annotation-queues/:queue_id/size': QUEUE,
  'GET /annotation-queues/:queue_id/total_size': QUEUE,
  'GET /annotation-queues/:queue_id/total_archived': QUEUE,
  'GET /annotation-queues/:queue_id/queues': {
    attempts: [targets((theirs) => withId(theirs, 'queue_id', 'evaluationRun'))],
  },
  'POST /annotation-queues/populate': {
    attempts: [
      targets((theirs, own) => ({
        body: { queue_id: theirs.get('queue'), session_ids: [own.get('experiment')] },
      })),
      targets((theirs, own) => ({
        body: { queue_id: own.get('queue'), session_ids: [theirs.get('experiment')] },
      })),
    ],
  },
  'POST /platform/annotation-queues/:queue_id/items': {
    attempts: [
      targets((theirs, own) => ({ ...inQueue(theirs), body: { items: [{ run_id: own.get('evaluationRun') }] } })),
      targets((theirs, own) => ({ ...inQueue(own), body: { items: [{ run_id: theirs.get('evaluationRun') }] } })),
    ],
  },
  'GET /platform/annotation-queues/:queue_id/items': {
    attempts: [targets((theirs) => ({ ...inQueue(theirs), query: { status: 'needs_my_review' } }))],
  },
  'GET /platform/annotation-queues/:queue_id/items/count': {
    attempts: [targets((theirs) => ({ ...inQueue(theirs), query: { status: 'all' } }))],
  },
  'GET /platform/annotation-queues/:queue_id/items/:item_id/placement': {
    attempts: [targets((theirs) => queueItem(theirs, theirs)), targets((theirs, own) => queueItem(own, theirs))],
  },
  'PATCH /platform/annotation-queues/:queue_id/items/:item_id': {
    attempts: [
      targets((theirs) => ({ ...queueItem(theirs, theirs), body: { last_reviewed_time: END_TIME } })),
      targets((theirs, own) => ({ ...queueItem(own, theirs), body: { last_reviewed_time: END_TIME } })),
    ],
  },
  'POST /platform/annotation-queues/items/:queue_item_id/status': {
    attempts: [targets((theirs) => ({ ...withId(theirs, 'queue_item_id', 'queueRun'), body: { status: null } }))],
  },
  'POST /platform/annotation-queues/:queue_id/items/delete': {
    attempts: [
      targets((theirs) => ({
        ...withId(theirs, 'queue_id', 'queue3'),
        body: { item_ids: [theirs.get('queueRun3')] },
      })),
      targets((theirs, own) => ({
        ...withId(own, 'queue_id', 'queue3'),
        body: { item_ids: [theirs.get('queueRun3')] },
      })),
    ],
    destructiveOrder: 2,
  },
  'GET /settings': { attempts: [lists(() => ({}))] },
  'GET /workspaces/current/stats': { attempts: [lists(() => ({}))] },
  'GET /datasets/:dataset_id/share': { attempts: [targets(dataset())] },
  'PUT /datasets/:dataset_id/share': { attempts: [targets(dataset())] },
  'DELETE /datasets/:dataset_id/share': { attempts: [targets(dataset())], destructiveOrder: 1 },
  'GET /runs/:run_id/share': RUN_SHARE,
  'PUT /runs/:run_id/share': RUN_SHARE,
  'DELETE /runs/:run_id/share': { ...RUN_SHARE, destructiveOrder: 1 },

  'GET /examples': {
    attempts: [
      filters((theirs) => ({ query: { dataset: theirs.get('dataset') } })),
      filters((theirs) => ({ query: { id: [theirs.get('example'), theirs.get('example2')] } })),
      filters((theirs, own) => ({ query: { dataset: own.get('dataset'), id: theirs.get('example') } })),
    ],
  },
  'GET /examples/count': {
    attempts: [{ ...filters((theirs) => ({ query: { dataset: theirs.get('dataset') } })), emptyBody: '0' }],
  },
  'GET /examples/:example_id': {
    attempts: [
      targets((theirs) => withId(theirs, 'example_id', 'example')),
      targets((theirs) => ({ ...withId(theirs, 'example_id', 'example'), query: { as_of: theirs.get('version') } })),
    ],
  },
  'POST /datasets/upload': {
    attempts: [
      creates((_, own) => ({
        raw: multipartForm([
          { name: 'file', file: 'walk.csv', type: 'text/csv', value: `text\n${own.marker}\n` },
          { name: 'input_keys', value: 'text' },
          { name: 'name', value: `file ${own.marker} ${randomUUID()}` },
        ]),
      })),
      targets((theirs, own) => ({
        raw: multipartForm([
          { name: 'file', file: 'walk.csv', type: 'text/csv', value: `text\n${own.marker}\n` },
          { name: 'input_keys', value: 'text' },
          { name: 'name', value: `file ${own.marker} ${randomUUID()}` },
          { name: 'id', value: theirs.get('dataset') },
        ]),
      })),
    ],
  },
  'POST /examples/bulk': {
    attempts: [
      targets((theirs, own) => ({ body: [example(own, theirs.get('dataset'))] })),
      targets((theirs, own) => ({ body: [example(own, own.get('dataset')), example(own, theirs.get('dataset'))] })),
      targets((theirs, own) => ({ body: [example(own, own.get('dataset'), { id: theirs.get('example') })] })),
    ],
  },
  'POST /examples': {
    attempts: [
      targets((theirs, own) => ({ body: example(own, theirs.get('dataset')) })),
      targets((theirs, own) => ({ body: example(own, own.get('dataset'), { id: theirs.get('example') }) })),
      // Copying a run into an example must not reveal the outputs of the owner's run.
      targets((theirs, own) => ({
        body: { dataset_id: own.get('dataset'), source_run_id: theirs.get('evaluationRun'), use_source_run_io: true },
      })),
    ],
  },
  'PATCH /examples/bulk': {
    attempts: [
      targets((theirs, own) => ({
        body: [{ id: theirs.get('example'), dataset_id: theirs.get('dataset'), outputs: { changed: own.marker } }],
      })),
      targets((theirs, own) => ({
        body: [
          { id: own.get('example'), outputs: { changed: own.marker } },
          { id: theirs.get('example'), outputs: { changed: own.marker } },
        ],
      })),
    ],
  },
  'PATCH /examples/:example_id': {
    attempts: [
      targets((theirs, own) => ({
        ...withId(theirs, 'example_id', 'example'),
        body: { outputs: { changed: own.marker } },
      })),
    ],
  },
  'DELETE /examples/:example_id': {
    attempts: [targets((theirs) => withId(theirs, 'example_id', 'example3'))],
    destructiveOrder: 4,
  },
  'DELETE /examples': {
    attempts: [
      targets((theirs) => ({ query: { example_ids: [theirs.get('example4')] } })),
      targets((theirs, own) => ({ query: { example_ids: [own.get('example4'), theirs.get('example')] } })),
    ],
    destructiveOrder: 4,
  },
  'PUT /datasets/:dataset_id/splits': {
    attempts: [
      targets(dataset((theirs) => ({ body: { split_name: 'walked', examples: [theirs.get('example')] } }))),
      targets((theirs, own) => ({
        ...withId(own, 'dataset_id', 'dataset'),
        body: { split_name: 'walked', examples: [theirs.get('example')] },
      })),
    ],
  },
  'POST /datasets/clone': {
    attempts: [
      targets((theirs) => ({
        body: { source_dataset_id: theirs.get('dataset'), target_dataset_id: theirs.get('uploadedDataset') },
      })),
      targets((theirs, own) => ({
        body: { source_dataset_id: theirs.get('dataset'), target_dataset_id: own.get('dataset') },
      })),
      targets((theirs, own) => ({
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
  'POST /datasets/:dataset_id/import': {
    attempts: [
      targets(dataset((_, own) => lines({ inputs: { text: own.marker } }))),
      targets(
        dataset((_, own) => ({
          raw: multipartForm([
            { name: 'file', file: 'walk.csv', type: 'text/csv', value: `inputs.text\n${own.marker}\n` },
          ]),
        })),
      ),
    ],
  },
  'POST /datasets/:dataset_id/add-runs': {
    attempts: [
      targets(dataset((theirs) => ({ body: { runs: [theirs.get('evaluationRun')], allow_duplicates: true } }))),
      targets((theirs, own) => ({
        ...withId(own, 'dataset_id', 'dataset'),
        body: { runs: [theirs.get('evaluationRun')], allow_duplicates: true },
      })),
      filters((theirs, own) => ({
        ...withId(own, 'dataset_id', 'dataset'),
        body: { filter: `search(${JSON.stringify(theirs.marker)})`, allow_duplicates: true },
      })),
      filters((theirs, own) => ({
        ...withId(own, 'dataset_id', 'dataset'),
        body: { session: [theirs.get('experiment')], allow_duplicates: true },
      })),
    ],
  },

  'GET /sessions': {
    attempts: [
      lists(() => ({ query: { limit: '100' } })),
      filters((theirs) => ({ query: { id: theirs.get('experiment') } })),
      filters((theirs) => ({ query: { name: theirs.named('experiment') } })),
      filters((theirs) => ({ query: { reference_dataset: theirs.get('dataset') } })),
    ],
  },
  'GET /sessions/resolutions': {
    attempts: [targets((theirs) => ({ query: { kind: 'EXPERIMENT', id: theirs.get('experiment') } }))],
  },
  'GET /sessions/:session_id': {
    attempts: [targets(session()), targets(session(() => ({ query: { include_stats: 'true' } })))],
  },
  'GET /sessions/:session_id/metadata': { attempts: [targets(session())] },
  'POST /experiments': {
    attempts: [
      creates((_, own) => ({ body: { dataset: own.get('dataset'), assistant_id: WALK_GRAPH, metadata: walked(own) } })),
      targets((theirs) => ({ body: { dataset: theirs.get('dataset'), assistant_id: WALK_GRAPH } })),
      targets((theirs) => ({ body: { dataset: theirs.named('dataset'), assistant_id: WALK_GRAPH } })),
      targets((theirs, own) => ({ body: { dataset: own.get('dataset'), assistant_id: theirs.get('assistant') } })),
    ],
  },
  'GET /experiments/:experiment_id': { attempts: [targets(serverExperiment)] },
  'POST /experiments/:experiment_id/cancel': {
    attempts: [targets((theirs) => ({ ...serverExperiment(theirs), body: {} }))],
  },
  'GET /evaluators': { attempts: [lists()] },
  'POST /sessions': {
    attempts: [
      creates((_, own) => ({ body: { name: `made ${own.marker} ${randomUUID()}` } })),
      targets((theirs, own) => ({
        body: { name: `made ${own.marker} ${randomUUID()}`, reference_dataset_id: theirs.get('dataset') },
      })),
      targets((theirs) => ({ query: { upsert: 'true' }, body: { name: theirs.named('experiment') } })),
      targets((theirs, own) => ({
        body: { name: `made ${own.marker} ${randomUUID()}`, id: theirs.get('experiment') },
      })),
    ],
  },
  'PATCH /sessions/:session_id': {
    attempts: [
      targets(
        session((_, own) => ({ body: { description: own.marker, extra: { metadata: { changed: own.marker } } } })),
      ),
    ],
  },
  'DELETE /sessions/:session_id': {
    attempts: [targets((theirs) => withId(theirs, 'session_id', 'experiment2'))],
    destructiveOrder: 5,
  },
  'DELETE /sessions': {
    attempts: [
      targets((theirs) => ({ query: { session_ids: [theirs.get('experiment3')] } })),
      targets((theirs, own) => ({ query: { session_ids: [own.get('experiment3'), theirs.get('experiment')] } })),
    ],
    destructiveOrder: 5,
  },

  'POST /runs/query': {
    attempts: [
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
    attempts: [
      filters((theirs) => ({ body: { session: [theirs.get('experiment')] } })),
      filters((theirs) => ({ body: { id: [theirs.get('evaluationRun')] } })),
    ],
  },
  'POST /runs/series': {
    attempts: [
      targets((theirs) => ({
        body: { session: [theirs.get('experiment')], start_time: '2020-01-01', interval_seconds: 31_536_000 },
      })),
      targets((theirs, own) => ({
        body: { session: [own.get('experiment'), theirs.get('experiment')], start_time: '2026-01-01' },
      })),
    ],
  },
  'POST /runs/group': {
    attempts: [targets((theirs) => ({ body: { session_id: theirs.get('experiment'), group_by: 'conversation' } }))],
  },
  'POST /runs/group/stats': {
    attempts: [targets((theirs) => ({ body: { session_id: theirs.get('experiment'), group_by: 'conversation' } }))],
  },
  'GET /runs/:run_id': { attempts: [targets((theirs) => withId(theirs, 'run_id', 'evaluationRun'))] },
  'POST /runs': {
    attempts: [
      creates((_, own) => ({ body: trace(own, { session_name: `project ${own.marker}` }) })),
      targets((theirs, own) => ({ body: trace(own, { session_id: theirs.get('experiment') }) })),
      targets((theirs, own) => ({ body: trace(own, { session_name: theirs.named('experiment') }) })),
      targets((theirs, own) => ({
        body: trace(own, { trace_id: theirs.get('evaluationRun'), parent_run_id: theirs.get('evaluationRun') }),
      })),
      targets((theirs, own) => ({
        body: { ...trace(own), ...change(theirs, own), session_name: `project ${own.marker}` },
      })),
      creates((theirs, own) => ({
        body: trace(own, { session_name: `project ${own.marker}`, reference_example_id: theirs.get('example') }),
      })),
    ],
  },
  // An update of an unknown run creates it. An update of the owner's run is accepted and dropped, so a leak shows only
  // in what the owner reads.
  'PATCH /runs/:run_id': {
    attempts: [
      creates((theirs, own) => ({ ...withId(theirs, 'run_id', 'evaluationRun'), body: { outputs: newOutputs(own) } })),
      creates((theirs, own) => ({
        ...withId(theirs, 'run_id', 'evaluationRun'),
        body: { session_name: `project ${own.marker}`, outputs: newOutputs(own) },
      })),
    ],
  },
  'POST /runs/batch': {
    attempts: [
      creates((_, own) => ({ body: { post: [trace(own, { session_name: `project ${own.marker}` })] } })),
      creates((theirs, own) => ({ body: { patch: [change(theirs, own)] } })),
      creates((theirs, own) => ({
        body: {
          post: [trace(own, { session_name: `project ${own.marker}` })],
          patch: [{ ...change(theirs, own), session_name: `project ${own.marker}` }],
        },
      })),
      targets((theirs, own) => ({ body: { post: [trace(own, { session_id: theirs.get('experiment') })] } })),
    ],
  },
  'POST /runs/multipart': {
    attempts: [
      creates((_, own) => {
        const { inputs, ...run } = trace(own, { session_name: `project ${own.marker}` });
        return {
          raw: multipartForm([
            jsonPart(`post.${String(run['id'])}`, run),
            jsonPart(`post.${String(run['id'])}.inputs`, inputs),
          ]),
        };
      }),
      creates((theirs, own) => {
        const { outputs, ...run } = change(theirs, own);
        return {
          raw: multipartForm([
            jsonPart(`patch.${String(run['id'])}`, run),
            jsonPart(`patch.${String(run['id'])}.outputs`, outputs),
          ]),
        };
      }),
      targets((theirs, own) => {
        const id = randomUUID();
        return {
          raw: multipartForm([
            jsonPart(`feedback.${id}`, {
              id,
              key: SCORE_KEY,
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

  'POST /runs/import': {
    attempts: [
      creates((_, own) => lines(trace(own, { session_name: `project ${own.marker}` }))),
      creates((theirs, own) => lines({ ...change(theirs, own), session_name: `project ${own.marker}` })),
      targets((theirs, own) => lines(trace(own, { session_id: theirs.get('experiment') }))),
    ],
  },
  'GET /sessions/:session_id/runs': {
    attempts: [targets(session()), targets(session((theirs) => ({ query: { filter: `search("${theirs.marker}")` } })))],
  },

  'GET /feedback': {
    attempts: [
      filters((theirs) => ({ query: { run: theirs.get('evaluationRun') } })),
      filters((theirs) => ({ query: { session: theirs.get('experiment') } })),
      lists(() => ({ query: { limit: '100' } })),
    ],
  },
  'GET /feedback/:feedback_id': { attempts: [targets((theirs) => withId(theirs, 'feedback_id', 'feedback'))] },
  'POST /feedback/tokens': {
    attempts: [
      targets((theirs, own) => ({ body: { run_id: theirs.get('run'), feedback_key: own.marker } })),
      targets((theirs, own) => ({
        body: [
          { run_id: own.get('run'), feedback_key: own.marker },
          { run_id: theirs.get('run'), feedback_key: own.marker },
        ],
      })),
      targets((theirs, own) => ({ body: { run_id: theirs.get('evaluationRun'), feedback_key: own.marker } })),
      targets((theirs, own) => ({
        body: { run_id: own.get('run'), feedback_key: own.marker, id: theirs.get('feedback') },
      })),
    ],
  },
  'GET /feedback/tokens': {
    attempts: [
      targets((theirs) => ({ query: { run_id: theirs.get('run') } })),
      targets((theirs) => ({ query: { run_id: theirs.get('evaluationRun') } })),
    ],
  },
  'GET /feedback-configs': { attempts: [lists(() => ({}))] },
  'POST /feedback': {
    attempts: [
      targets((theirs, own) => ({
        body: { key: SCORE_KEY, score: 1, comment: own.marker, run_id: theirs.get('evaluationRun') },
      })),
      targets((theirs, own) => ({
        body: { key: SCORE_KEY, score: 1, comment: own.marker, session_id: theirs.get('experiment') },
      })),
      targets((theirs, own) => ({
        body: {
          id: theirs.get('feedback'),
          key: SCORE_KEY,
          score: 1,
          comment: own.marker,
          run_id: own.get('evaluationRun'),
        },
      })),
    ],
  },
  'PATCH /feedback/:feedback_id': {
    attempts: [
      targets((theirs, own) => ({
        ...withId(theirs, 'feedback_id', 'feedback'),
        body: { comment: own.marker, score: 0 },
      })),
    ],
  },
  'DELETE /feedback/:feedback_id': {
    attempts: [targets((theirs) => withId(theirs, 'feedback_id', 'feedback2'))],
    destructiveOrder: 3,
  },
  'POST /feedback-configs': {
    attempts: [
      creates(() => ({ body: { feedback_key: SCORE_KEY, feedback_config: { type: 'continuous', min: 0, max: 1 } } })),
    ],
  },
  'PATCH /feedback-configs': {
    attempts: [
      {
        kind: 'creates',
        build: () => ({ body: { feedback_key: SCORE_KEY, feedback_config: { type: 'continuous', min: 0, max: 2 } } }),
      },
    ],
    sharedReason: SHARED_CONFIG,
  },
  'DELETE /feedback-configs': {
    attempts: [{ kind: 'creates', build: () => ({ query: { feedback_key: SCORE_KEY } }) }],
    destructiveOrder: 8,
    sharedReason: SHARED_CONFIG,
  },
};

const EVERY_FIELD = ['NAME', 'INPUTS', 'OUTPUTS'];
const inProject = (records: Records): { query: { project_id: string } } => ({
  query: { project_id: records.get('experiment') },
});

/** Reads of the second version, by their path after its prefix. */
const secondVersion: Readonly<Record<string, Recipe>> = {
  'POST /runs/query': {
    attempts: [
      filters((theirs) => ({ body: { project_ids: [theirs.get('experiment')], selects: EVERY_FIELD } })),
      filters((theirs, own) => ({
        body: { project_ids: [own.get('experiment')], ids: [theirs.get('evaluationRun')], selects: EVERY_FIELD },
      })),
      targets((theirs) => ({ body: { reference_dataset_id: theirs.get('dataset'), selects: EVERY_FIELD } })),
    ],
  },
  'GET /runs/:run_id': {
    attempts: [
      targets((theirs) => ({ ...withId(theirs, 'run_id', 'evaluationRun'), ...inProject(theirs) })),
      targets((theirs, own) => ({ ...withId(theirs, 'run_id', 'evaluationRun'), ...inProject(own) })),
    ],
  },
  'GET /runs/:run_id/url': {
    attempts: [targets((theirs) => ({ ...withId(theirs, 'run_id', 'evaluationRun'), ...inProject(theirs) }))],
  },
  'POST /runs/:run_id/share': RUN_SHARE,
  'DELETE /runs/:run_id/share': { ...RUN_SHARE, destructiveOrder: 1 },
  'GET /sessions': {
    attempts: [
      lists(() => ({ query: { page_size: '100' } })),
      filters((theirs) => ({ query: { id: theirs.get('experiment') } })),
      filters((theirs) => ({ query: { reference_dataset_id: theirs.get('dataset') } })),
    ],
  },
  'GET /datasets': {
    attempts: [
      lists(() => ({ query: { page_size: '100' } })),
      filters((theirs) => ({ query: { name: theirs.named('dataset') } })),
    ],
  },
  'POST /traces/query': {
    attempts: [
      targets((theirs) => ({ body: { project_id: theirs.get('experiment'), selects: EVERY_FIELD } })),
      filters((theirs, own) => ({
        body: { project_id: own.get('experiment'), trace_ids: [theirs.get('evaluationRun')], selects: EVERY_FIELD },
      })),
    ],
  },
  'GET /traces/:trace_id/runs': {
    attempts: [
      targets((theirs) => ({
        ...withId(theirs, 'trace_id', 'evaluationRun'),
        query: { project_id: theirs.get('experiment'), selects: EVERY_FIELD },
      })),
      filters((theirs, own) => ({ ...withId(theirs, 'trace_id', 'evaluationRun'), ...inProject(own) })),
    ],
  },
  'POST /threads/stats': {
    attempts: [targets((theirs) => ({ body: { project_id: theirs.get('experiment'), select: ['THREAD_COUNT'] } }))],
  },
  'GET /threads/:thread_id/stats': {
    attempts: [
      targets((theirs) => ({
        params: { thread_id: theirs.marker },
        query: { session_id: theirs.get('experiment'), selects: ['TURNS'] },
      })),
    ],
  },
  'POST /threads/query': {
    attempts: [targets((theirs) => ({ body: { project_id: theirs.get('experiment') } }))],
  },
  'GET /threads/:thread_id/traces': {
    attempts: [
      targets((theirs) => ({
        params: { thread_id: theirs.marker },
        query: { project_id: theirs.get('experiment'), selects: EVERY_FIELD },
      })),
    ],
  },
  'POST /datasets/:dataset_id/experiment-runs': {
    attempts: [
      targets(dataset((theirs) => ({ body: { experiment_ids: pair(theirs), selects: EVERY_FIELD } }))),
      targets((theirs, own) => ({
        ...withId(own, 'dataset_id', 'dataset'),
        body: { experiment_ids: [own.get('experiment'), theirs.get('experiment')] },
      })),
    ],
  },
};

/** A span of the caller, in a project of its own or in that of the owner. */
function spanBody(own: Records, attributes: Record<string, string>): Record<string, unknown> {
  const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
  const span = {
    traceId: hex(16),
    spanId: hex(8),
    name: own.marker,
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano: '1767225601000000000',
    attributes: Object.entries({ ...attributes, 'input.value': own.marker }).map(([key, value]) => ({
      key,
      value: { stringValue: value },
    })),
  };
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
}

const openTelemetry: Readonly<Record<string, Recipe>> = {
  'POST /v1/traces': {
    attempts: [
      creates((_, own) => ({ body: spanBody(own, { 'langsmith.trace.session_name': `project ${own.marker}` }) })),
      targets((theirs, own) => ({
        body: spanBody(own, { 'langsmith.trace.session_id': theirs.get('experiment') }),
      })),
      targets((theirs, own) => ({
        body: spanBody(own, {
          'langsmith.span.id': theirs.get('evaluationRun'),
          'langsmith.trace.id': theirs.get('evaluationRun'),
        }),
      })),
    ],
  },
};

const below = (prefix: string, all: Readonly<Record<string, Recipe>>): [string, Recipe][] =>
  Object.entries(all).map(([name, recipe]) => [name.replace(' ', ` ${prefix}`), recipe]);

/** By the documented route, in the form of `routeName`. */
export const evaluationRecipes: Readonly<Record<string, Recipe>> = Object.fromEntries([
  ...below(BASE, recipes),
  ...below('/api/v2', secondVersion),
  ...Object.entries(openTelemetry),
]);
