/** What is needed of the request of a Hono context. */
export interface HonoRequest {
  raw: Request;
  /** What was read of the body, by how it was read. */
  bodyCache?: Record<string, unknown>;
  arrayBuffer(): Promise<ArrayBuffer>;
  json(): Promise<unknown>;
}

interface Remembered {
  json: () => Promise<unknown>;
  value: Promise<unknown> | null;
  /** As it was parsed, written again. */
  before: string;
}

const remembered = new WeakMap<HonoRequest, Remembered>();

/** From now on `json()` gives one object, so that what middleware changes in it is there for whoever reads it next. */
export function rememberJson(req: HonoRequest): void {
  const parse = req.json.bind(req);
  const memory: Remembered = {
    value: null,
    before: '',
    json: () =>
      (memory.value ??= parse().then((value) => {
        memory.before = JSON.stringify(value);
        return value;
      })),
  };
  req.json = memory.json;
  remembered.set(req, memory);
}

/** The body that counts after the app's middleware: null when it is what was sent. What a route of the same app would read now. */
export async function changedBody(req: HonoRequest, request: Request): Promise<Uint8Array | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const memory = remembered.get(req);
  if (req.json !== memory?.json) return Buffer.from(JSON.stringify(await req.json()));
  if (req.raw !== request && !req.raw.bodyUsed) return new Uint8Array(await req.raw.arrayBuffer());
  try {
    const text = memory.value === null ? '' : JSON.stringify(await memory.value);
    // Only what was changed: parsed and written again, numbers of twenty digits would be others.
    if (text !== memory.before) return Buffer.from(text);
    const read = Object.keys(req.bodyCache ?? {});
    // A form is not written again as it was.
    if (read.length === 0 || read.includes('formData') || read.includes('parsedBody')) return null;
    return new Uint8Array(await req.arrayBuffer());
  } catch {
    // No JSON, or read past Hono and used up: what was sent counts.
    return null;
  }
}
