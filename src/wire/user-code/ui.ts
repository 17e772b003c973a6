/** Task for the thread that builds UI components: one module with its components, served under one name. */
export interface UiTask {
  name: string;
  /** Absolute path. */
  file: string;
  /** Project folder, from which packages are resolved. */
  root: string;
  /** Packages that the page provides, besides React and the SDK's hooks. */
  shared: readonly string[];
}

/** `inputs`: the project files in the bundle. `reason` names the file and line of the problem. */
export type UiBuildResult =
  | { ok: true; files: { name: string; bytes: Uint8Array }[]; inputs: string[] }
  | { ok: false; reason: string };
