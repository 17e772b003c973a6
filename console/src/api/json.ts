/** Lossless JSON: a number that does not fit a double keeps its source text, for display and for sending it back. */

interface RawJson {
  readonly rawJSON: string;
}
const JSON_WITH_RAW = JSON as unknown as {
  rawJSON?: (text: string) => RawJson;
  isRawJSON?: (value: unknown) => value is RawJson;
};
/** Numbers of this length may be unsafe. Only then does parsing pay for a reviver call per value. */
const MAYBE_UNSAFE = /\d{16}|[eE][+-]?\d{3}/;

export function parseJson(text: string): unknown {
  if (JSON_WITH_RAW.rawJSON === undefined || !MAYBE_UNSAFE.test(text)) return JSON.parse(text);
  const rawJson = JSON_WITH_RAW.rawJSON;
  const reviver = (_key: string, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value !== 'number' || context?.source === undefined) return value;
    const isUnsafe =
      !Number.isFinite(value) ||
      (Number.isInteger(value) && !Number.isSafeInteger(value) && String(value) !== context.source);
    return isUnsafe ? rawJson(context.source) : value;
  };
  return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
}

/** The source text of a number that does not fit a double, or null for any other value. */
export function rawNumber(value: unknown): string | null {
  return JSON_WITH_RAW.isRawJSON?.(value) === true ? value.rawJSON : null;
}

/** JSON indented by two spaces. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'undefined';
}
