import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, asyncProperty, check, oneof } from 'fast-check';
import t from 'tap';
import { routeName } from '../../src/cli/walk/requests.js';
import { routes } from '../../src/http/routes/index.js';
import type { Route } from '../../src/http/route.js';
import { deleteAll } from './clean.js';
import { judge, judgeCrowd, type Verdict } from './judge.js';
import { Place } from './place.js';
import { plans, recipeOf, type Plan } from './plan.js';
import { requestOf, type Known } from './request.js';

/** `make fuzz` sets both; FUZZ_ROUTE, text of a route's name, is for whoever looks for one fault. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 0);
const ONLY = process.env['FUZZ_ROUTE'] ?? '';
const seeded = `FUZZ_SEED=${SEED}${ROUNDS === 0 ? '' : ` FUZZ_ROUNDS=${ROUNDS}`}`;

/** Requests to a route in a round; the same route under another prefix has the same handler. */
const REQUESTS = ROUNDS === 0 ? 6 : 40;
const REQUESTS_OF_ALIAS = ROUNDS === 0 ? 1 : 6;
/** Requests at once, and how often. */
const CROWD = 25;
const CROWDS = ROUNDS === 0 ? 2 : 40;
/** One route's requests, and making one smaller that fails. */
const TIME_MS = 600_000;

/**
 * What heaps of some ten threads differ by at any two moments; 10 KB that are kept of each request are more within
 * three rounds.
 */
const GROWTH_MIB = 192;

/**
 * Kinds of entries (src/store/keys.ts) that stay when a client has deleted what it can: of the server itself, and what
 * goes when its time is over.
 */
const STAYS = new Set(['!', 'a', 'ai', 'au', 'av', 'cb', 'cv', 'hi', 'SH', 'ex', 'fr', 'ft', 'fx']);

t.setTimeout(ROUNDS === 0 ? 300_000 : 24 * 3_600_000);

const VALID: Plan = { base: { recipe: 0 }, changes: [], troubles: [] };

/** What takes records away comes last, as in the walk of `doctor --auth`. */
const inOrder = routes
  .filter((route) => routeName(route).includes(ONLY))
  .toSorted((a, b) => (recipeOf(a)?.destructiveOrder ?? 0) - (recipeOf(b)?.destructiveOrder ?? 0));

/** A request is known that fits the route. */
const fits = (route: Route): boolean =>
  recipeOf(route) !== null && recipeOf(route)?.sharedReason === undefined && !route.alias;
const DONE = /^[23]/;

const tally = new Map<string, Map<string, number>>();
let requests = 0;

/** What failed, as something that can be sent again. */
function report(route: Route, plan: Plan, problem: string, known: Known, at: number): string {
  const { bytes } = requestOf(route, plan, known);
  const file = join(tmpdir(), `threadmill-fuzz-${SEED}-${at}.http`);
  writeFileSync(file, bytes);
  return `${problem}\n  ${seeded} FUZZ_ROUTE='${routeName(route)}'\n  again: nc -q 5 127.0.0.1 PORT < ${file}\n  ${JSON.stringify(bytes.subarray(0, 1_500).toString('latin1'))}\n  ${JSON.stringify(plan).slice(0, 600)}`;
}

async function send(place: Place, route: Route, plan: Plan, known: Known): Promise<Verdict> {
  const counts = tally.get(routeName(route)) ?? new Map<string, number>();
  tally.set(routeName(route), counts);
  const verdict = await judge(place, route, requestOf(route, plan, known));
  requests += 1;
  counts.set(verdict.outcome, (counts.get(verdict.outcome) ?? 0) + 1);
  return verdict;
}

async function fuzz(place: Place, route: Route, known: Known, seed: number): Promise<string | null> {
  const result = await check(
    asyncProperty(plans(route), async (plan) => {
      const { problem } = await send(place, route, plan, known);
      if (problem !== null) throw new Error(problem);
    }),
    {
      seed,
      numRuns: route.alias ? REQUESTS_OF_ALIAS : REQUESTS,
      examples: fits(route) ? [[VALID]] : [],
      interruptAfterTimeLimit: TIME_MS,
    },
  );
  if (!result.failed) return null;
  const plan = result.counterexample?.[0] ?? VALID;
  return report(
    route,
    plan,
    result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance),
    known,
    requests,
  );
}

/** Many at once, to any routes. */
async function fuzzCrowds(place: Place, known: Known, seed: number): Promise<string | null> {
  const one = oneof(...inOrder.map((route) => plans(route).map((plan) => ({ route, plan }))));
  const result = await check(
    asyncProperty(array(one, { minLength: 1, maxLength: CROWD, size: 'max' }), async (crowd) => {
      const problems = await judgeCrowd(
        place,
        crowd.map(({ route, plan }) => [route, requestOf(route, plan, known)]),
      );
      requests += crowd.length;
      if (problems.length > 0) throw new Error(problems.join('\n  '));
    }),
    { seed, numRuns: CROWDS, interruptAfterTimeLimit: TIME_MS },
  );
  if (!result.failed) return null;
  const crowd = result.counterexample?.[0] ?? [];
  const problem = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance);
  return [
    `${crowd.length} at once: ${problem}`,
    ...crowd.slice(0, 5).map(({ route, plan }, at) => report(route, plan, routeName(route), known, requests + at)),
  ].join('\n');
}

t.test(`every route, whatever is sent to it: ${seeded}`, async (t) => {
  const place = await Place.open(t);
  const memory: number[] = [];
  const orphans = new Set<string>();
  for (let round = 0; round < Math.max(1, ROUNDS); round += 1) {
    const known = await place.makeRecords();
    const seed = SEED * 1_000_003 + round * 1_009;
    const crowds = await fuzzCrowds(place, known, seed);
    if (crowds === null) t.pass('many at once');
    else t.fail(crowds);
    let fresh = await place.makeRecords();
    for (const [at, route] of inOrder.entries()) {
      // What it names may have gone with what came before.
      if (fits(route) && !DONE.test((await send(place, route, VALID, fresh)).outcome))
        fresh = await place.makeRecords();
      const problem = await fuzz(place, route, fresh, seed + at);
      if (problem === null) t.pass(routeName(route));
      else t.fail(`${routeName(route)}: ${problem}`);
      const left = place.orphans().filter((key) => !orphans.has(key));
      if (left.length > 0) t.fail(`${routeName(route)}: entries whose record is gone: ${left.slice(0, 5).join(' ')}`);
      for (const key of left) orphans.add(key);
      if (place.ended) return;
    }
    await deleteAll(place);
    const left = place.entries();
    t.strictSame(
      [...left.keys()].filter((kind) => !STAYS.has(kind)),
      [],
      'all that was made can be deleted, and then it is gone',
    );
    memory.push(place.memoryMib());
    t.comment(
      `round ${round}: ${requests} requests, ${memory.at(-1)} MiB; ${[...left].map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
    );
  }
  // After the first round all is loaded and warm; what further rounds leave behind would add up.
  if (memory.length > 2)
    t.ok(memory.at(-1)! < memory[0]! + GROWTH_MIB, `memory after each round, in MiB: ${memory.join(', ')}`);
  const unanswered = inOrder.filter(
    (route) => fits(route) && ![...tally.get(routeName(route))!.keys()].some((outcome) => DONE.test(outcome)),
  );
  t.strictSame(unanswered.map(routeName), [], 'each was also sent what it takes');
  for (const [name, counts] of tally)
    t.comment(
      `${name}: ${[...counts]
        .map(([outcome, count]) => `${outcome} ${count}`)
        .toSorted((a, b) => a.localeCompare(b))
        .join(', ')}`,
    );
});
