import { resolve } from 'node:path';
import { isObject, type JsonObject } from '../base/json/json.js';
import type { UserCacheOptions } from '../wire/user-code/auth.js';

/** `auth` of langgraph.json. */
export interface AuthConfig {
  /** Absolute path. */
  file: string;
  exportName: string;
  /** The path as written in langgraph.json, for messages. */
  path: string;
  /** True only if `disable_studio_auth` is explicitly false: a header alone must not let a client in by default. */
  allowsStudio: boolean;
  /** `allow_langsmith_api_keys`: an API key of this server is also accepted. */
  acceptsApiKeys: boolean;
  cache: UserCacheOptions | null;
}

/** Returns null without a handler. Throws the error that `problem` makes, which names the place. */
export function readAuth(value: unknown, root: string, problem: (text: string) => Error): AuthConfig | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw problem('auth: must be an object such as {"path": "./auth.ts:auth"}.');
  const { path } = value;
  if (path === undefined && (value['oidc'] ?? null) !== null) return withoutHandler(value, problem);
  if (typeof path !== 'string' || path === '')
    throw problem('auth.path: must be "path:export", such as "./auth.ts:auth".');
  const flag = (name: string): boolean | undefined => {
    const set = value[name];
    if (set !== undefined && typeof set !== 'boolean') throw problem(`auth.${name}: must be true or false.`);
    return set;
  };
  const { file, exportName } = parseModuleSpec(path, root);
  return {
    file,
    exportName,
    path,
    allowsStudio: flag('disable_studio_auth') === false,
    acceptsApiKeys: flag('allow_langsmith_api_keys') ?? false,
    cache: readCache(value['cache'], problem),
  };
}

/** With `oidc` alone, the keys of a handler would have no effect. */
function withoutHandler(value: JsonObject, problem: (text: string) => Error): null {
  const key = ['disable_studio_auth', 'allow_langsmith_api_keys', 'cache'].find((one) => value[one] !== undefined);
  if (key !== undefined) throw problem(`auth.${key}: needs auth.path, the handler that it belongs to.`);
  return null;
}

/** Splits `path:export`. Splits at the last colon, because Windows drive letters have a colon too. */
export function parseModuleSpec(spec: string, root: string): { file: string; exportName: string } {
  const colon = spec.lastIndexOf(':');
  const [path, exportName] = colon > 1 ? [spec.slice(0, colon), spec.slice(colon + 1)] : [spec, 'default'];
  return { file: resolve(root, path), exportName: exportName === '' ? 'default' : exportName };
}

const CACHE_MAX = 100_000;
const TTL_S_MAX = 86_400;

function readCache(value: unknown, problem: (text: string) => Error): UserCacheOptions | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw problem('auth.cache: must be an object {cache_keys, ttl_seconds, max_size}.');
  const { cache_keys: headers, ttl_seconds: ttl = 60, max_size: size = 1_000 } = value;
  if (!Array.isArray(headers) || headers.length === 0 || !headers.every((one) => typeof one === 'string' && one !== ''))
    throw problem('auth.cache.cache_keys: must be a list of header names.');
  if (typeof ttl !== 'number' || !(ttl > 0 && ttl <= TTL_S_MAX))
    throw problem(`auth.cache.ttl_seconds: must be a number above 0, at most ${TTL_S_MAX}.`);
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 1 || size > CACHE_MAX)
    throw problem(`auth.cache.max_size: must be a whole number from 1 to ${CACHE_MAX}.`);
  return { headers: (headers as string[]).map((one) => one.toLowerCase()), ttlMs: ttl * 1_000, entriesMax: size };
}
