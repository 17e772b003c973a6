import { FEATURES, type Feature } from '../domain/features.js';
import { selectHeaders, SECRET_HEADERS, type HeaderPredicate } from '../domain/header-predicate.js';
import { fail } from '../base/errors.js';
import { isObject, type JsonObject } from '../base/json/json.js';
import { parseModuleSpec } from './auth.js';

type Problem = (text: string) => Error;

/** The project's own HTTP app: `http.app`, and the order in which the app and authentication run. */
export interface AppConfig {
  /** Absolute. */
  file: string;
  exportName: string;
  /** The path as written in langgraph.json, for messages. */
  path: string;
  /** `enable_custom_route_auth`: authenticate the caller before the app runs, also for the app's own routes. */
  routesRequireAuth: boolean;
  /** `middleware_order: "auth_first"`: authenticate the caller before the app runs for built-in routes. */
  authFirst: boolean;
}

/**
 * `http` of langgraph.json: which routes are served, under which prefix, and which request headers runs and
 * logs receive.
 */
export interface ApiOptions {
  disabled: ReadonlySet<Feature>;
  /** Prefix of every path. Empty, or with a leading slash and no trailing slash. */
  mountPrefix: string;
  /** Request headers that are copied into a run's `configurable`; null: none. */
  configurableHeaders: HeaderPredicate | null;
  /** Request headers that are logged; null: none. */
  loggingHeaders: HeaderPredicate | null;
  /** Null if the project has no HTTP app. */
  app: AppConfig | null;
}

export const WHOLE_API: ApiOptions = Object.freeze({
  disabled: new Set<Feature>(),
  mountPrefix: '',
  configurableHeaders: null,
  loggingHeaders: null,
  app: null,
});

/**
 * Throws the error that `problem` makes from a message. Adds a message to `warnings` for each setting without
 * effect.
 */
export function readApi(http: unknown, root: string, problem: Problem, warnings: string[]): ApiOptions {
  if (http === undefined || http === null) return WHOLE_API;
  if (!isObject(http)) throw problem('http: must be an object.');
  return {
    disabled: readDisabledFeatures(http, problem),
    mountPrefix:
      http['mount_prefix'] === undefined || http['mount_prefix'] === null
        ? ''
        : parsePrefix(http['mount_prefix'], (text) => problem(`http.mount_prefix: ${text}`)),
    configurableHeaders: readHeaderRule(http['configurable_headers'], 'http.configurable_headers', problem, warnings),
    loggingHeaders: readHeaderRule(http['logging_headers'], 'http.logging_headers', problem, warnings),
    app: readApp(http, root, problem, warnings),
  };
}

function readApp(http: JsonObject, root: string, problem: Problem, warnings: string[]): AppConfig | null {
  const { app, middleware_order: order, enable_custom_route_auth: auth } = http;
  if (order !== undefined && order !== null && order !== 'middleware_first' && order !== 'auth_first')
    throw problem('http.middleware_order: must be "middleware_first" or "auth_first".');
  if (auth !== undefined && auth !== null && typeof auth !== 'boolean')
    throw problem('http.enable_custom_route_auth: must be true or false.');
  if (app === undefined || app === null) {
    for (const key of ['middleware_order', 'enable_custom_route_auth'])
      if (key in http) warnings.push(`http.${key} changes nothing without http.app.`);
    return null;
  }
  if (typeof app !== 'string' || app === '') throw problem('http.app: must be "path:export", such as "./app.ts:app".');
  return {
    ...parseModuleSpec(app, root),
    path: app,
    routesRequireAuth: auth === true,
    authFirst: order === 'auth_first',
  };
}

/** Reads MOUNT_PREFIX. Null when it is unset; an empty value means no prefix. */
export function readPrefixFromEnv(env: NodeJS.ProcessEnv): string | null {
  const text = env['MOUNT_PREFIX'];
  return text === undefined
    ? null
    : parsePrefix(text, (problem) => fail('CONFIG_INVALID', { file: 'MOUNT_PREFIX', problem }));
}

function readDisabledFeatures(http: JsonObject, problem: Problem): ReadonlySet<Feature> {
  const disabled = new Set<Feature>();
  for (const feature of FEATURES) {
    const value = http[`disable_${feature}`];
    if (value !== undefined && value !== null && typeof value !== 'boolean')
      throw problem(`http.disable_${feature}: must be true or false.`);
    if (value === true) disabled.add(feature);
  }
  // Crons start runs, so they need the run routes.
  if (disabled.has('runs')) disabled.add('crons');
  return disabled;
}

function parsePrefix(value: unknown, problem: Problem): string {
  if (typeof value !== 'string') throw problem('must be text.');
  const prefix = value.replace(/\/$/, '');
  if (prefix !== '' && !/^(?:\/[\w.~-]+)+$/.test(prefix))
    throw problem(
      `${JSON.stringify(value)} is not a valid path prefix. A prefix starts with a slash and may contain letters, digits, "-", ".", "_" and "~" between slashes, such as /agents.`,
    );
  if (prefix.split('/').some((part) => part === '.' || part === '..'))
    throw problem(`${JSON.stringify(value)} contains "." or "..", which clients remove from paths.`);
  return prefix;
}

/** Reads `includes` and `excludes`; the singular forms work too. */
function readHeaderRule(value: unknown, name: string, problem: Problem, warnings: string[]): HeaderPredicate | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw problem(`${name}: must be an object {includes, excludes}.`);
  const patterns = (...keys: string[]): string[] =>
    keys.flatMap((key) => {
      const list = value[key] ?? [];
      if (!Array.isArray(list) || !list.every((one) => typeof one === 'string' && one !== ''))
        throw problem(`${name}.${key}: must be a list of header names; * matches any text.`);
      return list as string[];
    });
  const includes = patterns('includes', 'include');
  const excludes = patterns('excludes', 'exclude');
  for (const one of includes)
    if (SECRET_HEADERS.has(one.toLowerCase()))
      warnings.push(
        `${name}: ${one} is a secret or identifies the caller, and is never copied.${name === 'http.configurable_headers' ? ' A graph can read its user from configurable.langgraph_auth_user.' : ''}`,
      );
  return includes.length === 0 ? null : selectHeaders({ includes, excludes });
}

/**
 * LANGGRAPH_API_URL: the address that clients use to reach this server. The server puts it into links that it
 * returns. Null when it is unset: the listening address is used.
 */
export function readPublicUrl(env: NodeJS.ProcessEnv): string | null {
  const text = env['LANGGRAPH_API_URL'] ?? '';
  if (text === '') return null;
  const problem = (what: string): Error =>
    fail('CONFIG_INVALID', {
      file: 'LANGGRAPH_API_URL',
      problem: `${what} Set it to the address that clients use to reach this server, without the route prefix, such as https://agents.example.com`,
    });
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw problem('must be a URL that starts with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    throw problem('must not contain a user or a password, because everyone who receives a link would see them.');
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) throw problem('must not have a query or a fragment.');
  return url.href.replace(/\/+$/, '');
}
