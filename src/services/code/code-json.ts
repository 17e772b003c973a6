import { isoTime } from '../../base/clock.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { shortVersion } from '../../domain/code-version.js';
import { versionJson } from '../../store/code-version-json.js';
import type { CodeVersionRecord } from '../../store/code-versions.js';
import type { Needs } from '../context.js';

/** The answer to `GET /server/code`, as JSON. */
export function versionsJson({ code, graphIds }: Needs<'code' | 'graphIds'>): string {
  const kept = code.list();
  const ids = new Set([...graphIds, ...kept.flatMap(({ graphs }) => graphs.map(({ graphId }) => graphId))]);
  return JSON.stringify({
    keep: code.settings.keep,
    parked_threads: code.settings.parkedThreads,
    bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
    bytes_max: LIMITS.codeBytesMax,
    graphs: [...ids].map((graphId) => ({
      graph_id: graphId,
      versions: versionsOf(graphId, code.currentOf(graphId), kept),
    })),
  });
}

function versionsOf(
  graphId: string,
  current: string | undefined,
  kept: readonly CodeVersionRecord[],
): Record<string, unknown>[] {
  const listed = kept.flatMap((record) => {
    const graph = record.graphs.find((one) => one.graphId === graphId);
    if (graph === undefined) return [];
    const { hash, firstUsedMs, lastUsedMs, bytes, packages, libraryVersion } = record;
    return [
      {
        version: shortVersion(hash),
        hash,
        current: hash === current,
        kept: true,
        file: graph.file,
        export: graph.exportName,
        first_used_at: isoTime(firstUsedMs),
        last_used_at: isoTime(lastUsedMs),
        bytes,
        library_version: libraryVersion,
        packages,
      },
    ];
  });
  // Its bundle may be too large to be kept.
  return current === undefined || listed.some((one) => one.current)
    ? listed
    : [{ version: shortVersion(current), hash: current, current: true, kept: false }, ...listed];
}

/** A version with its bundle, as JSON. `name`: its hash or the beginning of it. Throws CODE_VERSION_NOT_FOUND. */
export function loadedVersionJson({ code, stores }: Needs<'code' | 'stores'>, name: string): string {
  const found = code.list().filter(({ hash }) => hash.startsWith(name));
  const version = found.length === 1 ? stores.codeVersions.load(found[0]!.hash) : undefined;
  if (version === undefined) throw fail('CODE_VERSION_NOT_FOUND', { version: name });
  return JSON.stringify(versionJson(version));
}
