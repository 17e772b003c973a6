import { resolve } from 'node:path';
import { isObject } from '../base/json/json.js';

/** `ui` and `ui_config` of langgraph.json: components that a graph's messages are shown with. */
export interface UiConfig {
  /** The module of each, by name: a graph's, as a rule. Absolute. */
  modules: readonly { name: string; file: string; path: string }[];
  /** Packages that the page brings, besides React and the SDK's hooks. */
  shared: readonly string[];
}

/** It becomes part of an address and of a script. */
const NAME = /^[\w.-]{1,100}$/;
const PACKAGE = /^(?:@[\w.-]+\/)?[\w.-]+(?:\/[\w./-]+)?$/;

/** Throws `problem`, which names the place. */
export function readUi(ui: unknown, config: unknown, root: string, problem: (text: string) => Error): UiConfig {
  if (ui !== undefined && ui !== null && !isObject(ui))
    throw problem('ui: must be an object such as {"agent": "./ui.tsx"}.');
  if (config !== undefined && config !== null && !isObject(config))
    throw problem('ui_config: must be an object {shared}.');
  const shared = config?.['shared'] ?? [];
  if (!Array.isArray(shared) || !shared.every((one) => typeof one === 'string' && PACKAGE.test(one)))
    throw problem('ui_config.shared: must be a list of names of packages.');
  const modules = Object.entries(ui ?? {}).map(([name, path]) => {
    if (!NAME.test(name))
      throw problem(`ui.${name}: the name may have letters, digits, "-", "_" and ".", at most 100.`);
    if (typeof path !== 'string' || path === '')
      throw problem(
        `ui.${name}: must be the path of a module that exports its components by name as its default, such as "./ui.tsx".`,
      );
    return { name, path, file: resolve(root, path) };
  });
  return { modules, shared: shared as string[] };
}
