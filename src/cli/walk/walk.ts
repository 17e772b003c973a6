import type { Answer, Asker, Sent } from './asker.js';
import type { StoreWatch } from './store-watch.js';
import { makeRecords, NotMade, type Records } from './records.js';
import { stages, type Stage } from './recipes.js';
import { sentOf, type Try } from './requests.js';

export type Verdict =
  /** The owner was answered; the other learned and changed nothing. */
  | 'kept apart'
  | 'leak'
  /** There is one of it for the whole server, and the owner may not change it alone. */
  | 'shared'
  /** The owner was refused too, so nothing is known. */
  | 'not reached';

/** What came of one route. */
export interface Walked {
  route: string;
  action: string;
  /** Statuses; null when the request could not be made. */
  owner: number | null;
  /** To the owner's own request, made by the other. */
  other: number | null;
  verdict: Verdict;
  /** What leaked, or why it was not reached. */
  notes: string[];
}

export interface Party {
  name: string;
  asker: Asker;
}

/** Nothing could be walked: the message says why. */
export class CannotWalk extends Error {}

/** What follows from leaving a stream has begun by then. */
const LEFT_MS = 200;

/** Reads that show whether what belongs to the owner is as it was; `all`: in every way that the recipe knows, so that open runs are read too. */
const READ_BACK: ReadonlyMap<string, 'first' | 'all'> = new Map([
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
 * Walks every route over records that `owner` makes: what `other` sees or changes of them is a leak. Both have records of
 * their own, for requests that mix the two. Throws CannotWalk when the owner can make nothing.
 */
export async function walk(owner: Party, other: Party, store: StoreWatch): Promise<Walked[]> {
  const all = stages();
  const own = await makeRecords(other.asker);
  await store.settled();
  const before = await answersToAll(all, other, own);
  let theirs = await makeRecords(owner.asker);
  if (theirs.empty) throw new CannotWalk(`${owner.name} could make nothing: ${theirs.why.join('; ')}`);
  await store.settled();
  const after = await answersToAll(all, other, own);

  const found = new Map(all.map(({ name }) => [name, { status: null as number | null, notes: [] as string[] }]));
  for (const [name, answer] of after) {
    const { notes } = found.get(name)!;
    if (before.get(name)!.text !== answer.text)
      notes.push(`what ${other.name} is answered changed when ${owner.name} made records`);
    notes.push(...seen(answer, null, owner, theirs));
  }

  let digest = await store.settled();
  let readBack = await readBackOf(all, owner, theirs);
  let damaged = false;
  for (const { name, route, recipe } of all) {
    const { notes } = found.get(name)!;
    for (const [at, one] of recipe.tries.entries()) {
      const sent = requestOf(() => sentOf(route, one.make(theirs, own)));
      if (sent instanceof NotMade) continue;
      const answer = await other.asker.send(sent);
      if (at === 0) found.get(name)!.status = answer.status;
      notes.push(...seen(answer, sent, owner, theirs), ...foundIt(one, answer, sent, other));
      // What was allowed may go on behind its answer: a graph's work, statistics, a cancel when the client has gone.
      // A stranger was let in to a stream, and left it: the server notices that in its own time.
      if (sent.endless && answer.status < 400)
        await new Promise((resolve) => {
          setTimeout(resolve, LEFT_MS);
        });
      const mayGoOn = answer.status < 400 && (sent.method !== 'GET' || sent.endless);
      const now = mayGoOn ? await store.settled() : store.digest();
      if (now === digest) continue;
      if (answer.status >= 400)
        notes.push(`${shown(sent)} was refused with ${answer.status}, yet it changed the store`);
      digest = mayGoOn ? now : await store.settled();
      const reread = await readBackOf(all, owner, theirs);
      const changed = [...readBack]
        .filter(([target, text]) => reread.get(target) !== text)
        .map(([target]) => short(target));
      if (changed.length === 0) continue;
      notes.push(
        `${shown(sent)} of ${other.name} changed what ${owner.name} reads: ${[...new Set(changed)].join(', ')}`,
      );
      readBack = reread;
      damaged = true;
      if (recipe.ends === undefined) continue;
      // What was taken away is made anew, so that the routes after this one are still walked over something.
      theirs = await makeRecords(owner.asker);
      digest = await store.settled();
      readBack = await readBackOf(all, owner, theirs);
    }
  }

  if (damaged) theirs = await makeRecords(owner.asker);
  const result: Walked[] = [];
  for (const { name, route, recipe } of all) {
    const { status: otherStatus, notes: leaks } = found.get(name)!;
    const sent = requestOf(() => sentOf(route, recipe.tries[0].make(theirs, theirs)));
    const answer = sent instanceof NotMade ? null : await owner.asker.send(sent);
    const reached = answer !== null && answer.status < 300;
    const verdict =
      leaks.length > 0
        ? 'leak'
        : reached
          ? 'kept apart'
          : recipe.shared !== undefined && answer?.status === 403
            ? 'shared'
            : 'not reached';
    const why = sent instanceof NotMade ? sent.message : `${owner.name} was answered ${answer!.status}`;
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
            ? [recipe.shared!]
            : verdict === 'not reached'
              ? [why]
              : [],
    });
  }
  return result;
}

