/**
 * In a pattern of `t.match`: an object or array without members. `{}` and `[]` would match every object and every array
 * there.
 */
// A class, because tap compares with a constructor by `instanceof`.
// oxlint-disable-next-line no-extraneous-class
export class Empty {
  static [Symbol.hasInstance](value: object): boolean {
    return Object.keys(value).length === 0;
  }
}
