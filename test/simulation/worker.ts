import { parseJson, utf8, type JsonObject } from '../../src/base/json/json.js';
import { pack, unpack } from '../../src/wire/codec.js';
import { jsonFrame } from '../../src/wire/runs/frame.js';
import type { FromWorker, RunJob, ToWorker } from '../../src/wire/runs/messages.js';
import { LISTENING } from '../../src/wire/runs/run-signals.js';
import { packVersions } from '../../src/wire/runs/channel-versions.js';
import { packBody, packView, unpackBody, unpackMetadata, type Item, type Ref } from '../../src/wire/runs/state.js';
import { SimulatedPort } from './port.js';

/** What a run of the simulated graph is to do, as its input. */
export interface Script {
  /** Names the run in all it does. */
  token: string;
  steps: number;
  ends: 'well' | 'badly' | 'asking';
}

/** The state of a simulated thread. */
export interface State {
  /** What was done, in order: `in:<token>`, `<token>:<step>`, `answer:<value>`. */
  applied: string[];
  /** What the last run has still to do. */
  left: (Script & { at: number }) | null;
}

const NULL_TASK_ID = '00000000-0000-0000-0000-000000000000';
const RESUME_IDX = -4;
const RESUME = '__resume__';

const json = (value: unknown): Item => ['j', utf8(JSON.stringify(value)), null, 1];

export function readState(body: Uint8Array): State {
  const channel = unpackBody(body).channels.find(([name]) => name === 'state')![1] as [0, Item];
  return parseJson(channel[1][1]) as State;
}

/**
 * One attempt of a run in a worker: a graph of steps, each of which stores a checkpoint, as the real worker does over
 * its port.
 */
export class SimulatedRun {
  readonly job: RunJob;
  readonly port = new SimulatedPort();
  /** Nothing more comes of it. */
  over = false;
  /** How many turns it has had. */
  turns = 0;
  /** How it ends, once that is decided, instead of what its script says: after the step that it is at. */
  ends: Script['ends'] | null = null;
  readonly #signals: Int32Array;
  readonly #script: Generator<FromWorker[], void>;
  readonly #nextId: () => string;
  #seq: number;
  #replyTo = 0;
  #replied = 0;

  constructor(job: RunJob, signals: SharedArrayBuffer, nextId: () => string) {
    this.job = job;
    this.#signals = new Int32Array(signals);
    this.#nextId = nextId;
    this.#seq = job.seq;
    this.#script = this.#work();
  }

  /** It does not wait for an answer. */
  get canGoOn(): boolean {
    return !this.over && this.#replied >= this.#replyTo;
  }

  /** Its next turn: what it says in one is one message. */
  go(): void {
    this.turns += 1;
    const next = this.#script.next();
    if (next.done === true) this.over = true;
    else if (next.value.length > 0) this.port.toFront.push(pack(next.value));
  }

  /** Takes the oldest message of the front. */
  hear(): void {
    const bytes = this.port.toWorker.shift();
    if (bytes === undefined) return;
    const message = unpack<ToWorker>(bytes);
    // Garbage may have asked for something under an id that is none: nobody waits for that.
    if (message.type === 'reply' && Number.isInteger(message.requestId)) this.#replied = message.requestId;
    // A node may look at its signal late; what it says is fenced off in any case.
    if (message.type === 'run.cancel') this.over = true;
  }

  *#work(): Generator<FromWorker[], void> {
    const { job } = this;
    const { head } = job;
    let step = head === null ? -2 : (unpackMetadata(unpackBody(head.body).metadata)['step'] as number);
    const state: State = head === null ? { applied: [], left: null } : readState(head.body);
    let parentId = head?.id ?? null;
    const put = (source: string, next: string[]): FromWorker => {
      step += 1;
      const id = this.#nextId();
      const body = packBody({
        v: 4,
        ts: '2026-01-01T00:00:00.000Z',
        parentId,
        versions: packVersions({ channels: {}, seen: {} }),
        seen: null,
        metadata: utf8(JSON.stringify({ source, step })),
        base: [0, json({})] satisfies Ref,
        channels: [['state', [0, json(state)] satisfies Ref]],
      });
      const ask = next.includes('ask');
      const view = packView({
        next,
        tasks: ask
          ? [
              {
                id: `task-${id}`,
                name: 'ask',
                path: utf8('[]'),
                subgraph: null,
                interrupts: utf8('[{"id":"question","value":"?"}]'),
              },
            ]
          : [],
        keys: ['state'],
        root: null,
        overrides: [],
      });
      parentId = id;
      const requestId = job.durability === 'sync' ? (this.#replyTo += 1) : null;
      return {
        type: 'checkpoint.put',
        requestId,
        ns: '',
        id,
        body,
        view: { bytes: view, next: next.length },
        uses: new Uint8Array(),
        content: [],
      };
    };
    const say = (text: string): FromWorker[] => {
      if (Atomics.load(this.#signals, LISTENING) !== 1) return [];
      const batch = jsonFrame(this.#seq, 'custom', JSON.stringify(text));
      this.#seq += 1;
      return [{ type: 'run.frames', batch }];
    };

    const input = parseJson(job.input) as Script | null;
    const command = job.command === null ? null : (parseJson(job.command) as JsonObject);
    const stored = head?.writes.find(({ taskId, channel }) => taskId === NULL_TASK_ID && channel === RESUME);
    if (input !== null) {
      state.applied.push(`in:${input.token}`);
      state.left = { ...input, at: 0 };
      yield [...say(`begin ${input.token}`), put('input', ['work'])];
    } else if (command !== null || stored !== undefined) {
      const answer = command === null ? parseJson((stored!.ref as [0, Item])[1][1]) : command['resume'];
      // An answer to nothing does nothing.
      if (head !== null && state.left !== null) {
        if (command !== null)
          yield [
            {
              type: 'checkpoint.writes',
              requestId: null,
              ns: '',
              id: head.id,
              uses: new Uint8Array(),
              content: [],
              writes: [
                { taskId: NULL_TASK_ID, taskPath: '', idx: RESUME_IDX, channel: RESUME, ref: [0, json(answer)] },
              ],
            },
          ];
        state.applied.push(`answer:${String(answer)}`);
        state.left = null;
        yield [...say(`answered ${String(answer)}`), put('loop', [])];
      }
    }
    for (let { left } = state; left !== null && left.at < left.steps; left = state.left) {
      if (this.ends !== null) Object.assign(left, { ends: this.ends, steps: left.at + 1 });
      const said = `${left.token}:${left.at}`;
      state.applied.push(said);
      left.at += 1;
      const next = left.at < left.steps || left.ends === 'badly' ? ['work'] : left.ends === 'asking' ? ['ask'] : [];
      if (next.length === 0) state.left = null;
      yield [...say(said), put('loop', next)];
    }
    if (state.left?.ends === 'badly')
      yield [this.#end({ status: 'error', error: { name: 'Error', message: state.left.token }, asks: false })];
    else yield [this.#end({ status: 'success', error: null, asks: state.left !== null })];
  }

  #end({
    status,
    error,
    asks,
  }: Pick<Extract<FromWorker, { type: 'run.ended' }>, 'status' | 'error' | 'asks'>): FromWorker {
    return { type: 'run.ended', status, error, asks, lastSeq: this.#seq - 1, result: utf8('{}'), refusal: null };
  }
}
