import type { Run } from '../../../api/evaluation.js';
import { metadataOf } from '../trace-tree.js';

export interface SideNames {
  left: string;
  right: string;
}

/** The id of the run that a run repeats; null for any other run. */
export function originalOf(root: Run): string | null {
  const { replay_of: id } = metadataOf(root);
  return typeof id === 'string' && id !== '' ? id : null;
}

/** The code that a run was executed with; null if it is unknown. */
export function replayCodeOf(root: Run): string | null {
  const { code_version: version, replay_code: code = version } = metadataOf(root);
  return typeof code === 'string' && code !== '' ? code : null;
}

export function sideNames(left: Run, right: Run): SideNames {
  const repeats = (replay: Run, original: Run): boolean =>
    [original.id, original.trace_id].includes(originalOf(replay) ?? '');
  if (repeats(right, left)) return { left: 'Original', right: 'Replay' };
  if (repeats(left, right)) return { left: 'Replay', right: 'Original' };
  return { left: 'Left', right: 'Right' };
}
