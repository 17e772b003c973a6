import { resolve } from 'node:path';
import { isObject } from '../base/json/json.js';

/** `ui` and `ui_config` of langgraph.json: UI components that render a graph's messages. */
export interface UiConfig {
  /** The UI modules by name, which is usually a graph's name. `file` is absolute. */
  modules: readonly { name: string; file: string; path: string }[];
  /** Packages that the page provides, in addition to React and the SDK's hooks. */
  shared: readonly string[];
}

/** The name becomes part of a URL and of a script. */
const NAME = /^[\w.-]{1,100}$/;
const PACKAGE = /^(?:@[\w.-]+\/)?[\w.-]+(?:\/[\w./-]+)?$/;

/** Throws the error that `problem` makes, which names the place. */
export function readUi(ui: unknown, config: unknown, root: string, problem: (text: string) => Error): UiConfig {
  if (ui !== undefined && ui !== null && !isObject(ui))
    throw problem('ui: must be an object such as {"agent": "./ui.tsx"}.');
  if (config !== undefined && config !== null && !isObject(config))
    throw problem('ui_config: must be an object {shared}.');
  const shared = config?.['shared'] ?? [];
  if (!Array.isArray(shared) || !shared.every((one) => typeof one === 'string' && PACKAGE.test(one)))
    throw problem('ui_config.shared: must be a list of package names.');
  const modules = Object.entries(ui ?? {}).map(([name, path]) => {
    if (!NAME.test(name))
      throw problem(`ui.${name}: a name may contain letters, digits, "-", "_" and ".", and at most 100 characters.`);
    if (typeof path !== 'string' || path === '')
      throw problem(
        `ui.${name}: must be the path of a module whose default export is an object of components by name, such as "./ui.tsx".`,
      );
    return { name, path, file: resolve(root, path) };
  });
  return { modules, shared: shared as string[] };
}
