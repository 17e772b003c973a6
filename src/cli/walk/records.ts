import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isObject, type JsonObject } from '../../base/json/json.js';
import type { WalkResponse, WalkClient } from './walk-client.js';

/** Names under which recipes refer to a user's records. */
export type RecordName =
  | 'thread'
  | 'run'
  | 'checkpoint'
  | 'openThread'
  | 'openRun'
  | 'statelessThread'
  | 'statelessRun'
  | 'assistant'
  | 'item'
  | 'cron'
  | 'threadCron'
  | 'dataset'
  | 'version'
  | 'example'
  | 'example2'
  | 'example3'
  | 'example4'
  | 'uploadedDataset'
  | 'uploadedExperiment'
  | 'experiment'
  | 'experiment2'
  | 'experiment3'
  | 'experimentOfServer'
  | 'evaluationRun'
  | 'feedback'
  | 'feedback2'
  | 'comparative'
  | 'alert'
  | 'alert2'
  | 'queue'
  | 'rule'
  | 'rule2'
  | 'queue2'
  | 'queue3'
  | 'queueRun'
  | 'queueRun2'
  | 'queueRun3';

/** Records whose value is not an id, so that it may occur in responses to others. */
const NOT_IDS: ReadonlySet<string> = new Set<RecordName>(['version']);

/** A record that could not be created. The message gives the reason. */
export class RecordMissing extends Error {}

/** The records that one user created. Each of their free texts contains the marker. */
export class Records {
  readonly marker = `walk-${randomUUID()}`;
  readonly #ids = new Map<RecordName, string>();
  readonly #failures = new Map<RecordName, string>();

  add(name: RecordName, id: string): void {
    this.#ids.set(name, id);
  }

  markMissing(name: RecordName, reason: string): void {
    this.#failures.set(name, reason);
  }

