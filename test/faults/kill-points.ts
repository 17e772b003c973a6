import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { nat, sample } from 'fast-check';
import type { Test } from 'tap';
import { childServer, type ChildServer } from '../helpers/child-server.js';
import { temporaryFolder } from '../helpers/server.js';

/** Points of every scenario beside those that its kinds of commits ask for, or `all`. `make faults` sets both. */
const ROUNDS = process.env['FAULT_ROUNDS'] ?? '2';
const SEED = Number(process.env['FAULT_SEED'] ?? 1);
/** More than any of the scenarios has. */
const COMMITS_MAX = 60;

/**
 * Rounds of a scenario that is not about commits: so many in the short form, so many in the long one, or what was asked
 * for.
 */
export function roundsOf(short: number, long: number): number {
  const asked = process.env['FAULT_ROUNDS'];
  return asked === undefined ? short : asked === 'all' ? long : Number(asked);
}

export function seedOf(): number {
  return SEED;
}

/** A file's own time: the long form starts hundreds of servers. */
export const FAULTS_MS = process.env['FAULT_ROUNDS'] === undefined ? 300_000 : 3_600_000;

/** Stands in the names of tests: with it the same points are tried again. */
export const seeded = `FAULT_SEED=${SEED} FAULT_ROUNDS=${ROUNDS}`;

/** What is to be killed, and when; commit 0 is none. */
export interface Killing {
  config: string;
  /** The first commit that writes such a record is the first that counts. */
  from: string;
  when?: 'on disk' | 'under-way';
  env?: Record<string, string>;
}

/** What became of a round. */
export interface Killed {
  died: boolean;
  /**
   * Of every commit: which kinds of records it put (+) and removed (-). Of a server that lived, those until its work
   * was done.
   */
  commits: string[];
}

export interface KillingServer extends ChildServer {
  /** Call when its work is done: it may be killed all the same, by what comes after the work. */
  stop(): Promise<Killed>;
}

/** What comes after the work is done by then: removals. */
const AFTERMATH_MS = 2_000;

export async function killingServer(
  t: Test,
  { config, from, when = 'on disk', env = {} }: Killing,
  dataFolder: string,
  commit: number,
): Promise<KillingServer> {
  const file = join(temporaryFolder(t), 'commits');
  const server = await childServer(t, {
    dataFolder,
    config,
    script: 'dist/test/faults/killing-server.js',
    env: { ...env, KILL_FROM: from, KILL_WHEN: when, KILL_AT_COMMIT: String(commit), COMMITS_FILE: file },
  });
  const commits = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []);
  return {
    ...server,
    async stop() {
      const done = commits();
      if (commit > 0) {
        const waiting = new AbortController();
        await Promise.race([server.exited, setTimeout(AFTERMATH_MS, null, { signal: waiting.signal })]);
        waiting.abort();
      }
      const died = (await server.kill('SIGTERM')) === 'SIGKILL';
      return { died, commits: died ? commits() : done };
    },
  };
}

/**
 * Where the scenarios of a file are killed. In the short form once at every kind of commit, whichever scenario has it,
 * and at some more points of each, drawn by the seed; in the long form after every commit of every scenario.
 */
export class KillPoints {
  readonly #seen = new Set<string>();
  readonly #hit = new Set<string>();
  #drawn = 0;

  /** Kinds of commits at which no server was killed. */
  get missed(): string[] {
    return [...this.#seen].filter((kind) => !this.#hit.has(kind));
  }

  /**
   * `round` kills at a commit (0: not at all) and tells the commits that there were. Resolves with the number of kills.
   */
  async kill(round: (commit: number) => Promise<Killed>): Promise<number> {
    let kills = 0;
    const at = async (commit: number): Promise<boolean> => {
      const { died, commits } = await round(commit);
      if (!died) return false;
      this.#hit.add(commits[commit - 1]!);
      kills += 1;
      return true;
    };
    if (ROUNDS === 'all') {
      for (let commit = 1; commit <= COMMITS_MAX; commit += 1) if (!(await at(commit))) break;
      return kills;
    }
    const { commits } = await round(0);
    for (const kind of commits) this.#seen.add(kind);
    const more = Array.from({ length: Number(ROUNDS) }, () => 1 + this.#draw(commits.length));
    for (const commit of ascending([...this.#oneOfEachMissed(commits), ...more])) await at(commit);
    // Commits of one turn may come in another order, or as one: what was planned for was another kind then.
    for (const commit of ascending(this.#oneOfEachMissed(commits))) await at(commit);
    return kills;
  }

  #oneOfEachMissed(commits: readonly string[]): number[] {
    return this.missed.flatMap((kind) => {
      const places = commits.flatMap((one, index) => (one === kind ? [index + 1] : []));
      return places.length === 0 ? [] : [places[this.#draw(places.length)]!];
    });
  }

  #draw(count: number): number {
    this.#drawn += 1;
    return sample(nat(count - 1), { seed: SEED * 10_000 + this.#drawn, numRuns: 1 })[0]!;
  }
}

function ascending(commits: readonly number[]): number[] {
  return [...new Set(commits)].sort((a, b) => a - b);
}
