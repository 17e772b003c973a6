import { fail } from '../base/errors.js';
import { isObject, type JsonObject } from '../base/json/json.js';
import { isLoopback } from '../base/loopback.js';
import { ROLES, type Role } from '../domain/roles.js';
import type { SignInRules } from '../domain/sign-in.js';
import { envText } from './values.js';

type Problem = (text: string) => Error;

/** `auth.oidc` of langgraph.json: people sign in to the console with this identity provider. */
export interface OidcConfig extends SignInRules {
  /** As in the tokens of the provider, which name it exactly so. */
  issuer: string;
  clientId: string;
  scopes: readonly string[];
  /** Name of the provider on the button of the console. */
  name: string;
  sessionMs: number;
}

const SCOPES = ['openid', 'profile', 'email'];
const SESSION_HOURS = { default: 12, max: 720 };
const TEXT_CHARS_MAX = 1_000;
const LIST_MAX = 200;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]+$/;
/** Providers whose accounts anybody can create. */
const PUBLIC_ISSUERS = ['https://accounts.google.com'];

/** Returns null without `auth.oidc`. Throws the error that `problem` makes, which names the place. */
export function readOidc(auth: unknown, problem: Problem): OidcConfig | null {
  const value = isObject(auth) ? auth['oidc'] : undefined;
  if (value === undefined || value === null) return null;
  if (!isObject(value))
    throw problem('auth.oidc: must be an object such as {"issuer": "https://login.example.com", "client_id": "…"}.');
  const issuer = readIssuer(value['issuer'], problem);
  const rules = readRules(value, problem);
  if (PUBLIC_ISSUERS.includes(issuer) && rules.allowedDomains === null && rules.defaultRole !== null)
    throw problem(
      `auth.oidc.allowed_domains: is missing. Anybody can create an account at ${issuer}, and roles.default would let all of them in.`,
    );
  const { session_hours: hours = SESSION_HOURS.default } = value;
  if (typeof hours !== 'number' || !(hours > 0 && hours <= SESSION_HOURS.max))
    throw problem(`auth.oidc.session_hours: must be a number above 0, at most ${SESSION_HOURS.max}.`);
  return {
    issuer,
    clientId: readText(value, 'client_id', problem),
    scopes: readScopes(value['scopes'], problem),
    name: value['name'] === undefined ? new URL(issuer).hostname : readText(value, 'name', problem),
    sessionMs: Math.round(hours * 3_600_000),
    ...rules,
  };
}

/** What sign-in needs besides the file. */
export interface SignInEnvironment {
  env: NodeJS.ProcessEnv;
  host: string;
  publicUrl: string | null;
  hasTls: boolean;
  file: string;
}

/**
 * THREADMILL_OIDC_CLIENT_SECRET; null without `auth.oidc`. Throws CONFIG_INVALID if it is missing, or if browsers would
 * send the cookies of sessions unencrypted.
 */
export function readClientSecret(oidc: OidcConfig | null, where: SignInEnvironment): string | null {
  if (oidc === null) return null;
  const { env, host, publicUrl, hasTls, file } = where;
  const secret = envText(env, 'THREADMILL_OIDC_CLIENT_SECRET');
  if (secret === null)
    throw fail('CONFIG_INVALID', {
      file: 'THREADMILL_OIDC_CLIENT_SECRET',
      problem: `is missing: auth.oidc in ${file} needs the client secret that the identity provider gave you.`,
    });
  if (publicUrl === null && !hasTls && !isLoopback(host))
    throw fail('CONFIG_INVALID', {
      file: 'LANGGRAPH_API_URL',
      problem: `is missing: auth.oidc in ${file} needs the https address at which people reach the console.`,
    });
  if (publicUrl !== null && publicUrl.startsWith('http:') && !isLoopback(new URL(publicUrl).hostname))
    throw fail('CONFIG_INVALID', {
      file: 'LANGGRAPH_API_URL',
      problem: `must begin with https: for auth.oidc in ${file}, because browsers would send sessions unencrypted.`,
    });
  return secret;
}

function readIssuer(value: unknown, problem: Problem): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw problem('auth.oidc.issuer: must be the URL of the identity provider, such as "https://login.example.com".');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw problem('auth.oidc.issuer: must begin with https:, except on this machine.');
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw problem('auth.oidc.issuer: must not have a query, a fragment, a user or a password.');
  if (url.pathname.includes('/.well-known/'))
    throw problem('auth.oidc.issuer: must be the issuer itself, without "/.well-known/…".');
  return value as string;
}

function readRules(value: JsonObject, problem: Problem): SignInRules {
  const { roles = {} } = value;
  if (!isObject(roles))
    throw problem('auth.oidc.roles: must be an object such as {"claim": "groups", "admin": ["platform"]}.');
  const defaultRole = roles['default'] ?? null;
  if (defaultRole !== null && !(ROLES as readonly unknown[]).includes(defaultRole))
    throw problem(`auth.oidc.roles.default: must be ${ROLES.join(', ')} or null.`);
  const roleValues = Object.fromEntries(
    ROLES.filter((role) => roles[role] !== undefined).map((role) => [
      role,
      readList(roles[role], `auth.oidc.roles.${role}`, problem),
    ]),
  );
  const hasValues = Object.keys(roleValues).length > 0;
  const roleClaim = roles['claim'] === undefined ? null : readText(roles, 'claim', problem, 'auth.oidc.roles.claim');
  if (hasValues && roleClaim === null)
    throw problem('auth.oidc.roles.claim: is missing. It names the claim whose values give roles, such as "groups".');
  if (!hasValues && defaultRole === null)
    throw problem(
      `auth.oidc.roles: gives nobody a role. Set values of a claim for ${ROLES.join(', ')}, or "default": "viewer".`,
    );
  const domains = value['allowed_domains'] ?? null;
  const allowedDomains =
    domains === null
      ? null
      : readList(domains, 'auth.oidc.allowed_domains', problem).map((domain) => domain.toLowerCase());
  const wrong = allowedDomains?.find((domain) => !DOMAIN.test(domain));
  if (wrong !== undefined)
    throw problem(`auth.oidc.allowed_domains: "${wrong}" is not a domain such as "example.com".`);
  return {
    roleClaim: hasValues ? roleClaim : null,
    roleValues,
    defaultRole: defaultRole as Role | null,
    allowedDomains,
  };
}

function readScopes(value: unknown, problem: Problem): readonly string[] {
  if (value === undefined || value === null) return SCOPES;
  const scopes = readList(value, 'auth.oidc.scopes', problem);
  if (scopes.some((scope) => /[\s"\\]/.test(scope)))
    throw problem('auth.oidc.scopes: must be a list with one scope in each text.');
  return scopes.includes('openid') ? scopes : ['openid', ...scopes];
}

function readText(value: JsonObject, name: string, problem: Problem, place = `auth.oidc.${name}`): string {
  const text = value[name];
  if (typeof text !== 'string' || text.trim() === '' || text.length > TEXT_CHARS_MAX)
    throw problem(`${place}: must be a text of 1 to ${TEXT_CHARS_MAX} characters.`);
  return text;
}

function readList(value: unknown, place: string, problem: Problem): string[] {
  const isText = (one: unknown): boolean => typeof one === 'string' && one !== '' && one.length <= TEXT_CHARS_MAX;
  if (!Array.isArray(value) || value.length === 0 || value.length > LIST_MAX || !value.every(isText))
    throw problem(`${place}: must be a list of 1 to ${LIST_MAX} texts.`);
  return value as string[];
}
