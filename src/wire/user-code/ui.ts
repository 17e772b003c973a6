/** What the thread that builds components for a page is asked: one module with its components, for one name. */
export interface UiTask {
  name: string;
  /** Absolute. */
  file: string;
  /** Folder of the project: what its packages are found from. */
  root: string;
  /** Packages that the page brings, besides React and the SDK's hooks. */
  shared: readonly string[];
}

/** `inputs`: files of the project's own that went in. A `reason` names the file and line of what is wrong. */
export type UiBuilt =
  | { ok: true; files: { name: string; bytes: Uint8Array }[]; inputs: string[] }
  | { ok: false; reason: string };
