import { resolve } from 'node:path';
import type { User } from '../../domain/caller.js';
import { ThreadmillError } from '../../base/errors.js';
import { isObject } from '../../base/json/json.js';
import { CommandError, printable, runCommand } from '../client.js';
import { createProgressBar } from '../output/progress.js';
import { formatTable } from '../output/table.js';
import { CannotWalk, walk, type Party, type RouteResult } from '../walk/walk.js';
import { openWalkServer, type WalkServer } from '../walk/walk-server.js';

export interface DoctorFlags {
  auth?: boolean;
  config: string;
  user?: string[];
  json?: boolean;
}

const DEFAULT_USERS = ['{"identity": "walk-ada"}', '{"identity": "walk-bob"}'];

/** A walk over all routes in one direction: `other` tries to reach the records of `owner`. */
interface Walk {
  owner: string;
  other: string;
  routes: RouteResult[];
}

/** Walks all routes in both directions and reports leaks. The help text lists the exit codes. */
export function doctorAuth(flags: DoctorFlags): Promise<void> {
  // A normal exit removes temporary files.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(2));
  return runCommand(2, async () => {
    const users = parseUsers(flags.user ?? DEFAULT_USERS);
    let walks: Walk[];
    try {
      walks = await walkBothDirections(resolve(flags.config), users);
    } catch (error) {
      if (error instanceof CannotWalk || error instanceof ThreadmillError)
        throw new CommandError(`Not run: ${error.message}`);
      throw error;
    }
    process.stdout.write(`${flags.json === true ? JSON.stringify(formatJson(walks)) : formatText(walks)}\n`);
    return walks.some(({ routes }) => routes.some(({ verdict }) => verdict === 'leak')) ? 1 : 0;
  });
}

async function walkBothDirections(configFile: string, [ada, bob]: readonly [User, User]): Promise<Walk[]> {
  const bar = createProgressBar(2, 'of 2 walks done');
  // Shown before the server starts, which takes a while.
  bar.update(0);
  let server: WalkServer | null = null;
  try {
    server = await openWalkServer(configFile, [ada, bob]);
    const { clientFor, store } = server;
    const walks: Walk[] = [];
    for (const [owner, other] of [
      [ada, bob],
      [bob, ada],
    ] as const) {
      const party = (user: User): Party => ({ name: user.identity, client: clientFor(user) });
      walks.push({
        owner: owner.identity,
        other: other.identity,
        routes: await walk(party(owner), party(other), store),
      });
      bar.update(walks.length, walks.length);
    }
    return walks;
  } finally {
    bar.stop();
    await server?.close();
  }
}

/** Parses --user. Throws CommandError. */
function parseUsers(texts: readonly string[]): [User, User] {
  const [ada, bob, ...more] = texts.map((text): User => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      value = null;
    }
    const problem = (what: string): CommandError =>
      new CommandError(`--user: ${text} ${what}. Write it like ${DEFAULT_USERS[0]!}.`);
    if (!isObject(value)) throw problem('is not a JSON object');
    const { identity, permissions = [], display_name: displayName } = value;
    if (typeof identity !== 'string' || identity === '') throw problem('has no identity');
    if (!Array.isArray(permissions) || !permissions.every((one) => typeof one === 'string'))
      throw problem('has permissions that are not a list of strings');
    return {
      ...value,
      identity,
      permissions,
      display_name: typeof displayName === 'string' ? displayName : identity,
      is_authenticated: true,
    };
  });
  if (ada === undefined || bob === undefined || more.length > 0)
    throw new CommandError('--user: give exactly two users, or none.');
  if (ada.identity === bob.identity)
    throw new CommandError('--user: both users have the same identity. Give them different ones.');
  return [ada, bob];
}

function formatJson(walks: readonly Walk[]): unknown {
  return {
    leaks: walks.reduce((sum, { routes }) => sum + routes.filter(({ verdict }) => verdict === 'leak').length, 0),
    walks: walks.map(({ owner, other, routes }) => ({ owner, other, routes })),
  };
}

/** The worst first. */
const VERDICTS = ['leak', 'not reached', 'shared', 'kept apart'] as const;

function formatText(walks: readonly Walk[]): string {
  const [first, second] = walks as [Walk, Walk];
  const merged = first.routes.map((one) => ({ one, two: second.routes.find(({ route }) => route === one.route)! }));
  const worst = ({ one, two }: (typeof merged)[number]): RouteResult['verdict'] =>
    VERDICTS.find((verdict) => one.verdict === verdict || two.verdict === verdict)!;
  const both = (a: number | null, b: number | null): string =>
    [...new Set([a, b].map((status) => (status === null ? '-' : String(status))))].join('/');
  const rows = merged.map((pair) => [
    pair.one.route,
    both(pair.one.owner, pair.two.owner),
    both(pair.one.other, pair.two.other),
    worst(pair),
  ]);
  const counts = VERDICTS.map(
    (verdict) => `${merged.filter((pair) => worst(pair) === verdict).length} ${verdict}`,
  ).join(', ');
  const notes = (verdict: RouteResult['verdict']): string[] =>
    walks.flatMap(({ routes }) =>
      routes.flatMap((one) =>
        one.verdict === verdict ? one.notes.map((note) => `${verdict}: ${one.route}: ${note}`) : [],
      ),
    );
  return [
    formatTable(['route', 'owner', 'other', 'verdict'], rows),
    '',
    `${merged.length} routes, walked as ${first.owner} and as ${first.other}: ${counts}.`,
    ...[
      ...new Set(['shared', 'not reached', 'leak'].flatMap((verdict) => notes(verdict as RouteResult['verdict']))),
    ].map(printable),
  ].join('\n');
}
