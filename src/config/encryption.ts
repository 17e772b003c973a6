import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { ENCRYPTION_VARIABLES } from '../domain/secret-variables.js';
import { envText } from './values.js';

/** Where the key of an encrypted data folder comes from. `name` is the flag or variable, for messages. */
export interface EncryptionKeySource {
  readonly kind: 'text' | 'file' | 'command';
  readonly name: string;
  /** The key, the path of its file, or the command. */
  readonly value: string;
}

const KEY = 'THREADMILL_ENCRYPTION_KEY';
const KEY_FILE = 'THREADMILL_ENCRYPTION_KEY_FILE';
const KEY_COMMAND = 'THREADMILL_ENCRYPTION_KEY_COMMAND';
/** The name that the Agent Server uses. */
const AES_KEY = 'LANGGRAPH_AES_KEY';

const KEY_BYTES = 32;
/** Key lengths that AES accepts, for LANGGRAPH_AES_KEY. */
const AES_KEY_BYTES = [16, 24, 32];
const KEY_FORMAT = `must be ${KEY_BYTES} bytes as 64 hex digits or as base64. Create one with: openssl rand -hex 32`;

/**
 * Picks the source; reads no file and runs no command. Throws CONFIG_INVALID when more than one variable
 * provides a key.
 */
export function findEncryptionKeySource(
  flags: { encryptionKeyFile?: string },
  env: NodeJS.ProcessEnv,
): EncryptionKeySource | null {
  if (flags.encryptionKeyFile !== undefined)
    return { kind: 'file', name: '--encryption-key-file', value: resolve(flags.encryptionKeyFile) };
  const set = ENCRYPTION_VARIABLES.filter((name) => name !== AES_KEY && envText(env, name) !== null);
  if (set.length > 1) throw configError(set[0]!, `only one of ${set.join(' and ')} can be set.`);
  const [name = AES_KEY] = set;
  const value = envText(env, name);
  if (value === null) return null;
  if (name === KEY_FILE) return { kind: 'file', name, value: resolve(value) };
  return { kind: name === KEY_COMMAND ? 'command' : 'text', name, value };
}

/** Loads the key. Throws CONFIG_INVALID; the error text never contains any part of the key. */
export function loadEncryptionKey(
  { kind, name, value }: EncryptionKeySource,
  dataFolder: string,
  warn: (text: string) => void,
): Buffer {
  if (kind === 'text') return name === AES_KEY ? parseAesKey(value) : parseKey(name, value);
  return parseKey(name, kind === 'file' ? readKeyFile(name, value, dataFolder, warn) : runKeyCommand(name, value));
}

function readKeyFile(name: string, file: string, dataFolder: string, warn: (text: string) => void): string {
  const within = relative(resolve(dataFolder), file);
  if (within !== '..' && !within.startsWith(`..${sep}`)) {
    throw configError(
      name,
      `${file} is inside the data folder, so every copy of the folder would include its key. Move the key file elsewhere.`,
    );
  }
  try {
    const { mode } = statSync(file);
    if ((mode & 0o077) !== 0) warn(`${file} (${name}) can be read by other users of this machine. Give it mode 0600.`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw configError(name, `cannot be read: ${(error as Error).message}`);
  }
}

function runKeyCommand(name: string, command: string): string {
  const { status, signal, error, stdout } = spawnSync('/bin/sh', ['-c', command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    timeout: LIMITS.encryptionKeyCommandMs,
    killSignal: 'SIGKILL',
    maxBuffer: 65_536,
  });
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown error';
  if (code === 'ETIMEDOUT')
    throw configError(name, `the command did not end within ${LIMITS.encryptionKeyCommandMs / 1_000} s.`);
  if (error !== undefined) throw configError(name, `the command could not be run: ${code}.`);
  if (status !== 0) throw configError(name, `the command ended with ${signal ?? `exit code ${status}`}.`);
  return stdout;
}

/** Parses 32 bytes written as hex, base64 or base64url. Throws CONFIG_INVALID with this name. */
export function parseKey(name: string, text: string): Buffer {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  const bytes = /^[\w+/-]{43}=?$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : null;
  if (bytes?.length !== KEY_BYTES) throw configError(name, KEY_FORMAT);
  return bytes;
}

/** Takes the bytes of the text itself, as the Agent Server does. */
function parseAesKey(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (!AES_KEY_BYTES.includes(bytes.length))
    throw configError(AES_KEY, `must have 16, 24 or 32 bytes. Or set ${KEY} instead.`);
  return bytes;
}

function configError(name: string, problem: string): Error {
  return fail('CONFIG_INVALID', { file: name, problem });
}
