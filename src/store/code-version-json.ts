import { isoTime } from '../base/clock.js';
import { shortVersion } from '../domain/code-version.js';
import type { CodeVersion } from './code-versions.js';

/** A version in API form, with everything that another machine needs to run it. */
export interface VersionJson {
  version: string;
  hash: string;
  graphs: { graph_id: string; file: string; export: string }[];
  root: string;
  folder: string;
  imports: { place: string; package: string; version: string; file: string }[];
  packages: string[];
  library_version: string | null;
  first_used_at: string;
  last_used_at: string;
  bytes: number;
  /** Base64 of the module. */
  bundle: string;
}

export function versionJson(version: CodeVersion): VersionJson {
  const { hash, graphs, root, folder, imports, packages, libraryVersion, bundle } = version;
  return {
    version: shortVersion(hash),
    hash,
    graphs: graphs.map(({ graphId, file, exportName }) => ({ graph_id: graphId, file, export: exportName })),
    root,
    folder,
    imports: imports.map((one) => ({
      place: one.place,
      package: one.packageName,
      version: one.version,
      file: one.file,
    })),
    packages,
    library_version: libraryVersion,
    first_used_at: isoTime(version.firstUsedMs),
    last_used_at: isoTime(version.lastUsedMs),
    bytes: version.bytes,
    bundle: Buffer.from(bundle).toString('base64'),
  };
}

/** The opposite of `versionJson`, for programs that run a version of another server. */
export function versionFromJson(json: VersionJson): CodeVersion {
  return {
    hash: json.hash,
    graphs: json.graphs.map((one) => ({ graphId: one.graph_id, file: one.file, exportName: one.export })),
    root: json.root,
    folder: json.folder,
    imports: json.imports.map((one) => ({
      place: one.place,
      packageName: one.package,
      version: one.version,
      file: one.file,
    })),
    packages: json.packages,
    libraryVersion: json.library_version,
    firstUsedMs: Date.parse(json.first_used_at),
    lastUsedMs: Date.parse(json.last_used_at),
    bytes: json.bytes,
    bundle: Buffer.from(json.bundle, 'base64'),
  };
}
