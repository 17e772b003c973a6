import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@langchain/langgraph-sdk';
import type { Test } from 'tap';

/** Gives the client of any node. Throws when no node runs. */
export type AnyClient = () => Client;

/** What clients were told in all, as a test reports it. */
export interface Counts {
  writes: number;
  events: number;
  /** Streams that went on at another connection. */
  rejoined: number;
  answers: number;
  /** Requests that failed, whose effect is unknown. */
  failed: number;
}

/** A client of the stock SDK that works until it is closed, and remembers what it was told. */
interface CountingClient {
  work(): Promise<void>;
  close(): void;
  /** Something that it wrote was acknowledged since the last call. */
  hasProgressed(): boolean;
  /** Compares what it was told with what is stored. Call it when `work` has resolved. */
  verify(t: Test, client: Client): Promise<void>;
  readonly counts: Counts;
  /** What it does, for people. */
  readonly state: string;
}

/** How long clients may wait before that is reported. */
const SLOW_MS = 20_000;

const soon = (): AbortSignal => AbortSignal.timeout(20_000);

abstract class Repeating {
  state = 'begins';
  readonly counts: Counts = { writes: 0, events: 0, rejoined: 0, answers: 0, failed: 0 };
  #isClosed = false;
  #before = 0;

  async work(): Promise<void> {
    while (!this.#isClosed) await this.step();
  }

  close(): void {
    this.#isClosed = true;
  }

  hasProgressed(): boolean {
    const { writes, events, answers } = this.counts;
    const now = writes + events + answers;
    const has = now > this.#before;
    this.#before = now;
    return has;
  }

  protected abstract step(): Promise<void>;

  /** Null when it failed: nobody knows whether it took effect. */
  protected async attempt<T>(request: () => Promise<T>): Promise<{ value: T } | null> {
    try {
      return { value: await request() };
    } catch {
      this.counts.failed += 1;
      await sleep(50);
      return null;
    }
  }

  /** Repeats a read until it is answered. */
  protected async read<T>(request: () => Promise<T>): Promise<T> {
    for (;;) {
      const answer = await this.attempt(request);
      if (answer !== null) return answer.value;
    }
  }
}

/** Runs a graph on one thread, and changes one item. */
class Writer extends Repeating implements CountingClient {
  readonly #threadId = randomUUID();
  readonly #any: AnyClient;
  readonly #runs: { attempted: number; acknowledged: number[] } = { attempted: 0, acknowledged: [] };
  readonly #item = { attempted: 0, acknowledged: 0 };

  constructor(any: AnyClient) {
    super();
    this.#any = any;
  }

