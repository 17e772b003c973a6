import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

// The graph is asked as its users ask it: over HTTP, from a server with a folder of its own.
const folder = mkdtempSync(join(tmpdir(), 'agent-test-'));
const server = spawn('threadmill', ['serve', '--port', '0', '--workers', '1', '--data', folder], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, LOG_LEVEL: 'error' },
});
let url = '';

before(async () => {
  let said = '';
  for await (const chunk of server.stdout) {
    said += chunk;
    url = /Threadmill at (\S+)/.exec(said)?.[1] ?? '';
    if (url !== '') return;
  }
  throw new Error('The server did not start.');
});

after(async () => {
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (path, body) => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  return response.json();
};
const asking = (content) => ({ assistant_id: 'agent', input: { messages: [{ role: 'user', content }] } });

test('it answers', async () => {
  const { messages } = await ask('/runs/wait', asking('hello'));
  assert.equal(messages.at(-1).content, 'You said "hello". That has 5 characters.');
});

test('a thread keeps the conversation', async () => {
  const { thread_id: threadId } = await ask('/threads', {});
  await ask(`/threads/${threadId}/runs/wait`, asking('one'));
  const { messages } = await ask(`/threads/${threadId}/runs/wait`, asking('two'));
  assert.equal(messages.length, 4);
});
