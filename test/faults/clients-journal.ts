import { randomUUID } from 'node:crypto';
import type { Client } from '@langchain/langgraph-sdk';
import type { Test } from 'tap';
import type { Random } from '../helpers/random.js';
import { upload } from '../helpers/uploads.js';
import type { ChildServer } from '../helpers/child-server.js';

interface Run {
  threadId: string;
  runId: string;
  token: string;
  /** Somebody asked for its end, or that nothing of it be left. */
  touched: boolean;
}

interface Thread {
  threadId: string;
  deleted: 'no' | 'asked' | 'done';
  marks: string[];
  runs: Run[];
  /** How often somebody asked for a run that stops the others. */
  takeovers: number;
  /** Values that state updates added, as far as they were answered. */
  added: string[];
}

interface State {
  steps?: string[];
}

const STEPS = (token: string): string[] => [`first ${token}`, `second ${token}`];

/**
 * What clients of a server were told over its lives, and whether it is there at the end: only what was answered counts.
 */
export class ClientsJournal {
  readonly #random: Random;
  readonly threads: Thread[] = [];
  readonly #items = new Map<string, string>();
  readonly #crons: string[] = [];
  readonly #experiments: { id: string; rows: number }[] = [];
  /** Events of resumable runs that readers saw, by run and id. */
  readonly #seen = new Map<string, string>();
  readonly #wrong: string[] = [];
  #tokens = 0;
  answered = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Clients at work until the server is gone. */
  async load(server: ChildServer, clients: number): Promise<void> {
    const died = new AbortController();
    void server.exited.then(() => died.abort());
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (!died.signal.aborted) {
          try {
            await this.#act(server);
            this.answered += 1;
          } catch (error) {
            // A refusal is an answer too; a broken connection means that the server is about to be gone.
            if (!/HTTP 4|status code 4/.test(String(error)))
              await Promise.race([
                server.exited,
                new Promise((resolve) => {
                  setTimeout(resolve, 20);
                }),
              ]);
          }
        }
      }),
    );
  }

  async #act({ client, url }: ChildServer): Promise<void> {
    const random = this.#random;
    const open = this.threads.filter(({ deleted }) => deleted === 'no');
    const kind =
      open.length < 3
        ? 'thread'
        : random.weighted({
            thread: 2,
            run: 8,
            wait: 4,
            stream: 3,
            cancel: 2,
            patch: 2,
            update: 2,
            remove: 0.5,
            item: 3,
            cron: 0.5,
            upload: 1,
          });
    const thread = open.length === 0 ? null : random.pick(open);
    switch (kind) {
      case 'thread': {
        const threadId = randomUUID();
        await client.threads.create({ threadId });
        this.threads.push({ threadId, deleted: 'no', marks: [], runs: [], takeovers: 0, added: [] });
        return;
      }
      case 'run': {
        const token = this.#token();
        const strategy = random.weighted({ enqueue: 6, interrupt: 1, rollback: 1 });
        // Whatever becomes of this request, the others may be stopped by it.
        if (strategy !== 'enqueue') {
          for (const run of thread!.runs) run.touched = true;
          thread!.takeovers += 1;
        }
        const { takeovers } = thread!;
        const { run_id: runId } = await client.runs.create(thread!.threadId, 'echo', {
          input: { text: token },
          multitaskStrategy: strategy,
        });
        thread!.runs.push({ threadId: thread!.threadId, runId, token, touched: thread!.takeovers !== takeovers });
        return;
      }
      case 'wait':
        await client.runs.wait(thread!.threadId, 'echo', { input: { text: this.#token() }, raiseError: false });
        return;
      case 'stream':
        return this.#stream(client, thread!);
      case 'cancel': {
        if (thread!.runs.length === 0) return;
        const run = random.pick(thread!.runs);
        run.touched = true;
        await client.runs.cancel(run.threadId, run.runId, random.chance(0.5), random.pick(['interrupt', 'rollback']));
        return;
      }
      case 'patch': {
        const mark = this.#token();
        await client.threads.update(thread!.threadId, { metadata: { [mark]: true } });
        thread!.marks.push(mark);
        return;
      }
      case 'update': {
        const token = this.#token();
        await client.threads.updateState(thread!.threadId, { values: { steps: [token] }, asNode: 'second' });
        thread!.added.push(token);
        return;
      }
      case 'remove':
        thread!.deleted = 'asked';
        await client.threads.delete(thread!.threadId);
        thread!.deleted = 'done';
        return;
      case 'item': {
        const key = `k${random.below(20)}`;
        const value = this.#token();
        // Unknown until it is answered: another client may write the same.
        this.#items.delete(key);
        await client.store.putItem(['load', key, value], 'item', { value });
        this.#items.set(`${key}/${value}`, value);
        return;
      }
      case 'cron':
        this.#crons.push((await client.crons.create('echo', { schedule: '0 0 1 1 *', input: { text: 'x' } })).cron_id!);
        return;
      case 'upload': {
        const rows = 1 + random.below(50);
        const body = upload({
          experiment_name: `experiment ${this.#token()}`,
          dataset_name: `dataset ${this.#token()}`,
        });
        const [row] = body.results;
        const response = await fetch(`${url}/api/v1/datasets/upload-experiment`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            ...body,
            results: Array.from({ length: rows }, (_, at) => ({ ...row, row_id: randomUUID(), inputs: { at } })),
          }),
        });
        if (response.status !== 200) throw new Error(`HTTP ${response.status} ${await response.text()}`);
        const { experiment } = (await response.json()) as { experiment: { id: string } };
        this.#experiments.push({ id: experiment.id, rows });
      }
    }
  }

  async #stream(client: Client, thread: Thread): Promise<void> {
    const token = this.#token();
    const { takeovers } = thread;
    for await (const { id, event, data } of client.runs.stream(thread.threadId, 'echo', {
      input: { text: token },
      streamMode: 'updates',
      streamResumable: true,
      onDisconnect: 'continue',
    })) {
      if (event === 'metadata') {
        const { run_id: runId } = data as unknown as { run_id: string };
        if (!thread.runs.some((run) => run.runId === runId))
          thread.runs.push({ threadId: thread.threadId, runId, token, touched: thread.takeovers !== takeovers });
      }
      this.#note(`${thread.threadId} ${id}`, `${event} ${JSON.stringify(data)}`);
    }
  }

  /** An id is of one event for ever. */
  #note(key: string, content: string): void {
    const before = this.#seen.get(key);
    if (before !== undefined && before !== content) this.#wrong.push(`event ${key} was ${before} and is ${content}`);
    this.#seen.set(key, content);
  }

  /** Everything that was answered is there, done once and to its end, and goes on. */
  async check(t: Test, server: ChildServer): Promise<void> {
    const { client, url } = server;
    const wrong = [...this.#wrong];
    for (const thread of this.threads) {
      const { threadId } = thread;
      const found = await client.threads.get(threadId).catch((error: unknown) => error as Error);
      if (found instanceof Error) {
        if (thread.deleted === 'no') wrong.push(`thread ${threadId} is lost: ${found.message}`);
        continue;
      }
      if (thread.deleted === 'done') wrong.push(`thread ${threadId} was deleted, and is there`);
      if (thread.deleted !== 'no') continue;
      for (const mark of thread.marks)
        if (found.metadata?.[mark] !== true) wrong.push(`thread ${threadId} has lost the mark ${mark}`);
      await this.#checkRuns(server, thread, wrong);
      const text = this.#token();
      const after = (await client.runs.wait(threadId, 'echo', { input: { text } })) as State;
      if (STEPS(text).some((step) => !after.steps!.includes(step))) wrong.push(`thread ${threadId} does not go on`);
      const { status } = await client.threads.get(threadId);
      if (status !== 'idle') wrong.push(`thread ${threadId} is ${status} after a run that succeeded`);
    }
    for (const [name, value] of this.#items) {
      const item = await client.store.getItem(['load', ...name.split('/')], 'item').catch(() => null);
      if (item?.value['value'] !== value) wrong.push(`item ${name} is lost`);
    }
    for (const cronId of this.#crons)
      if ((await fetch(`${url}/runs/crons/${cronId}`)).status !== 200) wrong.push(`cron ${cronId} is lost`);
    for (const { id, rows } of this.#experiments) {
      const session = (await (await fetch(`${url}/api/v1/sessions/${id}?include_stats=true`)).json()) as {
        run_count?: number;
      };
      const { runs } = (await (
        await fetch(`${url}/api/v1/runs/query`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ session: [id], limit: 100 }),
        })
      ).json()) as { runs?: unknown[] };
      if (session.run_count !== rows || runs?.length !== rows)
        wrong.push(`experiment ${id} has ${String(session.run_count)} and ${String(runs?.length)} of ${rows} rows`);
    }
    t.strictSame(wrong, []);
  }

  async #checkRuns({ client, url }: ChildServer, thread: Thread, wrong: string[]): Promise<void> {
    const { threadId } = thread;
    while ((await client.threads.get(threadId)).status === 'busy')
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    const { steps = [] } = (await client.threads.getState<State>(threadId)).values ?? {};
    const twice = steps.filter((step, at) => steps.indexOf(step) !== at);
    if (twice.length > 0) wrong.push(`thread ${threadId} has ${twice.join(', ')} twice`);
    for (const token of thread.added)
      if (!steps.includes(token) && thread.runs.every(({ touched }) => !touched))
        wrong.push(`thread ${threadId} has lost the update ${token}`);
    for (const { runId, token, touched } of thread.runs) {
      const run = await client.runs.get(threadId, runId).catch(() => null);
      if (run === null) {
        if (!touched) wrong.push(`run ${token} is lost`);
        continue;
      }
      const done = STEPS(token).filter((step) => steps.includes(step)).length;
      // Whoever was killed with it three times in a row is not tried for ever.
      const exceeded =
        run.status === 'error' &&
        (await (await fetch(`${url}/runs/${runId}/why`)).text()).includes('ATTEMPTS_EXCEEDED');
      if (run.status === 'success' ? done !== 2 : !touched && !exceeded)
        wrong.push(`run ${token} is ${run.status}, and has done ${done} steps`);
    }
  }

  #token(): string {
    return `t${(this.#tokens += 1)}`;
  }
}
