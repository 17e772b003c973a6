/** JSON without loss: a number that JavaScript cannot hold stays the text it was written as, to be shown and sent back as such. */

interface Raw {
  readonly rawJSON: string;
}
const RAW = JSON as unknown as { rawJSON?: (text: string) => Raw; isRawJSON?: (value: unknown) => value is Raw };
/** Only then is it worth a function call for every value. */
const LONG = /\d{16}|[eE][+-]?\d{3}/;

export function parseJson(text: string): unknown {
  if (RAW.rawJSON === undefined || !LONG.test(text)) return JSON.parse(text);
  const rawJson = RAW.rawJSON;
  const reviver = (_key: string, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value !== 'number' || context?.source === undefined) return value;
    const lost =
      !Number.isFinite(value) ||
      (Number.isInteger(value) && !Number.isSafeInteger(value) && String(value) !== context.source);
    return lost ? rawJson(context.source) : value;
  };
  return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
}

/** The digits of a number that JavaScript cannot hold; null for any other value. */
export function longNumber(value: unknown): string | null {
  return RAW.isRawJSON?.(value) === true ? value.rawJSON : null;
}

/** For people: two spaces a level. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'undefined';
}
