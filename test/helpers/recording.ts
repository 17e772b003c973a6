import type { Run } from 'langsmith';
import { RECORDING_NAME, unpackRecording, type Recording } from '../../src/wire/runs/recording.js';
import { all, langsmithOf, until } from './langsmith.js';
import type { TestServer } from './server.js';

/** What a run got from outside, once its trace has ended; null if that was not recorded. */
export async function recordingOf(server: TestServer, runId: string): Promise<Recording | null> {
  const { clientOf } = await langsmithOf(server);
  await until(
    () => all(clientOf().listRuns({ traceId: runId, isRoot: true })),
    ([one]: Run[]) => one?.end_time != null,
  );
  const run = (await (await server.get(`/runs/${runId}`)).json()) as {
    s3_urls: Record<string, { presigned_url: string }> | null;
  };
  const link = run.s3_urls?.[`attachment.${RECORDING_NAME}`];
  if (link === undefined) return null;
  const response = await server.get(link.presigned_url);
  return unpackRecording(new Uint8Array(await response.arrayBuffer()));
}
