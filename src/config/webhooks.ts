import { parseRange } from '../base/addresses.js';
import { fail } from '../base/errors.js';
import { isObject, type JsonObject } from '../base/json/json.js';
import { LIMITS, WEBHOOK_RETRY_SECS } from '../base/limits.js';
import { isHeaderName, isHeaderValue, isReservedHeader } from '../domain/webhook-headers.js';
import type { WebhookRules } from '../domain/webhook-url.js';

type Problem = (text: string) => Error;

/** `webhooks` and `http.disable_webhooks` of langgraph.json, before `${{ env.NAME }}` templates are filled in. */
export interface WebhookSettings {
  enabled: boolean;
  headers: Readonly<Record<string, string>>;
  envPrefix: string;
  rules: Omit<WebhookRules, 'ranges'>;
  /** Makes an error that names the file. */
  problem: Problem;
}

/** The webhook settings with the environment variables filled in. */
export interface WebhookConfig {
  enabled: boolean;
  headers: Readonly<Record<string, string>>;
  /** Signing secrets as base64, without the `whsec_` prefix. */
  secrets: readonly string[];
  rules: WebhookRules;
  attemptMs: number;
  retryMs: readonly number[];
}

const TEMPLATE = /\$\{\{\s*env\.(\w+)\s*\}\}/g;
const DOMAIN = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\*$|^\[[0-9a-f:.]+\]$/;

export function readWebhooks(webhooks: unknown, http: unknown, problem: Problem): WebhookSettings {
  if (webhooks !== undefined && webhooks !== null && !isObject(webhooks)) throw problem('webhooks: must be an object.');
  const given = webhooks ?? {};
  const envPrefix = given['env_prefix'] ?? 'LG_WEBHOOK_';
  if (typeof envPrefix !== 'string' || !/^\w+$/.test(envPrefix))
    throw problem('webhooks.env_prefix: must be a prefix of variable names, such as "LG_WEBHOOK_".');
  const url = given['url'] ?? {};
  if (!isObject(url)) throw problem('webhooks.url: must be an object.');
  const disabled = isObject(http) ? (http['disable_webhooks'] ?? false) : false;
  if (typeof disabled !== 'boolean') throw problem('http.disable_webhooks: must be true or false.');
  return {
    enabled: !disabled,
    headers: readHeaders(given['headers'], problem),
    envPrefix,
    rules: {
      requireHttps: readFlag(url, 'require_https', false, problem),
      domains: readDomains(url['allowed_domains'], problem),
      ports: readPorts(url['allowed_ports'], problem),
      urlCharsMax: readLength(url['max_url_length'], problem),
      loopback: !readFlag(url, 'disable_loopback', true, problem),
      ownPaths: isObject(http) && typeof http['app'] === 'string',
    },
    problem,
  };
}

/**
 * Fills in the environment variables. Throws CONFIG_INVALID, also when a header names an unset variable:
 * receivers would refuse a header without its secret.
 */
export function resolveWebhooks(
  { enabled, headers, envPrefix, rules, problem }: WebhookSettings,
  env: NodeJS.ProcessEnv,
  projectEnv: Readonly<Record<string, string>>,
): WebhookConfig {
  // A server that sends no webhooks needs no secrets.
  const filled = Object.entries(enabled ? headers : {}).map(([name, template]): [string, string] => {
    const at = (text: string): Error => problem(`webhooks.headers.${name}: ${text}`);
    const value = template.replace(TEMPLATE, (_, variable: string) => {
      if (!variable.startsWith(envPrefix))
        throw at(
          `names the variable ${variable}, but only variables that begin with ${envPrefix} may be sent (webhooks.env_prefix).`,
        );
      const text = env[variable] ?? projectEnv[variable];
      if (text === undefined) throw at(`names the variable ${variable}, which is not set.`);
      return text;
    });
    if (!isHeaderValue(value)) throw at('contains characters that are not allowed in a header.');
    return [name.toLowerCase(), value];
  });
  return {
    enabled,
    headers: Object.fromEntries(filled),
    secrets: readSecrets(env['THREADMILL_WEBHOOK_SECRET']),
    rules: { ...rules, ranges: readRanges(env['THREADMILL_WEBHOOK_ALLOW_ADDRESSES']) },
    attemptMs:
      readSeconds('THREADMILL_WEBHOOK_TIMEOUT_SECS', env['THREADMILL_WEBHOOK_TIMEOUT_SECS'], [
        LIMITS.webhookAttemptMs / 1_000,
      ])[0]! * 1_000,
    retryMs: readSeconds('THREADMILL_WEBHOOK_RETRY_SECS', env['THREADMILL_WEBHOOK_RETRY_SECS'], WEBHOOK_RETRY_SECS).map(
      (secs) => secs * 1_000,
    ),
  };
}

