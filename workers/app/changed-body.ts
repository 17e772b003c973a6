/** The parts of a Hono request that are used here. */
export interface HonoRequest {
  raw: Request;
  /** What was read of the body, by method. */
  bodyCache?: Record<string, unknown>;
  arrayBuffer(): Promise<ArrayBuffer>;
  json(): Promise<unknown>;
}

interface CachedJson {
  json: () => Promise<unknown>;
  value: Promise<unknown> | null;
  /** The parsed JSON, serialized again before any change. */
  before: string;
}

const cachedJson = new WeakMap<HonoRequest, CachedJson>();

/** Makes `json()` return the same object every time, so that changes by middleware are visible to later readers. */
export function cacheJson(req: HonoRequest): void {
  const parse = req.json.bind(req);
  const memory: CachedJson = {
    value: null,
    before: '',
    json: () =>
      (memory.value ??= parse().then((value) => {
        memory.before = JSON.stringify(value);
        return value;
      })),
  };
  req.json = memory.json;
  cachedJson.set(req, memory);
}

/**
 * Returns the body as the app's middleware left it, which is what a later route of the same app would read.
 * Null if it is unchanged.
 */
export async function readChangedBody(req: HonoRequest, request: Request): Promise<Uint8Array | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const memory = cachedJson.get(req);
  if (req.json !== memory?.json) return Buffer.from(JSON.stringify(await req.json()));
  if (req.raw !== request && !req.raw.bodyUsed) return new Uint8Array(await req.raw.arrayBuffer());
  try {
    const text = memory.value === null ? '' : JSON.stringify(await memory.value);
    // Only if it was changed: parsing and serializing would alter numbers of twenty digits.
    if (text !== memory.before) return Buffer.from(text);
    const read = Object.keys(req.bodyCache ?? {});
    // A parsed form cannot be serialized back to the same bytes.
    if (read.length === 0 || read.includes('formData') || read.includes('parsedBody')) return null;
    return new Uint8Array(await req.arrayBuffer());
  } catch {
    // Not JSON, or the raw stream was consumed: use the original body.
    return null;
  }
}
