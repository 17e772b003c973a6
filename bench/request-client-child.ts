import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request, type ClientRequest } from 'node:http';
import { LIMITS } from '../src/base/limits.js';
import type { RequestResult, RequestTask } from './request-client.js';

/** An idle connection is given up in half the time after which the server closes it: a request on it could fail. */
const IDLE_MS = LIMITS.idleSocketMs / 2;

const agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: IDLE_MS });

/** Writes at this rate, like a network of that speed. */
async function write(sent: ClientRequest, body: Buffer, bytesPerSecond: number): Promise<void> {
  const begun = performance.now();
  let at = 0;
  while (at < body.length) {
    const due = Math.min(body.length, Math.ceil(((performance.now() - begun) / 1_000) * bytesPerSecond));
    if (due > at && !sent.write(body.subarray(at, due))) await once(sent, 'drain');
    at = due;
    if (at < body.length) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  sent.end();
}

function one(
  { url, method, path, bytesPerSecond }: RequestTask,
  body: Buffer,
): Promise<{ status: number; bytes: Buffer; ms: number }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const sent = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: body.length === 0 ? {} : { 'content-type': 'application/json', 'content-length': body.length },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, bytes: Buffer.concat(chunks), ms: performance.now() - begun }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    if (bytesPerSecond === undefined) sent.end(body);
    else write(sent, body, bytesPerSecond).catch(reject);
  });
}

async function perform(task: RequestTask): Promise<RequestResult> {
  const body = task.file === undefined ? Buffer.from(task.body ?? '') : readFileSync(task.file);
  const begun = performance.now();
  const first = await one(task, body);
  const latenciesMs = [first.ms];
  while (performance.now() - begun < (task.ms ?? 0)) {
    const next = await one(task, body);
    if (next.status !== first.status || !next.bytes.equals(first.bytes))
      throw new Error(`the answer differs from the first one: ${next.status}`);
    latenciesMs.push(next.ms);
  }
  return { status: first.status, latenciesMs, text: first.bytes.toString() };
}

process.on('message', (task: RequestTask) => {
  void perform(task).then(
    (result) => process.send!(result),
    (error: unknown) => process.send!({ problem: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