function readFlag(url: JsonObject, name: string, otherwise: boolean, problem: Problem): boolean {
  const value = url[name] ?? otherwise;
  if (typeof value !== 'boolean') throw problem(`webhooks.url.${name}: must be true or false.`);
  return value;
}

function readHeaders(value: unknown, problem: Problem): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw problem('webhooks.headers: must be an object that maps names to strings.');
  for (const [name, text] of Object.entries(value)) {
    if (!isHeaderName(name)) throw problem(`webhooks.headers: ${JSON.stringify(name)} is not a valid header name.`);
    if (isReservedHeader(name)) throw problem(`webhooks.headers.${name}: is set by the server itself.`);
    if (typeof text !== 'string') throw problem(`webhooks.headers.${name}: must be a string.`);
  }
  return value as Record<string, string>;
}

function readDomains(value: unknown, problem: Problem): string[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw problem('webhooks.url.allowed_domains: must be a list of strings.');
  const domains = value.map((one: string) => one.toLowerCase());
  const odd = domains.find((one) => !DOMAIN.test(one));
  if (odd !== undefined)
    throw problem(
      `webhooks.url.allowed_domains: ${JSON.stringify(odd)} is not a domain. A domain is a name such as "example.com", or "*.example.com" for all names below it.`,
    );
  return domains.includes('*') ? null : domains;
}

function readPorts(value: unknown, problem: Problem): number[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || !value.every((one) => Number.isSafeInteger(one) && one > 0 && one < 65_536))
    throw problem('webhooks.url.allowed_ports: must be a list of whole numbers from 1 to 65535.');
  return value as number[];
}

function readLength(value: unknown, problem: Problem): number {
  if (value === undefined || value === null) return LIMITS.webhookUrlCharsMax;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > LIMITS.webhookUrlCharsMax)
    throw problem(`webhooks.url.max_url_length: must be a whole number from 1 to ${LIMITS.webhookUrlCharsMax}.`);
  return value;
}

/**
 * Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes. More than one secret is allowed, so that secrets
 * can be rotated.
 */
function readSecrets(text: string | undefined): string[] {
  if (text === undefined) return [];
  const wrong = (problem: string): Error => fail('CONFIG_INVALID', { file: 'THREADMILL_WEBHOOK_SECRET', problem });
  const secrets = text.split(/[\s,]+/).filter((one) => one !== '');
  // Most likely a placeholder that was never filled in. Continuing would send unsigned webhooks.
  if (secrets.length === 0) throw wrong('is set but contains no secret. Unset it, or add a secret.');
  if (secrets.length > 5) throw wrong('has more than 5 secrets.');
  return secrets.map((secret, at) => {
    const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
    const bytes = base64 === undefined ? 0 : Buffer.from(base64, 'base64').byteLength;
    if (base64 === undefined || bytes < 24 || bytes > 64)
      throw wrong(
        `secret ${at + 1} must be "whsec_" followed by base64 of 24 to 64 bytes. Create one with: echo "whsec_$(openssl rand -base64 32)"`,
      );
    return base64;
  });
}

function readRanges(text: string | undefined): string[] {
  const ranges = (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  for (const one of ranges)
    if (parseRange(one) === null)
      throw fail('CONFIG_INVALID', {
        file: 'THREADMILL_WEBHOOK_ALLOW_ADDRESSES',
        problem: `"${one}" is neither an address nor a range such as 10.0.0.0/8.`,
      });
  return ranges;
}

function readSeconds(name: string, text: string | undefined, otherwise: readonly number[]): readonly number[] {
  if (text === undefined || text === '') return otherwise;
  const seconds = text.split(',').map((one) => (one.trim() === '' ? Number.NaN : Number(one)));
  const several = otherwise.length > 1;
  if (
    (!several && seconds.length > 1) ||
    seconds.length > 20 ||
    !seconds.every((one) => one > 0 && one <= 7 * 86_400)
  ) {
    throw fail('CONFIG_INVALID', {
      file: name,
      problem: `must be ${several ? 'at most 20 numbers' : 'a number'} of seconds above 0 and at most a week${several ? ', separated by commas' : ''}; got "${text}".`,
    });
  }
  return seconds;
}
