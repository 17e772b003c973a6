import ms, { type StringValue } from 'ms';
import { ThreadmillError } from '../base/errors.js';
import { keyJson, keyState } from '../services/access/api-keys.js';
import { createKey, listKeys, revokeKey } from '../store/access/api-keys.js';
import { isReplica } from '../store/cluster/replica.js';
import { CommandError, printable, runCommand } from './client.js';
import { formatTable } from './output/table.js';

export interface KeysFlags {
  data: string;
  json?: boolean;
}

export interface CreateFlags extends KeysFlags {
  name: string;
  expires?: string;
  scope?: string[];
}

/** Creates a key. Only the key goes to stdout, so that a script can capture it. It is never shown again. */
export function createApiKey(flags: CreateFlags): Promise<void> {
  return runKeysCommand(() => {
    requireOwnKeys(flags.data);
    const nowMs = Date.now();
    const expiresAtMs = flags.expires === undefined ? null : parseExpiry(flags.expires, nowMs);
    const { key, text } = createKey(flags.data, { name: flags.name, expiresAtMs, scopes: flags.scope }, nowMs);
    process.stdout.write(`${flags.json === true ? JSON.stringify({ ...keyJson(key, nowMs), key: text }) : text}\n`);
    writeToStderr(
      `Key ${key.keyId} "${key.name}", scopes ${key.scopes.join(' ')}, expires ` +
        `${timeText(key.expiresAtMs, 'never')}. It will not be shown again, because only its hash is stored.`,
    );
  });
}

export function listApiKeys(flags: KeysFlags): Promise<void> {
  return runKeysCommand(() => {
    const nowMs = Date.now();
    const keys = listKeys(flags.data, writeToStderr);
    if (flags.json === true) {
      process.stdout.write(`${JSON.stringify(keys.map((key) => keyJson(key, nowMs)))}\n`);
      return;
    }
    if (keys.length === 0) {
      writeToStderr(`There are no API keys in ${flags.data}. Create one with "threadmill keys create --name NAME".`);
      return;
    }
    process.stdout.write(
      `${formatTable(
        ['id', 'name', 'scopes', 'created', 'expires', 'last used', 'state'],
        keys.map((key) => [
          key.keyId,
          key.name,
          key.scopes.join(' '),
          timeText(key.createdAtMs),
          timeText(key.expiresAtMs, 'never'),
          timeText(key.lastUsedAtMs, 'never'),
          keyState(key, nowMs),
        ]),
      )}\n`,
    );
  });
}

export function revokeApiKey(idOrName: string, flags: KeysFlags): Promise<void> {
  return runKeysCommand(() => {
    requireOwnKeys(flags.data);
    const nowMs = Date.now();
    const key = revokeKey(flags.data, idOrName, nowMs);
    if (flags.json === true) process.stdout.write(`${JSON.stringify(keyJson(key, nowMs))}\n`);
    const result = key.revokedAtMs === nowMs ? 'is revoked' : `was already revoked at ${timeText(key.revokedAtMs)}`;
    writeToStderr(`Key ${key.keyId} "${key.name}" ${result}.`);
  });
}

/** The files of a node are made from the cluster's records, so a change of them would be lost. */
function requireOwnKeys(folder: string): void {
  if (isReplica(folder))
    throw new CommandError(
      `${folder} belongs to a node of a cluster. Use the console, or POST /server/keys and DELETE /server/keys/ID, ` +
        'to change its API keys.',
    );
}

/** Runs a command on the key files. Turns their errors and those of the system into CommandError. */
function runKeysCommand(work: () => void): Promise<void> {
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

function writeToStderr(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** The latest time of a Date (ECMAScript, 21.4.1.1). */
const TIME_MAX_MS = 8.64e15;

/** Parses a duration from now, a day (at 00:00 UTC) or a time with its UTC offset. Throws CommandError. */
export function parseExpiry(text: string, nowMs: number): number {
  const problem = new CommandError(
    `--expires: "${text}" must be a duration such as 90d or 12h, a day such as 2027-01-31, or a time such as ` +
      '2027-01-31T18:00:00Z',
  );
  const day = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.exec(text);
  let expiresAtMs: number;
  if (day !== null) {
    // Date.parse accepts 30 February and returns a day in March.
    const midnight = Date.parse(`${day[1]!}T00:00:00Z`);
    if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day[1]) throw problem;
    expiresAtMs = Date.parse(day[2] === undefined ? `${text}T00:00:00Z` : text);
    if (Number.isNaN(expiresAtMs)) throw problem;
  } else {
    // ms() reads a number without a unit as milliseconds, accepts a sign, and throws for long texts.
    if (!/^\d[\d.]{0,14} ?[a-z]{1,12}$/i.test(text)) throw problem;
    expiresAtMs = Math.round(nowMs + ((ms(text as StringValue) as number | undefined) ?? Number.NaN));
    if (!(expiresAtMs <= TIME_MAX_MS)) throw problem;
  }
  if (expiresAtMs <= nowMs) throw new CommandError(`--expires: ${text} is not in the future.`);
  return expiresAtMs;
}

/** A time in UTC, to the minute: `2027-01-31 18:00Z`. */
function timeText(timeMs: number | null, otherwise = ''): string {
  return timeMs === null ? otherwise : `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}
