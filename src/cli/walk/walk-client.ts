/** A request that is ready to send. */
export interface WalkRequest {
  method: string;
  /** Path and query. */
  target: string;
  contentType: string | null;
  body: string | null;
  isStream: boolean;
}

export interface WalkResponse {
  status: number;
  /** Headers and body: everything that the client can see. */
  text: string;
  body: string;
}

/** The MCP and A2A routes require clients to list both media types. */
const ACCEPT = 'application/json, text/event-stream, */*';

/** Sends requests with the headers that identify one user. */
export class WalkClient {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.#headers = headers;
  }

  async send({ method, target, contentType, body, isStream }: WalkRequest): Promise<WalkResponse> {
    const response = await fetch(this.#url + target, {
      method,
      body,
      headers: { accept: ACCEPT, ...this.#headers, ...(contentType === null ? {} : { 'content-type': contentType }) },
    });
    // These headers differ in every response and carry no record data.
    const headers = [...response.headers].filter(
      ([name]) => !['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding'].includes(name),
    );
    const responseBody = isStream && response.ok ? await readBeginning(response) : await response.text();
    return {
      status: response.status,
      body: responseBody,
      text: `${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${responseBody}`,
    };
  }
}

/** How long to read a response that may never end. */
const STREAM_READ_MS = 200;

async function readBeginning(response: Response): Promise<string> {
  const reader = response.body!.getReader();
  const timer = setTimeout(() => {
    void reader.cancel();
  }, STREAM_READ_MS);
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(value);
  }
  clearTimeout(timer);
  return Buffer.concat(chunks).toString();
}
