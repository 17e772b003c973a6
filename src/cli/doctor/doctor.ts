import { resolve } from 'node:path';
import type { User } from '../../domain/caller.js';
import { ThreadmillError } from '../../base/errors.js';
import { isObject } from '../../base/json/json.js';
import { CommandError, printable, runCommand } from '../client.js';
import { progress } from '../output/progress.js';
import { table } from '../output/table.js';
import { CannotWalk, walk, type Party, type Walked } from '../walk/walk.js';
import { openWalkServer, type WalkServer } from '../walk/walk-server.js';

export interface DoctorFlags {
  auth?: boolean;
  config: string;
  user?: string[];
  json?: boolean;
}

const USERS = ['{"identity": "walk-ada"}', '{"identity": "walk-bob"}'];

/** One way through all routes: records of `owner`, tried by `other`. */
interface Way {
  owner: string;
  other: string;
  routes: Walked[];
}

/** Walks the routes both ways and says what leaked. Exit codes as the help text has them. */
export function doctorAuth(flags: DoctorFlags): Promise<void> {
  // So that what is temporary goes away.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(2));
  return runCommand(2, async () => {
    const users = usersOf(flags.user ?? USERS);
    let ways: Way[];
    try {
      ways = await walkBothWays(resolve(flags.config), users);
    } catch (error) {
      if (error instanceof CannotWalk || error instanceof ThreadmillError)
        throw new CommandError(`Not walked: ${error.message}`);
      throw error;
    }
    process.stdout.write(`${flags.json === true ? JSON.stringify(asJson(ways)) : asText(ways)}\n`);
    return ways.some(({ routes }) => routes.some(({ verdict }) => verdict === 'leak')) ? 1 : 0;
  });
}

async function walkBothWays(configFile: string, [ada, bob]: readonly [User, User]): Promise<Way[]> {
  const bar = progress(2, 'of 2 ways walked');
  // Before the server, which takes a while.
  bar.update(0);
  let server: WalkServer | null = null;
  try {
    server = await openWalkServer(configFile, [ada, bob]);
    const { asker, store } = server;
    const ways: Way[] = [];
    for (const [owner, other] of [
      [ada, bob],
      [bob, ada],
    ] as const) {
      const party = (user: User): Party => ({ name: user.identity, asker: asker(user) });
      ways.push({
        owner: owner.identity,
        other: other.identity,
        routes: await walk(party(owner), party(other), store),
      });
      bar.update(ways.length, ways.length);
    }
    return ways;
  } finally {
    bar.stop();
    await server?.close();
  }
}

/** Throws CommandError. */
function usersOf(texts: readonly string[]): [User, User] {
  const [ada, bob, ...more] = texts.map((text): User => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      value = null;
    }
    const problem = (what: string): CommandError => new CommandError(`--user: ${text} ${what}, such as ${USERS[0]!}`);
    if (!isObject(value)) throw problem('is no JSON object');
    const { identity, permissions = [], display_name: displayName } = value;
    if (typeof identity !== 'string' || identity === '') throw problem('has no identity');
    if (!Array.isArray(permissions) || !permissions.every((one) => typeof one === 'string'))
      throw problem('has permissions that are no list of text');
    return {
      ...value,
      identity,
      permissions,
      display_name: typeof displayName === 'string' ? displayName : identity,
      is_authenticated: true,
    };
  });
  if (ada === undefined || bob === undefined || more.length > 0)
    throw new CommandError('--user: two users are needed, or none');
  if (ada.identity === bob.identity)
    throw new CommandError('--user: both have the same identity, and would share all that goes by it');
  return [ada, bob];
}

function asJson(ways: readonly Way[]): unknown {
  return {
    leaks: ways.reduce((sum, { routes }) => sum + routes.filter(({ verdict }) => verdict === 'leak').length, 0),
    walks: ways.map(({ owner, other, routes }) => ({ owner, other, routes })),
  };
}

const VERDICTS = ['leak', 'not reached', 'shared', 'kept apart'] as const;

function asText(ways: readonly Way[]): string {
  const [first, second] = ways as [Way, Way];
  const merged = first.routes.map((one) => ({ one, two: second.routes.find(({ route }) => route === one.route)! }));
  const worst = ({ one, two }: (typeof merged)[number]): Walked['verdict'] =>
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
  const notes = (verdict: Walked['verdict']): string[] =>
    ways.flatMap(({ routes }) =>
      routes.flatMap((one) =>
        one.verdict === verdict ? one.notes.map((note) => `${verdict}: ${one.route}: ${note}`) : [],
      ),
    );
  return [
    table(['route', 'owner', 'other', 'verdict'], rows),
    '',
    `${merged.length} routes, walked as ${first.owner} and as ${first.other}: ${counts}.`,
    ...[...new Set(['shared', 'not reached', 'leak'].flatMap((verdict) => notes(verdict as Walked['verdict'])))].map(
      printable,
    ),
  ].join('\n');
}
