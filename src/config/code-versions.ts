import { resolve } from 'node:path';
import { isObject } from '../base/json/json.js';
import type { CodeVersionSettings } from '../services/code/code-registry.js';

const KEEP = { default: 20, max: 1_000 };
const PARKED_THREADS = ['newest', 'same'] as const;

/** Reads `code_versions` of langgraph.json. Throws the error that `problem` makes, which names the place. */
export function readCodeVersions(value: unknown, root: string, problem: (text: string) => Error): CodeVersionSettings {
  if (value !== undefined && value !== null && !isObject(value))
    throw problem('code_versions: must be an object such as {"keep": 20, "parked_threads": "same"}.');
  const { keep = KEEP.default, parked_threads: parked = 'newest' } = value ?? {};
  if (typeof keep !== 'number' || !Number.isInteger(keep) || keep < 1 || keep > KEEP.max)
    throw problem(`code_versions.keep: must be a whole number from 1 to ${KEEP.max}.`);
  const parkedThreads = PARKED_THREADS.find((one) => one === parked);
  if (parkedThreads === undefined) throw problem('code_versions.parked_threads: must be "newest" or "same".');
  const folders = value?.['deploy_from'] ?? [];
  if (!Array.isArray(folders) || !folders.every((one) => typeof one === 'string' && one !== ''))
    throw problem('code_versions.deploy_from: must be a list of folders, such as ["/srv/releases"].');
  return { keep, parkedThreads, deployFrom: (folders as string[]).map((folder) => resolve(root, folder)) };
}
