import { parseJson } from './json.js';
import { noteServerTime } from './server-clock.js';
import { authHeaders, SERVER_URL, session, type Credential } from './session.js';

const UNREACHABLE = 'The server cannot be reached. Check that it is running.';

/** An error response, with the server's message. Status 0 means that no response arrived. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Status of an error of this file or of the SDK; 0 without a response, -1 for other errors. */
export function statusOf(error: unknown): number {
  const { status } = error as { status?: unknown };
  return typeof status === 'number' ? status : -1;
}

/** `fetch` with this tab's credential and lossless JSON parsing. The SDK clients use it too. Throws ServerError. */
export async function fetchWithKey(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const { credential } = session;
  for (const [name, value] of Object.entries(authHeaders())) headers.set(name, value);
  let response: Response;
  const sentMs = Date.now();
  try {
    response = await fetch(input, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ServerError(0, UNREACHABLE);
  }
  if (init.method === 'POST') noteServerTime(response, sentMs);
  // Ignore a late 401 for a credential that was replaced in the meantime.
  if (response.status === 401 && credential === session.credential)
    session.reportUnauthorized(await readErrorMessage(response.clone()));
  Object.defineProperty(response, 'json', { value: async () => parseJson(await response.text()) });
  return response;
}

export interface FetchOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Undefined and null values are omitted. Lists become repeated parameters. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>>;
}

/** Calls a route that the SDK does not cover. `path` has no leading slash. Throws ServerError. */
export async function fetchJson<T>(path: string, options: FetchOptions = {}): Promise<T> {
  const response = await fetchResponse(path, options);
  const text = await response.text();
  return (text === '' ? undefined : parseJson(text)) as T;
}

/** The same, for callers that need the headers or the body as a file. */
export async function fetchResponse(
  path: string,
  { method = 'GET', query = {}, body, signal, headers = {} }: FetchOptions = {},
): Promise<Response> {
  const url = new URL(path, SERVER_URL);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [value])
      url.searchParams.append(name, String(one));
  }
  const response = await fetchWithKey(url, {
    method,
    ...(signal === undefined ? {} : { signal }),
    // The browser itself sets the type of a form, with its boundary.
    headers: {
      ...(body === undefined || isRaw(body) ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new ServerError(response.status, await readErrorMessage(response));
  return response;
}

/** Whether a body is sent as it is. */
function isRaw(body: unknown): body is FormData | Blob {
  return body instanceof FormData || body instanceof Blob;
}

/** Returns null if the server accepts the credential, otherwise the reason to show. */
export async function checkCredential(key: Credential): Promise<string | null> {
  try {
    // Any authenticated route works. A 403 still proves that the credential is valid.
    const response = await fetch(new URL('assistants/count', SERVER_URL), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authHeaders(key) },
      body: '{}',
    });
    return response.status === 401 ? await readErrorMessage(response) : null;
  } catch {
    return UNREACHABLE;
  }
}

/** The text of an error response: `{"detail": …}` in either form, otherwise the start of the body. */
async function readErrorMessage(response: Response): Promise<string> {
  const text = await response.text();
  return parseDetail(text) ?? (text.slice(0, 500) || `The server responded with status ${response.status}.`);
}

/** The message to show for any error. Errors of the SDK contain the server's response in their text. */
export function errorMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const json = /\{.*\}/s.exec(text)?.[0];
  return (json === undefined ? null : parseDetail(json)) ?? text;
}

/** A problem that the server has found at a place of the request's body. */
export interface FieldError {
  path: readonly string[];
  message: string;
}

const FIELD_ERROR = /\bbody\.([^\s:]+): (.*?)(?=[;,]? body\.[^\s:]+: |\n|$)/g;

/** The parts of an error that name a field, for example `body.config.recursion_limit: must be >= 1`. */
export function fieldErrors(error: unknown): FieldError[] {
  if (error === null || error === undefined) return [];
  return [...errorMessage(error).matchAll(FIELD_ERROR)].map(([, path, message]) => ({
    path: path!.split('.'),
    message: message!,
  }));
}

/** The errors of a field and of everything in it, with paths that begin there. */
export function errorsIn(errors: readonly FieldError[], ...path: readonly string[]): FieldError[] {
  return errors
    .filter((one) => path.every((name, at) => one.path[at] === name))
    .map((one) => ({ path: one.path.slice(path.length), message: one.message }));
}

/** The error of a field itself; null if there is none. */
export function errorAt(errors: readonly FieldError[], ...path: readonly string[]): string | null {
  return errorsIn(errors, ...path).find((one) => one.path.length === 0)?.message ?? null;
}

/** Returns null if the text is not an error of this server, for example a proxy's error page. */
function parseDetail(text: string): string | null {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    if (Array.isArray(detail))
      return (detail as { loc: unknown[]; msg: string }[]).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('\n');
    return typeof detail === 'string' ? detail : null;
  } catch {
    return null;
  }
}

/** Downloads a response as a file. */
export async function downloadFile(path: string, name: string, options: FetchOptions = {}): Promise<void> {
  saveFile(await (await fetchResponse(path, options)).blob(), name);
}

export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has started by then. Without this the file stays in memory until the tab closes.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
