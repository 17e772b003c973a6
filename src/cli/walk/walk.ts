import { walkSteps, type WalkStep } from './recipes.js';
import { makeRecords, RecordMissing, type Records } from './records.js';
import { buildRequest, type Attempt } from './requests.js';
import type { StoreWatcher } from './store-watcher.js';
import type { WalkClient, WalkRequest, WalkResponse } from './walk-client.js';

export type Verdict =
  /** The owner succeeded. The other user saw nothing and changed nothing. */
  | 'kept apart'
  | 'leak'
  /** All users share the one record, so the owner may not change it alone. */
  | 'shared'
  /** The owner was refused too, so the route is not tested. */
  | 'not reached';

/** The result for one route. Printed as it is with --json. */
export interface RouteResult {
  route: string;
  action: string;
  /** Status of the owner's request; null if its records are missing. */
  owner: number | null;
  /** Status of the other user's request for the owner's records; null if they are missing. */
  other: number | null;
  verdict: Verdict;
  /** What leaked, or why the route was not reached. */
  notes: string[];
}

export interface Party {
  name: string;
  client: WalkClient;
}

/** The walk cannot start. The message gives the reason. */
export class CannotWalk extends Error {}

/** Within this time the server notices a disconnected stream and starts to react. */
const DISCONNECT_MS = 200;

/**
 * Reads that detect a change of the owner's records. `first` sends the first attempt of the recipe. `all` sends every
 * attempt, so that open runs are read too.
 */
const OWNER_READS: ReadonlyMap<string, 'first' | 'all'> = new Map([
  ['GET /threads/:thread_id', 'all'],
  ['GET /threads/:thread_id/runs/:run_id', 'all'],
  ['GET /threads/:thread_id/runs', 'all'],
  ['GET /threads/:thread_id/state', 'first'],
  ['GET /assistants/:assistant_id', 'all'],
  ['POST /assistants/:assistant_id/versions', 'first'],
  ['GET /store/items', 'first'],
  ['GET /runs/crons/:cron_id', 'all'],
  ['GET /api/v1/datasets/:dataset_id', 'first'],
  ['GET /api/v1/datasets/:dataset_id/versions', 'first'],
  ['GET /api/v1/datasets/:dataset_id/comparative', 'first'],
  ['GET /api/v1/examples', 'first'],
  ['GET /api/v1/sessions/:session_id', 'first'],
  ['POST /api/v1/runs/query', 'first'],
  ['GET /api/v1/runs/:run_id', 'first'],
  ['GET /api/v1/feedback', 'first'],
]);

/**
 * Walks every route over records that `owner` creates. It is a leak if `other` sees or changes any of them. `other` has
 * records too, for requests that mix both. Throws CannotWalk if the owner can create nothing.
 */
export async function walk(owner: Party, other: Party, store: StoreWatcher): Promise<RouteResult[]> {
  const all = walkSteps();
  const own = await makeRecords(other.client);
  await store.waitUntilSettled();
  const before = await listResponses(all, other, own);
  let theirs = await makeRecords(owner.client);
  if (theirs.isEmpty) throw new CannotWalk(`${owner.name} could not create any record: ${theirs.failures.join('; ')}`);
  await store.waitUntilSettled();
  const after = await listResponses(all, other, own);

  const found = new Map(all.map(({ name }) => [name, { status: null as number | null, notes: [] as string[] }]));
  for (const [name, answer] of after) {
    const { notes } = found.get(name)!;
    if (before.get(name)!.text !== answer.text)
      notes.push(`the response to ${other.name} changed after ${owner.name} created records`);
    notes.push(...findLeakedTexts(answer, null, owner, theirs));
  }

  let digest = await store.waitUntilSettled();
  let readBack = await readOwnerView(all, owner, theirs);
  let damaged = false;
  for (const { name, route, recipe } of all) {
    const { notes } = found.get(name)!;
    for (const [at, one] of recipe.attempts.entries()) {
      const sent = tryBuild(() => buildRequest(route, one.build(theirs, own)));
      if (sent instanceof RecordMissing) continue;
      const answer = await other.client.send(sent);
      if (at === 0) found.get(name)!.status = answer.status;
      notes.push(...findLeakedTexts(answer, sent, owner, theirs), ...findUnexpectedAnswer(one, answer, sent, other));
      // The client has left the stream. The server notices that with a delay.
      if (sent.isStream && answer.status < 400)
        await new Promise((resolve) => {
          setTimeout(resolve, DISCONNECT_MS);
        });
      // An accepted request may have effects after its response: a graph that runs, a cancel on disconnect.
      const mayHaveEffects = answer.status < 400 && (sent.method !== 'GET' || sent.isStream);
      const now = mayHaveEffects ? await store.waitUntilSettled() : store.digest();
      if (now === digest) continue;
      if (answer.status >= 400)
        notes.push(`${describeRequest(sent)} was refused with ${answer.status} but changed the store`);
      digest = mayHaveEffects ? now : await store.waitUntilSettled();
      const reread = await readOwnerView(all, owner, theirs);
      const changed = [...readBack]
        .filter(([target, text]) => reread.get(target) !== text)
        .map(([target]) => hideIds(target));
      if (changed.length === 0) continue;
      notes.push(
        `${describeRequest(sent)} by ${other.name} changed what ${owner.name} reads: ` +
          [...new Set(changed)].join(', '),
      );
      readBack = reread;
      damaged = true;
      if (recipe.destructiveOrder === undefined) continue;
      // Creates the removed records again, so that the next routes have records to walk over.
      theirs = await makeRecords(owner.client);
      digest = await store.waitUntilSettled();
      readBack = await readOwnerView(all, owner, theirs);
    }
  }

  if (damaged) theirs = await makeRecords(owner.client);
  const result: RouteResult[] = [];
  for (const { name, route, recipe } of all) {
    const { status: otherStatus, notes: leaks } = found.get(name)!;
    const sent = tryBuild(() => buildRequest(route, recipe.attempts[0].build(theirs, theirs)));
    const answer = sent instanceof RecordMissing ? null : await owner.client.send(sent);
    const reached = answer !== null && answer.status < 300;
    const verdict =
      leaks.length > 0
        ? 'leak'
        : reached
          ? 'kept apart'
          : recipe.sharedReason !== undefined && answer?.status === 403
            ? 'shared'
            : 'not reached';
    const reason = sent instanceof RecordMissing ? sent.message : `${owner.name} got status ${answer!.status}`;
    result.push({
      route: name,
      action: route.action,
      owner: answer?.status ?? null,
      other: otherStatus,
      verdict,
      notes:
        verdict === 'leak'
          ? [...new Set(leaks)]
          : verdict === 'shared'
            ? [recipe.sharedReason!]
            : verdict === 'not reached'
              ? [reason]
              : [],
    });
  }
  return result;
}

