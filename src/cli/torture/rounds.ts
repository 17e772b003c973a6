import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { CommandError } from '../client.js';
import { isLocked } from '../../store/files/folder-lock.js';
import { createRecords, TortureClient } from './torture-client.js';
import { Ledger } from './ledger.js';
import type { ServerProcess } from './server-process.js';

/** Longest time that a server writes before it is killed. */
const WRITE_MS_MAX = 500;
/** A start takes some 300 ms on an ordinary machine. */
const START_MS_MAX = 400;
/** One round in so many also kills a server that is starting. */
const KILL_START_EVERY = 3;

export interface TortureResult {
  kills: number;
  killsWhileStarting: number;
  acknowledgedWrites: number;
  acknowledgedRuns: number;
  /** What was lost, undone or changed; one sentence each. */
  problems: string[];
}

/**
 * Kills a server again and again while clients write to it, and compares what it stored with what it acknowledged.
 * `start` starts it on `folder`. At least one round, then until `shouldContinue` returns false or something was lost.
 * Throws CommandError if the first server does not start, or if a server refuses a write.
 */
export async function runTorture(
  folder: string,
  start: () => ServerProcess,
  shouldContinue: (kills: number) => boolean,
): Promise<TortureResult> {
  const ledger = new Ledger();
  ledger.records.push(...createRecords());
  let kills = 0;
  let killsWhileStarting = 0;
  let server = start();
  try {
    let url = await server.url;
    if (!isLocked(folder))
      throw new CommandError('A lock file of a running server cannot be seen by another process on this folder.');
    do {
      await writeAndKill(server, new TortureClient(url, ledger));
      kills += 1;
      if (kills % KILL_START_EVERY === 0) {
        server = start();
        await setTimeout(randomInt(START_MS_MAX));
        await server.kill();
        kills += 1;
        killsWhileStarting += 1;
      }
      server = start();
      const restarted = await addressOf(server, ledger);
      if (restarted === null) break;
      url = restarted;
      await new TortureClient(url, ledger).verify();
    } while (ledger.problems.length === 0 && shouldContinue(kills));
    if (ledger.problems.length === 0) await server.stop();
  } finally {
    await server.kill();
  }
  const { acknowledgedWrites, acknowledgedRuns, problems } = ledger;
  return { kills, killsWhileStarting, acknowledgedWrites, acknowledgedRuns, problems };
}

async function writeAndKill(server: ServerProcess, client: TortureClient): Promise<void> {
  const writing = client.writeUntilKilled();
  // A refused write ends the round before its time.
  await Promise.race([writing, setTimeout(randomInt(WRITE_MS_MAX))]);
  client.expectKill();
  await server.kill();
  await writing;
}

/** Null if the server does not start on what a killed one left, which is a problem of its own. */
async function addressOf(server: ServerProcess, ledger: Ledger): Promise<string | null> {
  try {
    return await server.url;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    ledger.problems.push(`a server did not start again after it was killed. ${error.message}`);
    return null;
  }
}
