import { isObject } from '../base/json/json.js';
import { readKeys, withFileEnv, type Config, type Flags } from './config.js';
import { SETTINGS, type Setting } from './settings.js';

/** A setting's value and its source. `place` is the flag, the variable, or the key in the file. */
export interface EffectiveSetting {
  name: string;
  value: unknown;
  source: 'flag' | 'variable' | 'file' | 'default';
  place: string | null;
}

const MASK = '(set, not shown)';

/** The value that a server with this configuration would use for each setting, and its source. Secrets are masked. */
export function effectiveSettings(config: Config, flags: Flags, processEnv: NodeJS.ProcessEnv): EffectiveSetting[] {
  const env = withFileEnv(config.project.file, processEnv);
  const file = readKeys(config.project.file, env);
  return SETTINGS.map((setting) => {
    const value =
      setting.value(config, setting.key === undefined ? undefined : valueAt(file.json, setting.key)) ?? null;
    return {
      name: setting.name,
      value: setting.secret === true && value !== null ? MASK : value,
      ...sourceOf(setting, flags, env, file),
    };
  });
}

/** Variables whose empty value is a setting of its own. */
const EMPTY_COUNTS = new Set(['MOUNT_PREFIX']);

function sourceOf(
  setting: Setting,
  flags: Flags,
  env: NodeJS.ProcessEnv,
  { json, names }: Pick<ReturnType<typeof readKeys>, 'json' | 'names'>,
): Pick<EffectiveSetting, 'source' | 'place'> {
  if (setting.flag !== undefined && flags[setting.flag.name] !== undefined)
    return { source: 'flag', place: setting.flag.long };
  const inFile = setting.key === undefined || valueAt(json, setting.key) == null ? null : setting.key;
  const variable = setting.variables?.find((name) =>
    EMPTY_COUNTS.has(name) ? env[name] !== undefined : (env[name] ?? '') !== '',
  );
  if (variable !== undefined && !(setting.fileFirst !== undefined && valueAt(json, setting.fileFirst) != null))
    return { source: 'variable', place: variable };
  if (inFile === null) return { source: 'default', place: null };
  // A variable may replace a whole section of the file.
  const section = names.get(inFile.split('.')[0]!);
  return section === undefined
    ? { source: 'file', place: inFile }
    : { source: 'variable', place: `${section}: ${inFile}` };
}

function valueAt(json: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce((value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined), json);
}
