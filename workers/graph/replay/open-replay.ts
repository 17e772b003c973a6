import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asObject, jsonBytes, parseJson, type JsonObject } from '../../../src/base/json/json.js';
import type { GraphSource, ReplaySettings } from '../../../src/wire/user-code/graph-source.js';
import type { RunJob } from '../../../src/wire/runs/messages.js';
import { unpackRecording } from '../../../src/wire/runs/recording.js';
import { codeFile, recordingFile, REPLAY_METADATA, reportFile } from '../../../src/wire/runs/replay-report.js';
import type { Library } from '../library.js';
import { RunReplayer } from './run-replayer.js';

/** The scope of a run in a server that replays. A run that names no replay has no recorded answers. */
export function openReplay(
  job: RunJob,
  settings: ReplaySettings,
  library: Library,
): { job: RunJob; scope: RunReplayer; reportFile: string | null } {
  const config = parseJson(job.config) as JsonObject;
  const { [REPLAY_METADATA]: replayId, ...metadata } = asObject(config['metadata']);
  if (typeof replayId !== 'string') return { job, scope: new RunReplayer(null, settings, library), reportFile: null };
  const file = join(settings.folder, recordingFile(replayId));
  const recording = existsSync(file) ? unpackRecording(readFileSync(file)) : null;
  const code = join(settings.folder, codeFile(replayId));
  return {
    job: {
      ...job,
      config: jsonBytes({ ...config, metadata }),
      // The graph sees the caller of the recorded run.
      user: recording?.run.user ?? job.user,
      code: existsSync(code) ? (JSON.parse(readFileSync(code, 'utf8')) as GraphSource) : null,
    },
    scope: new RunReplayer(recording, settings, library),
    reportFile: join(settings.folder, reportFile(replayId)),
  };
}
