import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from '../../base/json/json.js';
import type { Answer, Asker } from './asker.js';

/** What a user can have, under the names that recipes use. */
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
  | 'evaluationRun'
  | 'feedback'
  | 'feedback2'
  | 'comparative';

/** Names that are no id. */
const NO_IDS: ReadonlySet<string> = new Set<RecordName>(['version']);

/** A record that could not be made: the message says why. */
export class NotMade extends Error {}

/** What one user made. Every free text of it has the marker. */
export class Records {
  readonly marker = `walk-${randomUUID()}`;
  readonly #made = new Map<RecordName, string>();
  readonly #missing = new Map<RecordName, string>();

  put(name: RecordName, id: string): void {
    this.#made.set(name, id);
  }

  miss(name: RecordName, why: string): void {
    this.#missing.set(name, why);
  }

  /** Throws NotMade. */
  get(name: RecordName): string {
    const id = this.#made.get(name);
    if (id === undefined) throw new NotMade(`no ${name}: ${this.#missing.get(name) ?? 'it was not made'}`);
    return id;
  }

  /** The name of a record that has one. Throws NotMade. */
  named(name: 'dataset' | 'uploadedDataset' | 'experiment' | 'experiment2' | 'experiment3'): string {
    this.get(name);
    return `${name} ${this.marker}`;
  }

  get empty(): boolean {
    return this.#made.size === 0;
  }