/** The request, or the error that says which record is missing. */
function tryBuild(build: () => WalkRequest): WalkRequest | RecordMissing {
  try {
    return build();
  } catch (error) {
    if (error instanceof RecordMissing) return error;
    throw error;
  }
}

/** Responses to requests that name no record, by route. */
async function listResponses(
  all: readonly WalkStep[],
  { client }: Party,
  own: Records,
): Promise<Map<string, WalkResponse>> {
  const answers = new Map<string, WalkResponse>();
  for (const { name, route, recipe } of all) {
    for (const { kind, build } of recipe.attempts) {
      if (kind === 'lists') answers.set(name, await client.send(buildRequest(route, build(own, own))));
    }
  }
  return answers;
}

/** Responses to the reads of OWNER_READS, by request. */
async function readOwnerView(
  all: readonly WalkStep[],
  { client }: Party,
  theirs: Records,
): Promise<Map<string, string>> {
  const wanted = new Map<string, WalkRequest>();
  for (const { name, route, recipe } of all) {
    const which = OWNER_READS.get(name);
    if (which === undefined) continue;
    for (const { build } of which === 'all' ? recipe.attempts : [recipe.attempts[0]]) {
      const sent = tryBuild(() => buildRequest(route, build(theirs, theirs)));
      if (!(sent instanceof RecordMissing)) wanted.set(describeRequest(sent, true), sent);
    }
  }
  return new Map(
    await Promise.all([...wanted].map(async ([target, sent]) => [target, (await client.send(sent)).text] as const)),
  );
}

/** Notes about ids and texts of the owner that the response contains and the request did not. */
function findLeakedTexts(answer: WalkResponse, sent: WalkRequest | null, owner: Party, theirs: Records): string[] {
  const requestText =
    sent === null ? '' : `${decodeURIComponent(sent.target.replaceAll('+', ' '))}\n${sent.body ?? ''}`;
  const leaked = theirs.secrets().filter((secret) => !requestText.includes(secret) && answer.text.includes(secret));
  if (leaked.length === 0) return [];
  const where = sent === null ? 'the list' : `the response ${answer.status} to ${describeRequest(sent)}`;
  const what = leaked.includes(theirs.marker) ? `texts that ${owner.name} wrote` : `ids of records of ${owner.name}`;
  return [`${where} contains ${what}`];
}

/** Notes about a request that should have found nothing and did not. */
function findUnexpectedAnswer(
  { kind, emptyBody }: Attempt,
  { status, body }: WalkResponse,
  sent: WalkRequest,
  other: Party,
): string[] {
  if (status >= 300) return [];
  if (emptyBody !== undefined && body !== emptyBody)
    return [`${describeRequest(sent)} by ${other.name} returned ${body.slice(0, REQUEST_CHARS_MAX)}`];
  return kind === 'targets' ? [`${describeRequest(sent)} by ${other.name} returned status ${status}`] : [];
}

const REQUEST_CHARS_MAX = 120;

/** Replaces ids, which tell a reader nothing. */
function hideIds(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
}

/** A short text for a request. With `whole` it is unique for each request. */
function describeRequest({ method, target, body }: WalkRequest, whole = false): string {
  const full = `${method} ${decodeURIComponent(target)}${body === null || !body.startsWith('{') ? '' : ` ${body}`}`;
  if (whole) return full;
  const text = hideIds(full);
  return text.length > REQUEST_CHARS_MAX ? `${text.slice(0, REQUEST_CHARS_MAX)}…` : text;
}
