import ms, { type StringValue } from 'ms';
import { ThreadmillError } from '../base/errors.js';
import { keyJson, stateOf } from '../services/access/api-keys.js';
import { createKey, listKeys, revokeKey } from '../store/access/api-keys.js';
import { CommandError, printable, runCommand } from './client.js';
import { table } from './output/table.js';

export interface KeysFlags {
  data: string;
  json?: boolean;
}

export interface CreateFlags extends KeysFlags {
  name: string;
  expires?: string;
  scope?: string[];
}

/** Makes a key. Alone on stdout, so that a script can catch it; it is never shown again. */
export function create(flags: CreateFlags): Promise<void> {
  return run(() => {
    const nowMs = Date.now();
    const expiresAtMs = flags.expires === undefined ? null : expiryOf(flags.expires, nowMs);
    const { key, text } = createKey(flags.data, { name: flags.name, expiresAtMs, scopes: flags.scope }, nowMs);
    process.stdout.write(`${flags.json === true ? JSON.stringify({ ...keyJson(key, nowMs), key: text }) : text}\n`);
    tell(
      `Key ${key.keyId} "${key.name}", scopes ${key.scopes.join(' ')}, expires ${timeText(key.expiresAtMs, 'never')}. It will not be shown again: only its hash is kept.`,
    );
  });
}

export function list(flags: KeysFlags): Promise<void> {
  return run(() => {
    const nowMs = Date.now();
    const keys = listKeys(flags.data, tell);
    if (flags.json === true) {
      process.stdout.write(`${JSON.stringify(keys.map((key) => keyJson(key, nowMs)))}\n`);
      return;
    }
    if (keys.length === 0) {
      tell(`There are no API keys in ${flags.data}.`);
      return;
    }
    process.stdout.write(
      `${table(
        ['id', 'name', 'scopes', 'created', 'expires', 'last used', 'state'],
        keys.map((key) => [
          key.keyId,
          key.name,
          key.scopes.join(' '),
          timeText(key.createdAtMs),
          timeText(key.expiresAtMs, 'never'),
          timeText(key.lastUsedAtMs, 'never'),
          stateOf(key, nowMs),
        ]),
      )}\n`,
    );
  });
}

export function revoke(idOrName: string, flags: KeysFlags): Promise<void> {
  return run(() => {
    const nowMs = Date.now();
    const key = revokeKey(flags.data, idOrName, nowMs);
    if (flags.json === true) process.stdout.write(`${JSON.stringify(keyJson(key, nowMs))}\n`);
    tell(
      `Key ${key.keyId} "${key.name}" ${key.revokedAtMs === nowMs ? 'is revoked' : `was revoked before, ${timeText(key.revokedAtMs)}`}.`,
    );
  });
}

/** What the folder or the system refuses is said in words too. */
function run(work: () => void): Promise<void> {
  return runCommand(1, async () => {
    try {
      work();
      return 0;
    } catch (error) {
      if (error instanceof ThreadmillError) throw new CommandError(error.message);
      if (error instanceof Error && 'syscall' in error)
        throw new CommandError(`The folder of API keys cannot be used: ${error.message}`);
      throw error;
    }
  });
}

function tell(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** No time is later (ECMAScript, 21.4.1.1). */
const TIME_MAX_MS = 8.64e15;

/** A duration from now, a day (its first moment, UTC), or a time with its offset. Throws CommandError. */
export function expiryOf(text: string, nowMs: number): number {
  const problem = new CommandError(
    `--expires: "${text}" is no duration such as 90d or 12h, no day such as 2027-01-31, and no time such as 2027-01-31T18:00:00Z`,
  );
  const day = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.exec(text);
  let expiresAtMs: number;
  if (day !== null) {
    // Date takes the 30th of February for a day in March.
    const midnight = Date.parse(`${day[1]!}T00:00:00Z`);
    if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day[1]) throw problem;
    expiresAtMs = Date.parse(day[2] === undefined ? `${text}T00:00:00Z` : text);
    if (Number.isNaN(expiresAtMs)) throw problem;
  } else {
    // A number without a unit would be milliseconds, one with a sign in the past, and a long text is thrown at.
    if (!/^\d[\d.]{0,14} ?[a-z]{1,12}$/i.test(text)) throw problem;
    expiresAtMs = Math.round(nowMs + ((ms(text as StringValue) as number | undefined) ?? Number.NaN));
    if (!(expiresAtMs <= TIME_MAX_MS)) throw problem;
  }
  if (expiresAtMs <= nowMs) throw new CommandError(`--expires: ${text} is not in the future`);
  return expiresAtMs;
}

/** To the minute, UTC: `2027-01-31 18:00Z`. */
function timeText(timeMs: number | null, otherwise = ''): string {
  return timeMs === null ? otherwise : `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}
