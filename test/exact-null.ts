import { Match } from 'tcompare';

/**
 * Makes null and undefined in a pattern match only themselves. tap's `match` lets each of them match the other, so that
 * `{ error: null }` would pass for an object without `error`.
 */

/** The test of `Match` before this change. */
const matches: () => boolean | 'COMPLEX' = Reflect.get(Match.prototype, 'test');

Match.prototype.test = function (this: Match) {
  return this.expect === null || this.expect === undefined ? this.object === this.expect : matches.call(this);
};
