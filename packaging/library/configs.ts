/** A config of LangChain. Its members can have any values, since code of a project makes configs too. */
type Config = Record<string, unknown>;
type MaybeConfig = Config | undefined;

/** What LangGraph's module of configs has. */
interface Library {
  ensureLangGraphConfig(...configs: MaybeConfig[]): Config;
  mergeCallbacks(base: unknown, provided: unknown): unknown;
  propagateConfigurableToMetadata(configurable: object, metadata: object): object;
  CONFIG_KEYS: readonly string[];
  DEFAULT_RECURSION_LIMIT: number;
}

/** Members that a complete config has in any case. */
const REQUIRED = new Set(['tags', 'metadata', 'callbacks', 'recursionLimit', 'configurable']);

/**
 * Completes a config as LangGraph does, in less than half of the time, if it is the only one: given by the caller while
 * there is no current config, or the current one itself. LangGraph copies each object once for every config, and
 * looks for each name in a list. All else is left to it.
 */
export function ensureOneConfig(
  { ensureLangGraphConfig: original, mergeCallbacks, propagateConfigurableToMetadata, ...library }: Library,
  current: () => MaybeConfig,
): Library['ensureLangGraphConfig'] {
  const { DEFAULT_RECURSION_LIMIT: defaultLimit, CONFIG_KEYS: names } = library;
  const optional = new Set(names.filter((name) => !REQUIRED.has(name)));

  return function ensureLangGraphConfig(...configs: MaybeConfig[]): Config {
    const [config] = configs;
    if (configs.length !== 1 || config === undefined || !isPlain(config)) return original(...configs);
    const implicit = current();
    const isCurrent = implicit === config;
    if (implicit !== undefined && !isCurrent) return original(config);

    const { tags = [], metadata, callbacks, recursionLimit = defaultLimit, configurable } = config;
    const complete: Config = {
      // LangGraph adds the tags of both.
      tags: isCurrent ? [...(tags as string[]), ...(tags as string[])] : [...(tags as string[])],
      metadata: { ...(metadata as object) },
      callbacks: mergeCallbacks(isCurrent ? copyOf(callbacks) : undefined, callbacks),
      recursionLimit,
      configurable: { ...(configurable as object) },
    };
    // Other members of the current config are kept, others of a given one are not.
    for (const name of Object.keys(config)) {
      const value = config[name];
      if (value !== undefined && (isCurrent ? !REQUIRED.has(name) : optional.has(name))) complete[name] = value;
    }
    propagateConfigurableToMetadata(complete['configurable'] as object, complete['metadata'] as object);
    return complete;
  };
}

/** True if it is a simple object, whose members have the types that they should have. */
function isPlain(config: Config): boolean {
  const { tags, metadata, callbacks, configurable } = config;
  return (
    Object.getPrototypeOf(config) === Object.prototype &&
    (tags === undefined || Array.isArray(tags)) &&
    (metadata === undefined || isObject(metadata)) &&
    (callbacks === undefined || Array.isArray(callbacks) || isManager(callbacks)) &&
    (configurable === undefined || isObject(configurable))
  );
}

/** As in src/base/json/json.ts, whose import would add 10 KB to what each graph worker loads. */
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isManager(value: unknown): value is { copy(): unknown } {
  return typeof value === 'object' && value !== null && typeof (value as { copy?: unknown }).copy === 'function';
}

function copyOf(callbacks: unknown): unknown {
  if (Array.isArray(callbacks)) return [...(callbacks as unknown[])];
  return isManager(callbacks) ? callbacks.copy() : callbacks;
}

type MergeConfigs = (...configs: (Config | null | undefined)[]) => Config;

/**
 * Merges a config into tags, or into nothing, as LangChain does, in half of the time. LangChain looks at each member
 * for what the other config has. All other configs are left to it.
 */
export function mergeWithTags(original: MergeConfigs): MergeConfigs {
  return function mergeConfigs(...configs: (Config | null | undefined)[]): Config {
    const [bound, config] = configs;
    const isSimple = configs.length === 2 && (bound === undefined || hasOnlyTags(bound));
    if (!isSimple || typeof config !== 'object' || config === null) return original(...configs);

    const merged: Config = bound === undefined ? {} : { tags: withoutRepeated(bound['tags'] as string[]) };
    for (const name of Object.keys(config)) {
      const value = config[name];
      switch (name) {
        case 'metadata':
        case 'configurable':
          merged[name] = { ...(value as object) };
          break;
        case 'tags':
          merged['tags'] = withoutRepeated(((merged['tags'] ?? []) as string[]).concat((value ?? []) as string[]));
          break;
        case 'timeout':
        case 'signal':
          merged[name] = value;
          break;
        case 'callbacks':
          // Without any, LangChain leaves the member out.
          if (value) merged['callbacks'] = value;
          break;
        default:
          merged[name] = value ?? undefined;
      }
    }
    return merged;
  };
}

function hasOnlyTags(config: Config | null): config is { tags: string[] } {
  if (config === null) return false;
  const names = Object.keys(config);
  return names.length === 1 && names[0] === 'tags' && Array.isArray(config['tags']);
}

function withoutRepeated(tags: readonly string[]): string[] {
  return tags.length < 2 ? [...tags] : [...new Set(tags)];
}
