import { isObject } from '../../../src/base/json/json.js';

/** Takes the place of a secret. */
export const REMOVED = '[removed]';

/** Shorter values of variables are words and numbers that occur everywhere. */
const SECRET_LENGTH_MIN = 8;

const SECRET_NAME =
  /(?:api|access|secret|private|signing|encryption)[_-]?key|token$|secret|password|passwd|passphrase|authorization|credential|cookie|session[_-]?id/i;

/** `key` is the usual name of an API key in a query. */
const SECRET_PARAMETER = new RegExp(`^key$|^sig$|signature|${SECRET_NAME.source}`, 'i');

/** Members of JSON whose values are secrets, and common forms of keys. */
const SECRET_TEXT = [
  /("(?:(?:access|refresh|id|auth|bearer|session)[_-]?token|client[_-]?secret|(?:api|private|secret)[_-]?key|password|passwd|authorization)"\s*:\s*")(?:[^"\\]|\\.)+(?=")/gi,
  /\b((?:access|refresh|id)_token=|client_secret=|password=|api_?key=)[^&\s"]+/gi,
  /\b(sk-|tm_|whsec_|lsv2_|gh[opsu]_|xox[abp]-|AKIA)[A-Za-z0-9_-]{8,}/g,
  /\b(bearer |basic )[A-Za-z0-9._~+/=-]{8,}/gi,
];

/** True for the name of a header, a setting or an environment variable that holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || /^x-.*-key$/i.test(name);
}

/** Removes secrets from what a run sends and gets. Made from the environment of the thread. */
export class SecretRemover {
  /** Names of the variables whose values are removed. */
  readonly variables: readonly string[];
  readonly #values: readonly string[];

  constructor(env: Readonly<Record<string, string | undefined>>) {
    const secrets = Object.entries(env).filter(
      ([name, value]) => value !== undefined && value.length >= SECRET_LENGTH_MIN && isSecretVariable(name),
    ) as [string, string][];
    this.variables = secrets.map(([name]) => name).sort();
    // A secret may contain another one.
    this.#values = [...new Set(secrets.map(([, value]) => value))].sort((a, b) => b.length - a.length);
  }

  text(text: string): string {
    let clean = text;
    for (const value of this.#values) clean = clean.replaceAll(value, REMOVED);
    for (const pattern of SECRET_TEXT) clean = clean.replace(pattern, `$1${REMOVED}`);
    return clean;
  }

  url(address: string): string {
    if (!URL.canParse(address)) return this.text(address);
    const url = new URL(address);
    url.username = '';
    url.password = '';
    for (const name of new Set(url.searchParams.keys()))
      if (SECRET_PARAMETER.test(name)) url.searchParams.set(name, REMOVED);
    return this.text(url.href);
  }

  headers(headers: Iterable<readonly [string, string]>): [string, string][] {
    return [...headers]
      .filter(([name]) => !isSecretName(name))
      .map(([name, value]): [string, string] => [name, this.text(value)]);
  }

  /**
   * JSON text whose members with secret names have no value. Without such members it keeps its bytes, and so the digits
   * of its numbers.
   */
  json(text: string): string {
    const found = { any: false };
    const clean = withoutSecretMembers(JSON.parse(text), found);
    return this.text(found.any ? JSON.stringify(clean) : text);
  }
}

const SECRET_VARIABLE =
  /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|DSN|DATABASE_URL|CONNECTION_STRING)$|(?:^|_)(?:PASS|PWD|AUTH|SECRET|TOKEN)(?:_|$)/i;

function isSecretVariable(name: string): boolean {
  return SECRET_VARIABLE.test(name) && name !== 'PWD' && name !== 'OLDPWD';
}

function withoutSecretMembers(value: unknown, found: { any: boolean }): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutSecretMembers(one, found));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (!isSecretName(name) || typeof member !== 'string') return [name, withoutSecretMembers(member, found)];
      found.any = true;
      return [name, REMOVED];
    }),
  );
}
