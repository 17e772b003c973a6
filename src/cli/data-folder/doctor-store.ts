import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ThreadmillError } from '../../base/errors.js';
import { checkStore, FINDING_KINDS, type Finding, type FindingKind } from '../../store/files/check/store.js';
import { dataFile } from '../../store/files/data-file.js';
import { cipherOf, encryptionIn } from '../../store/encryption/encryption.js';
import { expectFormat } from '../../store/files/format.js';
import { isLocked } from '../../store/files/folder-lock.js';
import { PageFile } from '../../store/files/page-file.js';
import type { RecordCipher } from '../../store/encryption/record-cipher.js';
import { CommandError, printable, runCommand } from '../client.js';
import { givenKey } from './encryption-key.js';
import { progress } from '../output/progress.js';
import { translateStoreErrors } from './store-errors.js';

export interface DoctorStoreFlags {
  data: string;
  encryptionKeyFile?: string;
  json?: boolean;
}

const SAYS: Record<FindingKind, string> = {
  file: 'pages of the file are damaged; what lies under them cannot be reached',
  checksum: 'records do not have their checksum, and are refused when they are read',
  form: 'records are not what their key says, or cannot be read',
  reference: 'records name what is not there',
  index: 'entries of indexes and their records do not agree: lists miss something, or have something that is not there',
};

/** Of each kind so many are printed; `--json` has all. */
const SHOWN_MAX = 20;

/** Looks at every record of a data folder that no server uses, and writes nothing. Exit codes as the help text has them. */
export function doctorStore(flags: DoctorStoreFlags): Promise<void> {
  return runCommand(2, () =>
    translateStoreErrors(async () => {
      const file = dataFile(flags.data);
      if (!existsSync(file)) throw new CommandError(`Not looked at: ${file}: there is no such file.`);
      if (isLocked(flags.data))
        throw new CommandError(
          `Not looked at: a server uses ${flags.data}. Stop it; or restore a backup of it to another folder and look at that.`,
        );
      const found: Finding[] = [];
      const { records, leftovers, checksumsOnly = false } = lookAt(file, givenKey(flags), found);
      process.stdout.write(
        `${flags.json === true ? JSON.stringify({ records, leftovers, checksums_only: checksumsOnly, problems: found.length, findings: found }) : asText(records, leftovers, found)}\n`,
      );
      if (checksumsOnly)
        process.stderr.write(
          'The folder is encrypted and no key is set: pages and checksums were looked at, and not what the records say. Set the key with --encryption-key-file or the environment.\n',
        );
      return found.length > 0 ? 1 : 0;
    }),
  );
}

/** What keeps the file from being read at all is a finding too. */
function lookAt(
  file: string,
  secret: Uint8Array | null,
  found: Finding[],
): { records: number; leftovers: number; checksumsOnly?: boolean } {
  let pages: PageFile | null;
  try {
    pages = PageFile.open(file);
  } catch (error) {
    if (!(error instanceof ThreadmillError)) throw error;
    found.push({ kind: 'file', place: 'head', problem: error.message });
    return { records: 0, leftovers: 0 };
  }
  if (pages === null) return { records: 0, leftovers: 0 };
  expectFormat(pages, dirname(file));
  const cipher = cipherFor(pages, dirname(file), secret);
  const bar = progress((cipher === 'unknown' ? 1 : 2) * pages.snapshot.main.entries, 'looked at');
  try {
    const looked = checkStore(
      pages,
      cipher,
      (finding) => found.push(finding),
      (read) => bar.update(read, read),
    );
    return { ...looked, checksumsOnly: cipher === 'unknown' };
  } finally {
    bar.stop();
    pages.close();
  }
}

/** A damaged record of the encryption leaves only checksums to look at: its own is one of them. */
function cipherFor(pages: PageFile, folder: string, secret: Uint8Array | null): RecordCipher | null | 'unknown' {
  try {
    return cipherOf(encryptionIn(pages), folder, secret);
  } catch (error) {
    if (error instanceof ThreadmillError && (error.code === 'ENCRYPTION_KEY_MISSING' || error.code === 'STORE_DAMAGED'))
      return 'unknown';
    throw error;
  }
}

function asText(records: number, leftovers: number, found: readonly Finding[]): string {
  const parts = FINDING_KINDS.flatMap((kind) => {
    const all = found.filter((one) => one.kind === kind);
    if (all.length === 0) return [];
    const more = all.length - SHOWN_MAX;
    return [
      [
        `${all.length} × ${kind}: ${SAYS[kind]}`,
        ...all.slice(0, SHOWN_MAX).map(({ place, problem }) => `  ${printable(`${place}: ${problem}`)}`),
        ...(more > 0 ? [`  and ${more} more; --json has all`] : []),
      ].join('\n'),
    ];
  });
  const waiting = leftovers === 0 ? '' : ` ${leftovers} deletions are not done yet; a server that runs does them.`;
  return [
    ...parts,
    `${records} records, ${found.length === 0 ? 'nothing wrong' : `${found.length} problems`}.${waiting}`,
  ].join('\n\n');
}
