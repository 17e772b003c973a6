import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, temporaryFolder } from './server.js';

export type Answer = { status: number; body: Record<string, unknown> & Record<string, unknown>[] };
export type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A project whose access handler knows the users of `userOf`, with the graph `echo`. `more`: other settings. */
export function projectWithUsers(t: { teardown(callback: () => unknown): void }, more: object): string {
  const file = join(temporaryFolder(t), 'langgraph.json');
  writeFileSync(
    file,
    JSON.stringify({
      graphs: { echo: join(ROOT, 'test', 'graphs', 'echo.ts:graph') },
      auth: { path: join(ROOT, 'test', 'access', 'project', 'auth.ts:auth') },
      ...more,
    }),
  );
  return file;
}

/** Sends requests with these headers. */
export const sender =
  (url: string, headers: Record<string, string>): Send =>
  async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) as Answer['body'] };
  };

export function userOf(url: string, name: string): Send {
  return sender(url, { authorization: `Bearer token-of-${name}` });
}
