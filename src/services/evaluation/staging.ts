import type { Commit } from '../../store/env.js';
import { keys } from '../../store/keys.js';

/** Lists that are written but not published: what the staging record of an upload names. */
export interface Staged {
  exampleList: number;
  /** Null when only examples are written. */
  experimentList: number | null;
}

/** Gives staged lists to the remover. */
export function nameLeftovers(commit: Commit, { exampleList, experimentList }: Staged): void {
  commit.put(keys.leftover('examples', String(exampleList)), new Uint8Array(0));
  if (experimentList !== null) commit.put(keys.leftover('experiment', String(experimentList)), new Uint8Array(0));
}
