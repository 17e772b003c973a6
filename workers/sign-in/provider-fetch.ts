import { LIMITS } from '../../src/base/limits.js';

/** The provider did not respond, or not as a provider does. */
export class UnreachableError extends Error {}

/** `fetch` for the identity provider: follows no redirects, and reads a response of limited size completely. */
export async function providerFetch(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const bytes = await readAtMost(response, LIMITS.signInResponseBytesMax);
    return new Response(bytes.byteLength === 0 ? null : bytes, { status: response.status, headers: response.headers });
  } catch (error) {
    throw new UnreachableError(`${new URL(url).origin} did not respond: ${reasonOf(error)}`);
  }
}

async function readAtMost({ body }: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new Error(`its response has more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** `fetch` hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string };
  return cause?.code ?? cause?.message ?? message;
}
