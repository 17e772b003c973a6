import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ThreadmillError } from '../../base/errors.js';
import { checkStore, FINDING_KINDS, type Finding, type FindingKind } from '../../store/files/check/check-store.js';
import { dataFile } from '../../store/files/data-file.js';
import { openCipher, readEncryptionRecord } from '../../store/encryption/encryption.js';
import { requireCurrentFormat } from '../../store/files/store-format.js';
import { isLocked } from '../../store/files/folder-lock.js';
import { PageFile } from '../../store/files/page-file.js';
import type { RecordCipher } from '../../store/encryption/record-cipher.js';
import { CommandError, printable, runCommand } from '../client.js';
import { configuredKey } from './encryption-key.js';
import { createProgressBar } from '../output/progress.js';
import { translateStoreErrors } from './store-errors.js';

export interface DoctorStoreFlags {
  data: string;
  encryptionKeyFile?: string;
  json?: boolean;
}

const KIND_TEXTS: Record<FindingKind, string> = {
  file: 'pages of the file are damaged, and the records below them cannot be read',
  checksum: 'records have a wrong checksum, so reading them fails',
  form: 'records do not match their key or cannot be decoded',
  reference: 'records refer to records that do not exist',
  index: 'index entries do not match the records, so lists have missing or extra rows',
};

/** Findings of each kind that are printed. `--json` has all of them. */
const FINDINGS_SHOWN_MAX = 20;

/**
 * Checks every record of a data folder that no server is using. Writes nothing to the folder. The help text lists the
 * exit codes.
 */
export function doctorStore(flags: DoctorStoreFlags): Promise<void> {
  return runCommand(2, () =>
    translateStoreErrors(async () => {
      const file = dataFile(flags.data);
      if (!existsSync(file))
        throw new CommandError(`Not checked: the file ${file} does not exist. Name the data folder with --data.`);
      if (isLocked(flags.data))
        throw new CommandError(
          `Not checked: a server is using ${flags.data}. Stop it, or restore a backup to another folder and ` +
            'check that one.',
        );
      const findings: Finding[] = [];
      const { records, leftovers, checksumsOnly = false } = checkFile(file, configuredKey(flags), findings);
      const report = { records, leftovers, checksums_only: checksumsOnly, problems: findings.length, findings };
      process.stdout.write(
        `${flags.json === true ? JSON.stringify(report) : formatText(records, leftovers, findings)}\n`,
      );
      if (checksumsOnly)
        process.stderr.write(
          'The folder is encrypted and no key is set, so only pages and checksums were checked. Set the key with ' +
            '--encryption-key-file or in the environment to check the records.\n',
        );
      return findings.length > 0 ? 1 : 0;
    }),
  );
}

/** Adds all problems to `findings`. A file that cannot be read at all is a finding too. */
function checkFile(
  file: string,
  secret: Uint8Array | null,
  findings: Finding[],
): { records: number; leftovers: number; checksumsOnly?: boolean } {
  let pages: PageFile | null;
  try {
    pages = PageFile.open(file);
  } catch (error) {
    if (!(error instanceof ThreadmillError)) throw error;
    findings.push({ kind: 'file', place: 'head', problem: error.message });
    return { records: 0, leftovers: 0 };
  }
  if (pages === null) return { records: 0, leftovers: 0 };
  requireCurrentFormat(pages, dirname(file));
  const cipher = cipherFor(pages, dirname(file), secret);
  const bar = createProgressBar((cipher === 'unknown' ? 1 : 2) * pages.snapshot.main.entries, 'checked');
  try {
    const checked = checkStore(
      pages,
      cipher,
      (finding) => findings.push(finding),
      (read) => bar.update(read, read),
    );
    return { ...checked, checksumsOnly: cipher === 'unknown' };
  } finally {
    bar.stop();
    pages.close();
  }
}

/**
 * Null if the store is not encrypted; `unknown` without the key, or if the record with the encryption settings is
 * damaged. Its wrong checksum is then one of the findings.
 */
function cipherFor(pages: PageFile, folder: string, secret: Uint8Array | null): RecordCipher | null | 'unknown' {
  try {
    return openCipher(readEncryptionRecord(pages), folder, secret);
  } catch (error) {
    if (error instanceof ThreadmillError && (error.code === 'ENCRYPTION_KEY_MISSING' || error.code === 'STORE_DAMAGED'))
      return 'unknown';
    throw error;
  }
}

function formatText(records: number, leftovers: number, findings: readonly Finding[]): string {
  const parts = FINDING_KINDS.flatMap((kind) => {
    const all = findings.filter((one) => one.kind === kind);
    if (all.length === 0) return [];
    const more = all.length - FINDINGS_SHOWN_MAX;
    return [
      [
        `${all.length} × ${kind}: ${KIND_TEXTS[kind]}`,
        ...all.slice(0, FINDINGS_SHOWN_MAX).map(({ place, problem }) => `  ${printable(`${place}: ${problem}`)}`),
        ...(more > 0 ? [`  and ${more} more; --json has all`] : []),
      ].join('\n'),
    ];
  });
  const waiting =
    leftovers === 0 ? '' : ` ${leftovers} deletions are not finished. The server finishes them when it runs.`;
  return [
    ...parts,
    `${records} records, ${findings.length === 0 ? 'no' : findings.length} ` +
      `problem${findings.length === 1 ? '' : 's'}.${waiting}`,
  ].join('\n\n');
}
