import { parseJson } from './json.js';
import { authHeaders, SERVER, session, type Key } from './session.js';

const UNREACHABLE = 'The server cannot be reached.';

/** The server's refusal, in its own words; `status` 0: there was no answer at all. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `fetch` with the key of this tab; what it answers is parsed without loss. The stock SDK is given it too. */
export async function fetchWithKey(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const { key } = session;
  for (const [name, value] of Object.entries(authHeaders())) headers.set(name, value);
  let response: Response;
  try {
    response = await fetch(input, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ServerError(0, UNREACHABLE);
  }
  // A late answer to who this tab was before says nothing of who it is now.
  if (response.status === 401 && key === session.key) session.refused(await messageOf(response.clone()));
  Object.defineProperty(response, 'json', { value: async () => parseJson(await response.text()) });
  return response;
}

export interface Ask {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Undefined and null are left out, lists repeated. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>>;
}

/** Asks a route that the SDK does not know. Path without a slash in front. Throws ServerError. */
export async function ask<T>(path: string, options: Ask = {}): Promise<T> {
  const response = await askResponse(path, options);
  const text = await response.text();
  return (text === '' ? undefined : parseJson(text)) as T;
}

/** The same, for who reads headers too, or takes the body as a file. */
export async function askResponse(
  path: string,
  { method = 'GET', query = {}, body, signal, headers = {} }: Ask = {},
): Promise<Response> {
  const url = new URL(path, SERVER);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [value])
      url.searchParams.append(name, String(one));
  }
  const response = await fetchWithKey(url, {
    method,
    ...(signal === undefined ? {} : { signal }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new ServerError(response.status, await messageOf(response));
  return response;
}

/** Null: the server takes the key. Otherwise why it does not, or that it cannot be reached. */
export async function refusalOf(key: Key): Promise<string | null> {
  try {
    // Any route that asks who it is does; what the caller may not is no matter here.
    const response = await fetch(new URL('assistants/count', SERVER), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authHeaders(key) },
      body: '{}',
    });
    return response.status === 401 ? await messageOf(response) : null;
  } catch {
    return UNREACHABLE;
  }
}

/** `{"detail": …}` in both of its forms, or what else was said. */
async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  return detailIn(text) ?? (text.slice(0, 500) || `The server answered ${response.status}.`);
}

/** What an error of any kind says to a person: the SDK's has the server's answer inside its text. */
export function messageFrom(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const json = /\{.*\}/s.exec(text)?.[0];
  return (json === undefined ? null : detailIn(json)) ?? text;
}

/** Null: it is no refusal of this server's; a proxy has spoken. */
function detailIn(text: string): string | null {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    if (Array.isArray(detail))
      return (detail as { loc: unknown[]; msg: string }[]).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('\n');
    return typeof detail === 'string' ? detail : null;
  } catch {
    return null;
  }
}

/** Saves an answer as a file of the person's. */
export async function download(path: string, name: string, options: Ask = {}): Promise<void> {
  saveFile(await (await askResponse(path, options)).blob(), name);
}

export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has taken it by then; without this the file stays in memory as long as the tab.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
