import { errorMessage } from '../../../api/http.js';
import { RowErrors } from './read-file.js';
import type { RowError } from './rows.js';

const REFUSED = /^body\.(\d+)\.?(.*?): (.*)$/s;

/** What the server refuses of lines, by the numbers of their rows. Null if the error is not about lines. */
export function refusedRows(error: unknown, rowNumbers: readonly number[]): RowErrors | null {
  const errors = errorMessage(error)
    .split('\n')
    .flatMap((line): RowError[] => {
      const [, at, path, reason] = REFUSED.exec(line) ?? [];
      const number = rowNumbers[Number(at)];
      if (number === undefined) return [];
      return [{ number, line: null, reason: path === '' ? reason! : `${path}: ${reason}` }];
    });
  return errors.length === 0 ? null : new RowErrors(errors, errors.length, { canSkip: false });
}