  get why(): string[] {
    return [...new Set(this.#missing.values())];
  }

  /** What nobody else may see. */
  secrets(): string[] {
    return [this.marker, ...[...this.#made].filter(([name]) => !NO_IDS.has(name)).map(([, id]) => id)];
  }
}

const BASE = '/api/v1';
export const START = '2026-01-01T00:00:00+00:00';
export const END = '2026-01-01T00:00:02+00:00';
/** One score of everyone's; its configuration is one for all. */
export const SCORE = 'walk-score';
/** Far enough: a run that is to stay open while the walk lasts. */
export const LATER_S = 86_400;

/** Far enough too: the next 29 February. */
export const NEVER = '0 0 29 2 *';
/** Never called: servers that are walked send no webhooks. */
const WEBHOOK = 'https://webhook.invalid/walk';

/** Makes one of everything that a user can have. What is refused is noted, and what stands on it too. */
export async function makeRecords(asker: Asker): Promise<Records> {
  const records = new Records();
  const { marker } = records;
  const send = async (method: string, target: string, body?: unknown): Promise<Answer> => {
    const answer = await asker.send({
      method,
      target,
      contentType: body === undefined ? null : 'application/json',
      body: body === undefined ? null : JSON.stringify(body),
      endless: false,
    });
    if (answer.status >= 300)
      throw new NotMade(`${method} ${target.replaceAll(/[0-9a-f-]{36}/g, '…')} answered ${answer.status}`);
    return answer;
  };
  const made = async (names: readonly RecordName[], work: () => Promise<(string | undefined)[]>): Promise<void> => {
    try {
      const ids = await work();
      for (const [at, name] of names.entries()) {
        const id = ids[at];
        if (id === undefined) records.miss(name, 'the answer did not say its id');
        else records.put(name, id);
      }
    } catch (error) {
      if (!(error instanceof NotMade)) throw error;
      for (const name of names) records.miss(name, error.message);
    }
  };
  const metadata = { walk: marker };
  const run = { assistant_id: GRAPH, input: { text: marker }, metadata };

  await made(['thread'], async () => [idOf(await send('POST', '/threads', { metadata }), 'thread_id')]);
  await made(['run'], async () => {
    const thread = records.get('thread');
    const begun = idOf(await send('POST', `/threads/${thread}/runs`, run), 'run_id');
    await send('GET', `/threads/${thread}/runs/${begun}/join`);
    return [begun];
  });
  await made(['checkpoint'], async () => {
    const state = await send('GET', `/threads/${records.get('thread')}/state`);
    return [textAt(state, 'checkpoint', 'checkpoint_id')];
  });
  await made(['openThread'], async () => [idOf(await send('POST', '/threads', { metadata }), 'thread_id')]);
  await made(['openRun'], async () => [
    idOf(
      await send('POST', `/threads/${records.get('openThread')}/runs`, {
        ...run,
        after_seconds: LATER_S,
        webhook: WEBHOOK,
      }),
      'run_id',
    ),
  ]);
  await made(['statelessThread', 'statelessRun'], async () => {
    const answer = await send('POST', '/runs', { ...run, after_seconds: LATER_S });
    return [textAt(answer, 'thread_id'), textAt(answer, 'run_id')];
  });

  await made(['assistant'], async () => [
    idOf(
      await send('POST', '/assistants', {
        graph_id: GRAPH,
        name: marker,
        description: marker,
        config: { configurable: { text: marker } },
        context: { text: marker },
        metadata,
      }),
      'assistant_id',
    ),
  ]);
  await made(['item'], async () => {
    const key = randomUUID();
    await send('PUT', '/store/items', { namespace: itemNamespace(records), key, value: { text: marker } });
    return [key];
  });
  const cron = { ...run, schedule: NEVER };
  await made(['cron'], async () => [idOf(await send('POST', '/runs/crons', cron), 'cron_id')]);
  await made(['threadCron'], async () => [
    idOf(await send('POST', `/threads/${records.get('thread')}/runs/crons`, cron), 'cron_id'),
  ]);

  await made(['dataset'], async () => [
    idOf(await send('POST', `${BASE}/datasets`, { name: `dataset ${marker}`, description: marker, metadata })),
  ]);
  await made(['example', 'example2', 'example3', 'example4'], async () => {
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
  await made(['version'], async () => [
    firstOf(await send('GET', `${BASE}/datasets/${records.get('dataset')}/versions`), 'as_of'),
  ]);
  for (const name of ['experiment', 'experiment2', 'experiment3'] as const) {
    await made([name], async () => [
      idOf(
        await send('POST', `${BASE}/sessions`, {
          name: `${name} ${marker}`,
          reference_dataset_id: records.get('dataset'),
          start_time: START,
          extra: { metadata },
        }),
      ),
    ]);
  }
  await made(['evaluationRun'], async () => {
    const runs = (['experiment', 'experiment2'] as const).map((experiment) => {
      const id = randomUUID();
      return {
        id,
        trace_id: id,
        dotted_order: `20260101T000000000000Z${id}`,
        name: marker,
        run_type: 'chain',
        start_time: START,
        end_time: END,
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
    await made([name], async () => [
      idOf(
        await send('POST', `${BASE}/feedback`, {
          key: SCORE,
          score: 0.5,
          comment: marker,
          run_id: records.get('evaluationRun'),
        }),
      ),
    ]);
  }
  await made(['comparative'], async () => [
    idOf(
      await send('POST', `${BASE}/datasets/comparative`, {
        name: marker,
        description: marker,
        experiment_ids: [records.get('experiment'), records.get('experiment2')],
        extra: metadata,
      }),
    ),
  ]);
  await made(['uploadedDataset', 'uploadedExperiment'], async () => {
    const answer = await send(
      'POST',
      `${BASE}/datasets/upload-experiment`,
      uploadOf(records, { dataset_name: `uploadedDataset ${marker}` }),
    );
    return [textAt(answer, 'dataset', 'id'), textAt(answer, 'experiment', 'id')];
  });
  return records;
}

/** Where a user's item of long-term memory is. */
export function itemNamespace({ marker }: Records): string[] {
  return ['walk', marker];
}

/** The one graph that is there while the walk lasts. */
export const GRAPH = 'walk';

/** Results of an experiment with a name that no other has. */
export function uploadOf({ marker }: Records, into: JsonObject): JsonObject {
  return {
    experiment_name: `upload ${marker} ${randomUUID()}`,
    experiment_start_time: START,
    experiment_end_time: END,
    experiment_metadata: { walk: marker },
    ...into,
    results: [
      {
        row_id: randomUUID(),
        inputs: { text: marker },
        expected_outputs: { text: marker },
        actual_outputs: { text: marker },
        evaluation_scores: [{ key: SCORE, score: 1 }],
        start_time: START,
        end_time: END,
      },
    ],
  };
}

function valueOf({ body }: Answer): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
}

function textAt(answer: Answer, ...path: string[]): string | undefined {
  let value = valueOf(answer);
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function firstOf(answer: Answer, name: string): string | undefined {
  const value = valueOf(answer);
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isObject(first) && typeof first[name] === 'string' ? first[name] : undefined;
}

function idOf(answer: Answer, name = 'id'): string | undefined {
  return textAt(answer, name);
}
