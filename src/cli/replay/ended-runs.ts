import type { Client } from '../client.js';
import { projectIdsOf } from './graph-projects.js';
import type { TraceStep } from './trace-steps.js';

type Root = Pick<TraceStep, 'id' | 'start_time' | 'end_time'>;
interface Page {
  runs: Root[];
  cursors: { next: string | null };
}

const PAGE = 100;
const PAGES_MAX = 10;
/** Runs that execute and whose end is awaited. */
const OPEN_MAX = PAGE * PAGES_MAX;
const PROJECTS_MAX = 1_000;
/** Assistants get their project with their first run, so new ones are looked for. */
const PROJECTS_EVERY_POLLS = 15;
/** A trace is stored some time after its run has started, so each poll looks back from the newest one. */
const OVERLAP_MS = 10_000;

/** Finds the runs of some graphs that end, from their traces. Reads a bounded number of them in each poll. */
export class EndedRuns {
  readonly #client: Client;
  readonly #graphIds: readonly string[];
  readonly #isChosen: (runId: string) => boolean;
  #projects: string[] = [];
  #polls = 0;
  #fromMs: number | null = null;
  /** Runs that have not ended. */
  readonly #open = new Set<string>();
  /** Start of each run that has ended and that the next poll may find again. */
  readonly #endedStartMs = new Map<string, number>();
  #isIncomplete = false;

  constructor(client: Client, graphIds: readonly string[], isChosen: (runId: string) => boolean) {
    this.#client = client;
    this.#graphIds = graphIds;
    this.#isChosen = isChosen;
  }

  /** True if more runs started between two polls, or executed at once, than are followed. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  /** Begins here: runs that have ended are not found any more. Returns the newest of them. */
  async begin(): Promise<string[]> {
    const ended = await this.poll();
    this.#isIncomplete = false;
    return ended.reverse();
  }

  /** The chosen runs that have ended since the last call, in the order of their start. */
  async poll(): Promise<string[]> {
    if (this.#polls++ % PROJECTS_EVERY_POLLS === 0 || this.#projects.length === 0)
      this.#projects = await this.#readProjects();
    if (this.#projects.length === 0) return [];
    const roots = await this.#newestRoots();
    const [newest] = roots;
    if (newest !== undefined) this.#fromMs = Math.max(this.#fromMs ?? 0, startMsOf(newest) - OVERLAP_MS);
    const followed = [...this.#open];
    const ended: string[] = [];
    for (const root of [...(await this.#rootsOf(followed)), ...roots.reverse()]) {
      const { id } = root;
      if (this.#endedStartMs.has(id) || !this.#isChosen(id)) continue;
      if (root.end_time === null) this.#follow(id);
      else {
        this.#open.delete(id);
        this.#endedStartMs.set(id, startMsOf(root));
        ended.push(id);
      }
    }
    for (const [id, startMs] of this.#endedStartMs) if (startMs < (this.#fromMs ?? 0)) this.#endedStartMs.delete(id);
    return ended;
  }

  #follow(id: string): void {
    if (this.#open.size < OPEN_MAX || this.#open.has(id)) this.#open.add(id);
    else this.#isIncomplete = true;
  }

  async #readProjects(): Promise<string[]> {
    const ids: string[] = [];
    for (const graphId of this.#graphIds) ids.push(...(await projectIdsOf(this.#client, graphId)));
    return ids.slice(0, PROJECTS_MAX);
  }

  /** The newest first. */
  async #newestRoots(): Promise<Root[]> {
    const query = {
      ...{ session: this.#projects, is_root: true, select: ['id', 'start_time', 'end_time'], limit: PAGE },
      start_time: this.#fromMs === null ? null : new Date(this.#fromMs).toISOString(),
    };
    const roots: Root[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const body = { ...query, ...(cursor === null ? {} : { cursor }) };
      const page = JSON.parse(await this.#client.post('/runs/query', body)) as Page;
      roots.push(...page.runs);
      cursor = page.cursors.next;
      if (cursor === null) return roots;
    }
    this.#isIncomplete = true;
    return roots;
  }

  /** Those that are still stored. Forgets the others. */
  async #rootsOf(ids: readonly string[]): Promise<Root[]> {
    const roots: Root[] = [];
    for (let at = 0; at < ids.length; at += PAGE) {
      const id = ids.slice(at, at + PAGE);
      const query = { id, select: ['id', 'start_time', 'end_time'], limit: PAGE };
      roots.push(...(JSON.parse(await this.#client.post('/runs/query', query)) as Page).runs);
    }
    const stored = new Set(roots.map((root) => root.id));
    for (const id of ids) if (!stored.has(id)) this.#open.delete(id);
    return roots;
  }
}

/** Times of the server are in UTC. */
function startMsOf({ start_time: text }: Root): number {
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}
