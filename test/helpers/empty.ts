/**
 * In a pattern of `t.match`: an object or array without members. `{}` and `[]` would match every object and every array there.
 */
export class Empty {
  static [Symbol.hasInstance](value: object): boolean {
    return Object.keys(value).length === 0;
  }
}