function requestOf(make: () => Sent): Sent | NotMade {
  try {
    return make();
  } catch (error) {
    if (error instanceof NotMade) return error;
    throw error;
  }
}

/** What a user is told by requests that name nothing. */
async function answersToAll(all: readonly Stage[], { asker }: Party, own: Records): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (const { name, route, recipe } of all) {
    for (const { kind, make } of recipe.tries) {
      if (kind === 'all') answers.set(name, await asker.send(sentOf(route, make(own, own))));
    }
  }
  return answers;
}

async function readBackOf(all: readonly Stage[], { asker }: Party, theirs: Records): Promise<Map<string, string>> {
  const wanted = new Map<string, Sent>();
  for (const { name, route, recipe } of all) {
    const ways = READ_BACK.get(name);
    if (ways === undefined) continue;
    for (const { make } of ways === 'all' ? recipe.tries : [recipe.tries[0]]) {
      const sent = requestOf(() => sentOf(route, make(theirs, theirs)));
      if (!(sent instanceof NotMade)) wanted.set(shown(sent, true), sent);
    }
  }
  return new Map(
    await Promise.all([...wanted].map(async ([target, sent]) => [target, (await asker.send(sent)).text] as const)),
  );
}

/** Ids and texts of the owner's that stand in an answer, and that the request did not bring. */
function seen(answer: Answer, sent: Sent | null, owner: Party, theirs: Records): string[] {
  const brought = sent === null ? '' : `${decodeURIComponent(sent.target.replaceAll('+', ' '))}\n${sent.body ?? ''}`;
  const told = theirs.secrets().filter((secret) => !brought.includes(secret) && answer.text.includes(secret));
  return told.length === 0
    ? []
    : [
        `${sent === null ? 'the list' : `the answer ${answer.status} to ${shown(sent)}`} has ${told.includes(theirs.marker) ? `texts that ${owner.name} wrote` : `ids of ${owner.name}`}`,
      ];
}

function foundIt({ kind, nothing }: Try, { status, body }: Answer, sent: Sent, other: Party): string[] {
  if (status >= 300) return [];
  if (nothing !== undefined && body !== nothing)
    return [`${shown(sent)} of ${other.name} was answered ${body.slice(0, SHOWN_MAX)}`];
  return kind === 'names' ? [`${shown(sent)} of ${other.name} was answered ${status}`] : [];
}

const SHOWN_MAX = 120;

/** Ids say nothing to a reader. */
function short(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
}

/** A request in a few words; `whole`, so that no two are the same. */
function shown({ method, target, body }: Sent, whole = false): string {
  const said = `${method} ${decodeURIComponent(target)}${body === null || !body.startsWith('{') ? '' : ` ${body}`}`;
  if (whole) return said;
  const words = short(said);
  return words.length > SHOWN_MAX ? `${words.slice(0, SHOWN_MAX)}…` : words;
}