  protected async step(): Promise<void> {
    const count = (this.#item.attempted += 1);
    this.state = `puts item ${this.#threadId}`;
    const put = await this.attempt(() =>
      this.#any().store.putItem(['writers'], this.#threadId, { count }, { signal: soon() }),
    );
    if (put !== null) {
      this.#item.acknowledged = count;
      this.counts.writes += 1;
    }
    const run = (this.#runs.attempted += 1);
    this.state = `waits for a run on ${this.#threadId}`;
    const options = { input: { text: String(run) }, ifNotExists: 'create' as const, signal: soon() };
    if ((await this.attempt(() => this.#any().runs.wait(this.#threadId, 'echo', options))) !== null) {
      this.#runs.acknowledged.push(run);
      this.counts.writes += 1;
    }
  }

  async verify(t: Test, client: Client): Promise<void> {
    const { values } = await client.threads.getState<{ steps: string[] }>(this.#threadId);
    const stored = values.steps
      .filter((step) => step.startsWith('first '))
      .map((step) => Number(step.slice('first '.length)));
    t.equal(new Set(stored).size, stored.length, 'no run has taken effect twice');
    const lost = this.#runs.acknowledged.filter((run) => !stored.includes(run));
    t.strictSame(lost, [], `no acknowledged run is lost: ${stored.length} runs of ${this.#runs.attempted} attempted`);
    const item = await client.store.getItem(['writers'], this.#threadId);
    const count = item!.value['count'] as number;
    const { acknowledged, attempted } = this.#item;
    t.ok(count >= acknowledged && count <= attempted, `item ${count}, ${acknowledged} acknowledged of ${attempted}`);
  }
}

interface Shown {
  id: number;
  event: string;
  data: unknown;
}

interface StreamedRun {
  threadId: string;
  runId: string;
  events: Shown[];
}

/** Reads resumable streams, and joins them again where they broke off. */
class StreamReader extends Repeating implements CountingClient {
  static readonly NUMBERS = 60;
  readonly #any: AnyClient;
  #streams = 0;
  #attempts = 0;
  /** What was shown and what is stored, where they differ. */
  readonly #differences: string[] = [];

  constructor(any: AnyClient) {
    super();
    this.#any = any;
  }

  protected async step(): Promise<void> {
    const run: StreamedRun = { threadId: randomUUID(), runId: '', events: [] };
    await this.#stream(run);
    if (run.runId !== '') await this.#compare(run);
  }

  async #stream(run: StreamedRun): Promise<void> {
    const { threadId } = run;
    const client = await this.read(() => Promise.resolve(this.#any()));
    const stream = client.runs.stream(threadId, 'counter', {
      input: { count: StreamReader.NUMBERS, pauseMs: 20 },
      streamMode: ['custom', 'values'],
      streamResumable: true,
      ifNotExists: 'create',
      onRunCreated: ({ run_id: runId }) => {
        run.runId = runId;
      },
    });
    this.state = `streams on ${threadId}`;
    const isWhole = await this.#follow(run, stream);
    if (run.runId === '' || isWhole) return;
    for (;;) {
      this.counts.rejoined += 1;
      this.state = `joins run ${run.runId} on ${threadId} after event ${run.events.at(-1)?.id}`;
      const lastEventId = String(run.events.at(-1)?.id ?? -1);
      const joined = await this.read(() =>
        Promise.resolve(this.#any().runs.joinStream(threadId, run.runId, { lastEventId })),
      );
      if (await this.#follow(run, joined)) return;
    }
  }

  /** False when the stream broke off. */
  async #follow(run: StreamedRun, stream: AsyncIterable<{ id?: string; event: string; data: unknown }>) {
    const answer = await this.attempt(async () => {
      for await (const { id, event, data } of stream) {
        if (id === undefined) continue;
        run.events.push({ id: Number(id), event, data });
        this.counts.events += 1;
      }
    });
    return answer !== null;
  }

  /** Compares what was shown with what is stored, which is kept for two minutes only. */
  async #compare(run: StreamedRun): Promise<void> {
    const { threadId, runId, events } = run;
    this.state = `compares the events of run ${runId} on ${threadId}`;
    const stored = await this.read(async () => {
      const all: Shown[] = [];
      const joined = this.#any().runs.joinStream(threadId, runId, { lastEventId: '-1' });
      for await (const { id, event, data } of joined as AsyncIterable<{ id?: string; event: string; data: unknown }>)
        if (id !== undefined) all.push({ id: Number(id), event, data });
      return all;
    });
    const { status } = await this.read(() => this.#any().runs.get(threadId, runId));
    this.#streams += 1;
    this.#attempts += stored.filter(({ event }) => event === 'metadata').length;
    if (JSON.stringify(stored) !== JSON.stringify(events)) this.#differences.push(difference(events, stored));
    const numbers = numbersOfLastAttempt(stored).join(' ');
    if (status === 'success' && numbers !== allNumbers(StreamReader.NUMBERS).join(' '))
      this.#differences.push(`the last attempt of run ${runId} has the numbers ${numbers}`);
  }

  verify(t: Test): Promise<void> {
    t.strictSame(this.#differences, [], `${this.#streams} streams of ${this.#attempts} attempts are as stored`);
    return Promise.resolve();
  }
}

function difference(shown: readonly Shown[], stored: readonly Shown[]): string {
  const ids = (list: readonly Shown[]): string => list.map(({ id, event }) => `${id}${event[0]}`).join(' ');
  return `shown: ${ids(shown)}\nstored: ${ids(stored)}`;
}

function numbersOfLastAttempt(events: readonly Shown[]): number[] {
  const from = events.findLastIndex(({ event }) => event === 'metadata');
  return events
    .slice(from)
    .filter(({ event }) => event === 'custom')
    .map(({ data }) => (data as { number: number }).number);
}

const allNumbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

interface Conversation {
  threadId: string;
  answers: string[];
}

/** Answers the two questions of a graph. What fails is looked up, and answered if it is still a question. */
class Answerer extends Repeating implements CountingClient {
  readonly #any: AnyClient;
  readonly #conversations: Conversation[] = [];

  constructor(any: AnyClient) {
    super();
    this.#any = any;
  }

  protected async step(): Promise<void> {
    const conversation: Conversation = { threadId: randomUUID(), answers: [randomUUID(), randomUUID()] };
    const { threadId, answers } = conversation;
    this.state = `begins on ${threadId}`;
    const started = await this.attempt(() =>
      this.#any().runs.wait(threadId, 'approval', { input: {}, ifNotExists: 'create', signal: soon() }),
    );
    // Nobody knows whether there is a thread.
    if (started === null) return;
    this.#conversations.push(conversation);
    for (;;) {
      const question = await this.#openQuestion(threadId);
      if (question === null) return;
      const number = question === 'first question' ? 0 : 1;
      this.state = `answers ${question} on ${threadId}`;
      const command = { resume: answers[number] };
      const options = { command, multitaskStrategy: 'reject' as const, signal: soon() };
      if ((await this.attempt(() => this.#any().runs.wait(threadId, 'approval', options))) !== null)
        this.counts.answers += 1;
    }
  }

  /** Null when everything is answered. */
  async #openQuestion(threadId: string): Promise<string | null> {
    for (;;) {
      this.state = `looks for a question on ${threadId}`;
      const { status, interrupts } = await this.read(() => this.#any().threads.get(threadId, { signal: soon() }));
      if (status === 'interrupted') return Object.values(interrupts).flat()[0]!.value as string;
      if (status !== 'busy') return null;
      await sleep(50);
    }
  }

  async verify(t: Test, client: Client): Promise<void> {
    const stored = [];
    for (const { threadId } of this.#conversations)
      stored.push((await client.threads.getState<{ answers: string[] }>(threadId)).values.answers);
    t.strictSame(
      stored,
      this.#conversations.map(({ answers }) => ['before', ...answers, 'after']),
      `each answer of ${this.#conversations.length} conversations was applied once`,
    );
  }
}

/** Clients of every kind, working at the same time. */
export class CountingClients {
  readonly #clients: CountingClient[];
  readonly #working: Promise<unknown>;

  constructor(any: AnyClient) {
    this.#clients = [new Writer(any), new Writer(any), new StreamReader(any), new Answerer(any)];
    this.#working = Promise.all(this.#clients.map((client) => client.work()));
  }

  /** Resolves when every client has been told of something new. `onSlow` is called with those that wait for long. */
  async progress(onSlow: (clients: string) => void): Promise<void> {
    const waiting = new Set(this.#clients);
    for (const client of waiting) client.hasProgressed();
    const timer = setInterval(() => onSlow([...waiting].map((client) => client.state).join(', ')), SLOW_MS);
    while (waiting.size > 0) {
      for (const client of waiting) if (client.hasProgressed()) waiting.delete(client);
      await sleep(20);
    }
    clearInterval(timer);
  }

  /** Ends their work and compares what they were told with what is stored. */
  async verify(t: Test, client: Client): Promise<Counts> {
    for (const one of this.#clients) one.close();
    await this.#working;
    for (const one of this.#clients) await one.verify(t, client);
    const sum = (name: keyof Counts): number => this.#clients.reduce((all, { counts }) => all + counts[name], 0);
    return {
      writes: sum('writes'),
      events: sum('events'),
      rejoined: sum('rejoined'),
      answers: sum('answers'),
      failed: sum('failed'),
    };
  }
}
