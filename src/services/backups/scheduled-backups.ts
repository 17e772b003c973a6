import { mkdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.js';
import { isoTime, type Clock } from '../../base/clock.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { SERVER_CALLER } from '../../domain/caller.js';
import type { EvaluationPool } from '../../pool/evaluation-pool.js';
import { exportParts, type ExportSession } from '../../pool/export-parts.js';
import { dataFile } from '../../store/files/data-file.js';
import { recordBackup } from '../../store/last-backup.js';
import type { Store } from '../../store/store.js';
import { parseSchedule, type Schedule } from '../crons/cron-schedule.js';
import { backupFileName, listBackups, removeOldBackups } from './backup-files.js';

/** `backups` of langgraph.json. */
export interface BackupSettings {
  /** A cron schedule. */
  schedule: string;
  /** IANA name; null is UTC. */
  timezone: string | null;
  folder: string;
  /** Files to keep. */
  keep: number;
}

export interface BackupParts {
  store: Store;
  pool: Pick<EvaluationPool, 'openExport'>;
  clock: Clock;
  log: Logger;
}

/**
 * Writes a backup of the running server to a folder at each slot of a schedule, and keeps the newest ones. A slot that
 * was missed while the server was down is made up for once. A backup that fails is tried again after some minutes.
 */
export class ScheduledBackups {
  readonly #settings: BackupSettings;
  readonly #parts: BackupParts;
  readonly #schedule: Schedule;
  #nextAtMs: number | null = null;
  #lastFailure: { atMs: number; message: string } | null = null;
  #running: Promise<void> | null = null;
  #session: ExportSession | null = null;
  #cancelWake: () => void = () => undefined;
  #started: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(settings: BackupSettings, parts: BackupParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#schedule = parseSchedule(settings.schedule, settings.timezone);
  }

  /**
   * Makes up for the last slot unless a backup was made since, then follows the schedule. Returns at once: a folder on
   * the network that does not answer must not delay the server.
   */
  start(): void {
    this.#started = this.#findNext();
  }

  async #findNext(): Promise<void> {
    const nowMs = this.#parts.clock.nowMs();
    const newest = await this.#newestMs();
    const slotMs = this.#schedule.lastUpTo(nowMs);
    const isMissed = newest === null || (slotMs !== null && newest < slotMs);
    this.#nextAtMs = isMissed ? nowMs : this.#schedule.nextAfter(nowMs);
    this.#wakeAtNext();
  }

  /** The backup that is being written is broken off, and nothing of it is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelWake();
    this.#session?.duplex.send({ type: 'abort' });
    await this.#running;
  }

  /** As `GET /server/backup` shows it. */
  async toJson(): Promise<object> {
    await this.#started;
    const { schedule, timezone, folder, keep } = this.#settings;
    const files = await listBackups(folder).catch(() => []);
    return {
      schedule,
      timezone: timezone ?? 'UTC',
      folder,
      keep,
      is_running: this.#running !== null,
      next_at: this.#nextAtMs === null ? null : isoTime(this.#nextAtMs),
      last_failure:
        this.#lastFailure === null ? null : { at: isoTime(this.#lastFailure.atMs), message: this.#lastFailure.message },
      files: files.map(({ name, madeAtMs, bytes }) => ({ name, made_at: isoTime(madeAtMs), bytes })),
    };
  }

  async #newestMs(): Promise<number | null> {
    // The first backup creates the folder. If it cannot be read for another reason, that backup fails.
    const files = await listBackups(this.#settings.folder).catch(() => []);
    return files[0]?.madeAtMs ?? null;
  }

  #wakeAtNext(): void {
    if (this.#isClosed || this.#nextAtMs === null) return;
    const waitMs = Math.min(this.#nextAtMs - this.#parts.clock.nowMs(), LIMITS.backupWakeMs);
    this.#cancelWake = this.#parts.clock.wakeAfter(waitMs, () => this.#onWake());
  }

  #onWake(): void {
    if (this.#isClosed) return;
    if (this.#parts.clock.nowMs() < this.#nextAtMs!) {
      this.#wakeAtNext();
      return;
    }
    this.#running = this.#makeBackup().finally(() => {
      this.#running = null;
      this.#wakeAtNext();
    });
  }

  /** Sets the time of the next one. Does not throw. */
  async #makeBackup(): Promise<void> {
    const { clock, log } = this.#parts;
    const madeAtMs = clock.nowMs();
    const file = join(this.#settings.folder, backupFileName(madeAtMs));
    try {
      const bytes = await this.#write(file);
      await recordBackup(this.#parts.store, { madeAtMs, bytes });
      this.#lastFailure = null;
      log.info({ file, bytes }, 'backup made');
      await removeOldBackups(this.#settings.folder, this.#settings.keep);
      this.#nextAtMs = this.#schedule.nextAfter(clock.nowMs());
    } catch (error) {
      if (this.#isClosed) return;
      const { message } = error as Error;
      this.#lastFailure = { atMs: clock.nowMs(), message };
      this.#nextAtMs = clock.nowMs() + LIMITS.backupRetryMs;
      log.error({ err: error, file }, 'the scheduled backup failed');
    }
  }

  async #write(file: string): Promise<number> {
    const { folder } = this.#settings;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await this.#requireSpace();
    this.#session = this.#parts.pool.openExport('server.backup', SERVER_CALLER, {
      dataFile: dataFile(this.#parts.store.folder),
    });
    try {
      return await writeAtomically(file, this.#chunks(this.#session));
    } finally {
      this.#session.duplex.send({ type: 'abort' });
      this.#session = null;
    }
  }

  /** A backup on the disk of the data folder must not be what fills it. */
  async #requireSpace(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#settings.folder);
    const { size } = await stat(dataFile(this.#parts.store.folder));
    if (bavail * bsize < size)
      throw new Error(
        `${this.#settings.folder} has ${bavail * bsize} bytes free, and the data file has ${size}: a backup could ` +
          'fill the disk',
      );
  }

  async *#chunks(session: ExportSession): AsyncGenerator<Uint8Array> {
    for await (const { bytes } of exportParts(session)) yield bytes;
    if (this.#isClosed) throw new Error('the server is closing');
  }
}
