import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

// The test calls the graph over HTTP, on a server with a temporary data folder.
const folder = mkdtempSync(join(tmpdir(), 'agent-test-'));
const server = spawn('threadmill', ['serve', '--port', '0', '--workers', '1', '--data', folder], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, LOG_LEVEL: 'error' },
});
let url = '';

before(async () => {
  let output = '';
  for await (const chunk of server.stdout) {
    output += chunk;
    url = /Threadmill at (\S+)/.exec(output)?.[1] ?? '';
    if (url !== '') return;
  }
  throw new Error('The server did not start.');
});

after(async () => {
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

const post = async (path, body) => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  return response.json();
};
const runOf = (content) => ({ assistant_id: 'agent', input: { messages: [{ role: 'user', content }] } });

test('answers a message', async () => {
  const { messages } = await post('/runs/wait', runOf('hello'));
  assert.equal(messages.at(-1).content, 'You said "hello". That has 5 characters.');
});

test('keeps the conversation of a thread', async () => {
  const { thread_id: threadId } = await post('/threads', {});
  await post(`/threads/${threadId}/runs/wait`, runOf('one'));
  const { messages } = await post(`/threads/${threadId}/runs/wait`, runOf('two'));
  assert.equal(messages.length, 4);
});
