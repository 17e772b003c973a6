import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/**
 * Asks with exactly these headers, also those that `fetch` sets by itself: `host`, `origin`, `sec-fetch-site`. No
 * content type unless it is given.
 */
export async function ask(
  url: string,
  method: string,
  headers: OutgoingHttpHeaders = {},
  body?: string | Buffer,
): Promise<Answer> {
  const sent = request(url, {
    method,
    headers: body === undefined ? headers : { 'content-length': Buffer.byteLength(body), ...headers },
    agent: false,
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() };
}