  /** The id of a record. Throws RecordMissing. */
  get(name: RecordName): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new RecordMissing(`no ${name}: ${this.#failures.get(name) ?? 'it was not created'}`);
    return id;
  }

  /** The name field of a record. Throws RecordMissing. */
  named(name: 'dataset' | 'uploadedDataset' | 'experiment' | 'experiment2' | 'experiment3'): string {
    this.get(name);
    return `${name} ${this.marker}`;
  }

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  get failures(): string[] {
    return [...new Set(this.#failures.values())];
  }

  /** Texts that no other user may see. */
  secrets(): string[] {
    return [this.marker, ...[...this.#ids].filter(([name]) => !NOT_IDS.has(name)).map(([, id]) => id)];
  }
}

const BASE = '/api/v1';
export const START_TIME = '2026-01-01T00:00:00+00:00';
export const END_TIME = '2026-01-01T00:00:02+00:00';
/** A feedback key that all users share, as its configuration is shared. */
export const SCORE_KEY = 'walk-score';
/** Delay of runs that must stay pending during the walk. */
export const RUN_DELAY_S = 86_400;
const JOB_POLL_MS = 20;

/** A cron schedule that does not fire during the walk: 29 February. */
export const RARE_SCHEDULE = '0 0 29 2 *';
/** Never called, because webhooks are disabled during a walk. */
const WEBHOOK = 'https://webhook.invalid/walk';

/** Creates one record of every kind. Refused records are marked as missing, and so are records that depend on them. */
export async function makeRecords(client: WalkClient): Promise<Records> {
  const records = new Records();
  const { marker } = records;
  const send = async (method: string, target: string, body?: unknown): Promise<WalkResponse> => {
    const answer = await client.send({
      method,
      target,
      contentType: body === undefined ? null : 'application/json',
      body: body === undefined ? null : JSON.stringify(body),
      isStream: false,
    });
    if (answer.status >= 300)
      throw new RecordMissing(`${method} ${target.replaceAll(/[0-9a-f-]{36}/g, '…')} returned ${answer.status}`);
    return answer;
  };
  const make = async (names: readonly RecordName[], work: () => Promise<(string | undefined)[]>): Promise<void> => {
    try {
      const ids = await work();
      for (const [at, name] of names.entries()) {
        const id = ids[at];
        if (id === undefined) records.markMissing(name, 'the response has no id');
        else records.add(name, id);
      }
    } catch (error) {
      if (!(error instanceof RecordMissing)) throw error;
      for (const name of names) records.markMissing(name, error.message);
    }
  };
  const metadata = { walk: marker };
  const run = { assistant_id: WALK_GRAPH, input: { text: marker }, metadata };

  await make(['thread'], async () => [idOf(await send('POST', '/threads', { metadata }), 'thread_id')]);
  await make(['run'], async () => {
    const thread = records.get('thread');
    const begun = idOf(await send('POST', `/threads/${thread}/runs`, run), 'run_id');
    await send('GET', `/threads/${thread}/runs/${begun}/join`);
    return [begun];
  });
  await make(['checkpoint'], async () => {
    const state = await send('GET', `/threads/${records.get('thread')}/state`);
    return [textAt(state, 'checkpoint', 'checkpoint_id')];
  });
  await make(['openThread'], async () => [idOf(await send('POST', '/threads', { metadata }), 'thread_id')]);
  await make(['openRun'], async () => [
    idOf(
      await send('POST', `/threads/${records.get('openThread')}/runs`, {
        ...run,
        after_seconds: RUN_DELAY_S,
        webhook: WEBHOOK,
      }),
      'run_id',
    ),
  ]);
  await make(['statelessThread', 'statelessRun'], async () => {
    const answer = await send('POST', '/runs', { ...run, after_seconds: RUN_DELAY_S });
    return [textAt(answer, 'thread_id'), textAt(answer, 'run_id')];
  });

  await make(['assistant'], async () => [
    idOf(
      await send('POST', '/assistants', {
        graph_id: WALK_GRAPH,
        name: marker,
        description: marker,
        config: { configurable: { text: marker } },
        context: { text: marker },
        metadata,
      }),
      'assistant_id',
    ),
  ]);
  await make(['item'], async () => {
    const key = randomUUID();
    await send('PUT', '/store/items', { namespace: itemNamespace(records), key, value: { text: marker } });
    return [key];
  });
  const cron = { ...run, schedule: RARE_SCHEDULE };
  await make(['cron'], async () => [idOf(await send('POST', '/runs/crons', cron), 'cron_id')]);
  await make(['threadCron'], async () => [
    idOf(await send('POST', `/threads/${records.get('thread')}/runs/crons`, cron), 'cron_id'),
  ]);

  await make(['dataset'], async () => [
    idOf(await send('POST', `${BASE}/datasets`, { name: `dataset ${marker}`, description: marker, metadata })),
  ]);
  await make(['example', 'example2', 'example3', 'example4'], async () => {
    const examples = Array.from({ length: 4 }, () => ({
      id: randomUUID(),
      dataset_id: records.get('dataset'),
      inputs: { text: marker },
      outputs: { text: marker },
      metadata,
      split: marker,
    }));
    await send('POST', `${BASE}/examples/bulk`, examples);
    return examples.map(({ id }) => id);
  });
  await make(['version'], async () => [
    firstOf(await send('GET', `${BASE}/datasets/${records.get('dataset')}/versions`), 'as_of'),
  ]);
  for (const name of ['experiment', 'experiment2', 'experiment3'] as const) {
    await make([name], async () => [
      idOf(
        await send('POST', `${BASE}/sessions`, {
          name: `${name} ${marker}`,
          reference_dataset_id: records.get('dataset'),
          start_time: START_TIME,
          extra: { metadata },
        }),
      ),
    ]);
  }
  await make(['experimentOfServer'], async () => {
    const started = await send('POST', `${BASE}/experiments`, {
      dataset: records.get('dataset'),
      assistant_id: WALK_GRAPH,
      name: `experimentOfServer ${marker}`,
      metadata,
    });
    const id = idOf(started, 'experiment_id');
    // Its runs would change the store during the walk.
    for (let job = started; textAt(job, 'status') === 'running'; job = await send('GET', `${BASE}/experiments/${id}`))
      await setTimeout(JOB_POLL_MS);
    return [id];
  });
  await make(['evaluationRun'], async () => {
    const runs = (['experiment', 'experiment2'] as const).map((experiment) => {
      const id = randomUUID();
      return {
        id,
        trace_id: id,
        dotted_order: `20260101T000000000000Z${id}`,
        name: marker,
        run_type: 'chain',
        start_time: START_TIME,
        end_time: END_TIME,
        inputs: { text: marker },
        outputs: { text: marker },
        extra: { metadata },
        tags: [marker],
        session_id: records.get(experiment),
        reference_example_id: records.get('example'),
      };
    });
    await send('POST', `${BASE}/runs/batch`, { post: runs });
    return [runs[0]!.id];
  });
  for (const name of ['feedback', 'feedback2'] as const) {
    await make([name], async () => [
      idOf(
        await send('POST', `${BASE}/feedback`, {
          key: SCORE_KEY,
          score: 0.5,
          comment: marker,
          run_id: records.get('evaluationRun'),
        }),
      ),
    ]);
  }
  await make(['comparative'], async () => [
    idOf(
      await send('POST', `${BASE}/datasets/comparative`, {
        name: marker,
        description: marker,
        experiment_ids: [records.get('experiment'), records.get('experiment2')],
        extra: metadata,
      }),
    ),
  ]);
  for (const name of ['alert', 'alert2'] as const) {
    await make([name], async () => [
      idOf(
        await send('POST', `${BASE}/alerts`, {
          name: `${name} ${marker}`,
          project_id: records.get('experiment'),
          metric: 'run_count',
          window_seconds: 3_600,
          operator: 'above',
          threshold: 1_000_000,
          is_enabled: false,
          metadata,
        }),
      ),
    ]);
  }
  for (const name of ['queue', 'queue2', 'queue3'] as const) {
    await make([name], async () => [
      idOf(
        await send('POST', `${BASE}/annotation-queues`, { name: `${name} ${marker}`, description: marker, metadata }),
      ),
    ]);
  }
  for (const name of ['rule', 'rule2'] as const) {
    await make([name], async () => [
      idOf(
        await send('POST', `${BASE}/runs/rules`, {
          display_name: `${name} ${marker}`,
          session_id: records.get('experiment'),
          add_to_annotation_queue_id: records.get('queue3'),
          is_enabled: false,
          metadata,
        }),
      ),
    ]);
  }
  for (const [name, queue] of [
    ['queueRun', 'queue'],
    ['queueRun2', 'queue2'],
    ['queueRun3', 'queue3'],
  ] as const) {
    await make([name], async () => [
      firstOf(
        await send('POST', `${BASE}/annotation-queues/${records.get(queue)}/runs`, [records.get('evaluationRun')]),
        'id',
      ),
    ]);
  }
  await make(['uploadedDataset', 'uploadedExperiment'], async () => {
    const answer = await send(
      'POST',
      `${BASE}/datasets/upload-experiment`,
      uploadBody(records, { dataset_name: `uploadedDataset ${marker}` }),
    );
    return [textAt(answer, 'dataset', 'id'), textAt(answer, 'experiment', 'id')];
  });
  return records;
}

/** Namespace of the user's item in the long-term store. */
export function itemNamespace({ marker }: Records): string[] {
  return ['walk', marker];
}

/** Id of the only graph on the walked server. */
export const WALK_GRAPH = 'walk';

/** Body of an upload: an experiment with a unique name and one row. */
export function uploadBody({ marker }: Records, into: JsonObject): JsonObject {
  return {
    experiment_name: `upload ${marker} ${randomUUID()}`,
    experiment_start_time: START_TIME,
    experiment_end_time: END_TIME,
    experiment_metadata: { walk: marker },
    ...into,
    results: [
      {
        row_id: randomUUID(),
        inputs: { text: marker },
        expected_outputs: { text: marker },
        actual_outputs: { text: marker },
        evaluation_scores: [{ key: SCORE_KEY, score: 1 }],
        start_time: START_TIME,
        end_time: END_TIME,
      },
    ],
  };
}

function parseBody({ body }: WalkResponse): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
}

function textAt(answer: WalkResponse, ...path: string[]): string | undefined {
  let value = parseBody(answer);
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function firstOf(answer: WalkResponse, name: string): string | undefined {
  const value = parseBody(answer);
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isObject(first) && typeof first[name] === 'string' ? first[name] : undefined;
}

function idOf(answer: WalkResponse, name = 'id'): string | undefined {
  return textAt(answer, name);
}
