import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncProperty, check } from 'fast-check';
import t from 'tap';
import { recipes } from '../../src/cli/walk/recipes.js';
import { nameOf } from '../../src/cli/walk/requests.js';
import { routes } from '../../src/http/routes/index.js';
import type { Route } from '../../src/http/route.js';
import { deleteAll } from './clean.js';
import { judge } from './judge.js';
import { Place } from './place.js';
import { plans, recipeOf, type Plan } from './plan.js';
import { requestOf, type Known } from './request.js';

/** `make fuzz` sets both; FUZZ_ROUTE, text of a route's name, is for whoever looks for one fault. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 0);
const ONLY = process.env['FUZZ_ROUTE'] ?? '';
const seeded = `FUZZ_SEED=${SEED}${ROUNDS === 0 ? '' : ` FUZZ_ROUNDS=${ROUNDS}`}`;

/** Requests to a route in a round; the same route under another prefix has the same handler. */
const REQUESTS = ROUNDS === 0 ? 8 : 40;
const REQUESTS_OF_ALIAS = ROUNDS === 0 ? 1 : 6;
/** A request that fails is made smaller for so long. */
const SHRINK_MS = 60_000;

t.setTimeout(ROUNDS === 0 ? 300_000 : 24 * 3_600_000);

const VALID: Plan = { base: { recipe: 0 }, changes: [], troubles: [] };

/** What takes records away comes last, as in the walk of `doctor --auth`. */
const inOrder = routes.filter((route) => nameOf(route).includes(ONLY)).toSorted((a, b) => (recipeOf(a)?.ends ?? 0) - (recipeOf(b)?.ends ?? 0));

const tally = new Map<string, Map<string, number>>();
let requests = 0;

/** What failed, as something that can be sent again. */
function report(route: Route, plan: Plan, problem: string, known: Known, at: number): string {
  const { bytes } = requestOf(route, plan, known);
  const file = join(tmpdir(), `threadmill-fuzz-${SEED}-${at}.http`);
  writeFileSync(file, bytes);
  return `${problem}\n  ${seeded} FUZZ_ROUTE='${nameOf(route)}'\n  again: nc -q 5 127.0.0.1 PORT < ${file}\n  ${JSON.stringify(bytes.subarray(0, 1_500).toString('latin1'))}\n  ${JSON.stringify(plan).slice(0, 600)}`;
}

async function fuzz(place: Place, route: Route, known: Known, seed: number): Promise<string | null> {
  const counts = tally.get(nameOf(route)) ?? new Map<string, number>();
  tally.set(nameOf(route), counts);
  const result = await check(asyncProperty(plans(route), async (plan) => {
    const { outcome, problem } = await judge(place, route, requestOf(route, plan, known));
    requests += 1;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (problem !== null) throw new Error(problem);
  }), { seed, numRuns: route.alias ? REQUESTS_OF_ALIAS : REQUESTS, examples: recipeOf(route) === null || route.alias ? [] : [[VALID]], interruptAfterTimeLimit: SHRINK_MS + 300_000 });
  if (!result.failed) return null;
  const plan = result.counterexample?.[0] ?? VALID;
  return report(route, plan, result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance), known, requests);
}

t.test(`every route, whatever is sent to it: ${seeded}`, async (t) => {
  t.equal(new Set(Object.keys(recipes)).size > 100, true, 'most routes have requests that fit');
  const place = await Place.open(t);
  const memory: number[] = [];
  for (let round = 0; round < Math.max(1, ROUNDS); round += 1) {
    const known = await place.makeRecords();
    for (const [at, route] of inOrder.entries()) {
      const problem = await fuzz(place, route, known, SEED * 1_000_003 + round * 1_009 + at);
      if (problem === null) t.pass(nameOf(route));
      else t.fail(`${nameOf(route)}: ${problem}`);
      if (place.server.process.exitCode !== null || place.server.process.signalCode !== null) return;
    }
    await deleteAll(place);
    memory.push(place.memoryMib());
    t.comment(`round ${round}: ${requests} requests, ${memory.at(-1)} MiB; ${[...place.entries()].map(([kind, count]) => `${kind} ${count}`).join(', ')}`);
  }
  for (const [name, counts] of tally) t.comment(`${name}: ${[...counts].toSorted().map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`);
});
