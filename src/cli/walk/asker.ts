/** A request as it goes out. */
export interface Sent {
  method: string;
  /** Path and query. */
  target: string;
  contentType: string | null;
  body: string | null;
  endless: boolean;
}

export interface Answer {
  status: number;
  /** Headers and body: whatever the client got to see. */
  text: string;
  body: string;
}

/** Tools and agents of other makers must be told in so many words what is taken. */
const ACCEPT = 'application/json, text/event-stream, */*';

/** One who asks, with the headers that say who. */
export class Asker {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.#headers = headers;
  }

  async send({ method, target, contentType, body, endless }: Sent): Promise<Answer> {
    const response = await fetch(this.#url + target, {
      method,
      body,
      headers: { accept: ACCEPT, ...this.#headers, ...(contentType === null ? {} : { 'content-type': contentType }) },
    });
    // A date and ids of requests say nothing of records, and are others every time.
    const headers = [...response.headers].filter(
      ([name]) => !['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding'].includes(name),
    );
    const said = endless && response.ok ? await firstWords(response) : await response.text();
    return {
      status: response.status,
      body: said,
      text: `${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${said}`,
    };
  }
}

/** Of an answer that may never end. */
const FIRST_MS = 200;

async function firstWords(response: Response): Promise<string> {
  const reader = response.body!.getReader();
  const timer = setTimeout(() => {
    void reader.cancel();
  }, FIRST_MS);
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(value);
  }
  clearTimeout(timer);
  return Buffer.concat(chunks).toString();
}
