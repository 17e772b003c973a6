import { isAbsolute, resolve } from 'node:path';
import { isObject } from '../base/json/json.js';
import type { BackupSettings } from '../services/backups/scheduled-backups.js';
import { parseSchedule } from '../services/crons/cron-schedule.js';

const KEEP = { default: 7, max: 1_000 };

/**
 * Reads `backups` of langgraph.json; null without it. A relative folder is below that of the file. Throws the error
 * that `problem` makes, which names the place.
 */
export function readBackups(value: unknown, root: string, problem: (text: string) => Error): BackupSettings | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value))
    throw problem('backups: must be an object such as {"schedule": "0 3 * * *", "folder": "/mnt/backups"}.');
  const { schedule, timezone = null, folder, keep = KEEP.default } = value;
  if (typeof schedule !== 'string') throw problem('backups.schedule: must be a cron schedule such as "0 3 * * *".');
  if (timezone !== null && typeof timezone !== 'string')
    throw problem('backups.timezone: must be a time zone such as "Europe/Berlin".');
  if (typeof folder !== 'string' || folder === '')
    throw problem('backups.folder: must be the path of a folder, best on another disk than the data folder.');
  if (typeof keep !== 'number' || !Number.isInteger(keep) || keep < 1 || keep > KEEP.max)
    throw problem(`backups.keep: must be a whole number from 1 to ${KEEP.max}.`);
  try {
    parseSchedule(schedule, timezone);
  } catch (error) {
    throw problem(`backups: ${(error as Error).message.replace('body.', '')}`);
  }
  return { schedule, timezone, folder: isAbsolute(folder) ? folder : resolve(root, folder), keep };
}
