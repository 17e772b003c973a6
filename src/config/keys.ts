import { FEATURES } from '../domain/features.js';
import { ROLES } from '../domain/roles.js';
import { isObject, type JsonObject } from '../base/json/json.js';
import { nearestWord } from '../base/nearest-word.js';

/** A leaf: the reader of the key validates its value. */
const VALUE = { kind: 'value' } as const;
/** A key of the Agent Server that has no effect here. */
interface Ignored {
  kind: 'ignored';
  why: string;
}
/**
 * A key with which the hosted platform builds an image. Projects that run in both places keep it, so nobody is told to
 * remove it.
 */
const PLATFORM = { kind: 'platform' } as const;
/** An object with exactly these keys. */
interface Section {
  kind: 'section';
  keys: Readonly<Record<string, KnownKey>>;
}
/** An object whose keys are names chosen by the user. */
interface Names {
  kind: 'names';
  each: KnownKey;
}
type KnownKey = typeof VALUE | typeof PLATFORM | Ignored | Section | Names;

const ignored = (why: string): Ignored => ({ kind: 'ignored', why });
const section = (values: readonly string[], more: Readonly<Record<string, KnownKey>> = {}): Section => ({
  kind: 'section',
  keys: { ...Object.fromEntries(values.map((key) => [key, VALUE])), ...more },
});

const headers = section(['includes', 'include', 'excludes', 'exclude']);

/** All keys of langgraph.json. The reader of each key validates its value. */
export const FILE_KEYS: Section = section(['$schema', 'env'], {
  graphs: { kind: 'names', each: section(['path', 'description']) },
  auth: section(['path', 'disable_studio_auth', 'allow_langsmith_api_keys'], {
    cache: section(['cache_keys', 'ttl_seconds', 'max_size']),
    oidc: section(['issuer', 'client_id', 'name', 'scopes', 'allowed_domains', 'session_hours'], {
      roles: section(['claim', ...ROLES, 'default']),
    }),
    openapi: ignored('/openapi.json describes authentication itself'),
  }),
  audit: section(['keep_entries', 'keep_days']),
  backups: section(['schedule', 'timezone', 'folder', 'keep']),
  code_versions: section(['keep', 'parked_threads', 'deploy_from']),
  store: section([], {
    ttl: section(['refresh_on_read', 'default_ttl', 'sweep_interval_minutes']),
    index: section(['dims', 'embed', 'fields']),
  }),
  state_budget: section(['thread_bytes', 'on_exceed', 'keep_last']),
  checkpointer: section(['path', 'keep_last'], {
    ttl: section(['strategy', 'default_ttl', 'sweep_interval_minutes', 'sweep_limit']),
    serde: ignored('checkpoints use a storage format of their own'),
  }),
  http: section(
    [
      'app',
      'mount_prefix',
      'allowed_hosts',
      'public_shares',
      'middleware_order',
      'enable_custom_route_auth',
      ...FEATURES.map((feature) => `disable_${feature}`),
    ],
    {
      cors: section([
        'allow_origins',
        'allow_methods',
        'allow_headers',
        'allow_credentials',
        'allow_origin_regex',
        'expose_headers',
        'max_age',
      ]),
      configurable_headers: headers,
      logging_headers: headers,
    },
  ),
  webhooks: section(['env_prefix', 'headers'], {
    url: section(['require_https', 'allowed_domains', 'allowed_ports', 'max_url_length', 'disable_loopback']),
  }),
  traces: section([
    'enabled',
    'sample_rate',
    'hide_inputs',
    'hide_outputs',
    'hide',
    'hide_with',
    'assistants',
    'max_value_bytes',
    'record_calls',
    'keep_days',
    'answers',
    'keep_traces',
    'export',
    'evaluate',
    'prices',
  ]),
  evaluators: { kind: 'names', each: section(['path', 'summary']) },
  ui: { kind: 'names', each: VALUE },
  ui_config: section(['shared']),
  encryption: ignored(
    'custom encryption handlers are not supported; THREADMILL_ENCRYPTION_KEY encrypts all values of the data folder',
  ),
  ...Object.fromEntries(
    [
      'node_version',
      'node_loader',
      'dependencies',
      'python_version',
      'pip_config_file',
      'pip_installer',
      'source',
      'keep_pkg_tools',
      'dockerfile_lines',
      'docker_compose_file',
      'base_image',
      'image_distro',
      'api_version',
    ].map((key) => [key, PLATFORM]),
  ),
});

/** Keys that the Agent Server's own builds use. */
const INTERNAL = /^_INTERNAL_/;

/**
 * Throws `problem` for the first unknown key, with its place and the most likely correction. Returns one
 * sentence that lists the known keys without effect, or an empty list.
 */
export function checkKeys(json: JsonObject, problem: (text: string) => Error): string[] {
  const idle = new Map<string, string[]>();
  visit(json, FILE_KEYS, '', { problem, onIgnored: (place, why) => idle.set(why, [...(idle.get(why) ?? []), place]) });
  return idle.size === 0
    ? []
    : [
        `these keys have no effect here: ${[...idle].map(([why, places]) => `${places.join(', ')} (${why})`).join('; ')}`,
      ];
}

/** Receives the findings of `visit`. */
interface KeyFindings {
  /** Makes the error for an unknown key. */
  problem: (text: string) => Error;
  /** Called for each key without effect. */
  onIgnored: (place: string, why: string) => void;
}

function visit(value: unknown, known: KnownKey, place: string, findings: KeyFindings): void {
  // The reader of a section refuses a value that should be an object, with an example.
  if (!isObject(value) || (known.kind !== 'section' && known.kind !== 'names')) return;
  for (const [key, below] of Object.entries(value)) {
    const at = place === '' ? key : `${place}.${key}`;
    if (known.kind === 'names') visit(below, known.each, at, findings);
    else if (Object.hasOwn(known.keys, key)) {
      const next = known.keys[key]!;
      if (next.kind === 'ignored') findings.onIgnored(at, next.why);
      else visit(below, next, at, findings);
    } else if (place !== '' || !INTERNAL.test(key))
      throw findings.problem(
        `${at}: is unknown.${suggestionFor(key, known, place)} Known keys are ${Object.keys(known.keys)
          .filter((one) => one !== '$schema')
          .join(', ')}.`,
      );
  }
}

function suggestionFor(key: string, { keys }: Section, place: string): string {
  const near = nearestWord(key, Object.keys(keys));
  if (near !== null) return ` Did you mean "${near}"?`;
  const elsewhere = placesOf(FILE_KEYS, '').filter((one) => one.endsWith(`.${key}`) || one === key);
  return elsewhere.length === 0
    ? ''
    : ` It belongs in ${elsewhere.join(' or ')}${place === '' ? '' : `, not in ${place}`}.`;
}

/** Dotted paths of all keys. A section comes before the keys in it. */
export function placesOf({ keys }: Section, place: string): string[] {
  return Object.entries(keys).flatMap(([key, known]) => {
    const at = place === '' ? key : `${place}.${key}`;
    return [at, ...(known.kind === 'section' ? placesOf(known, at) : [])];
  });
}
