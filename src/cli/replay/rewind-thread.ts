import { createHash } from 'node:crypto';
import { parseJson } from '../../base/json/json.js';
import type { Key } from '../../store/keys.js';
import {
  filterWrites,
  isSingleWrite,
  packCheckpoint,
  packTaskWrites,
  unpackCheckpoint,
  unpackTaskWrites,
} from '../../store/threads/checkpoint-rows.js';
import type { ThreadFileHeader, ThreadFileLine } from '../../store/threads/thread-file.js';
import { unpackBody } from '../../wire/runs/state.js';
import { CommandError } from '../client.js';

type Line = ThreadFileHeader | ThreadFileLine;
type StateLine = Extract<ThreadFileLine, { state: unknown }>;
type RunLine = Extract<ThreadFileLine, { run: unknown }>;

/** An exported thread, line by line. */
export class ThreadFile {
  readonly #lines: readonly Line[];

  constructor(text: string) {
    this.#lines = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => parseJson(Buffer.from(line)) as unknown as Line);
  }

  get threadId(): string {
    return (this.#lines[0] as ThreadFileHeader).thread.threadId;
  }

  /** The run's record and its parameters; undefined if it is not on the thread or has not ended. */
  run(runId: string): RunLine | undefined {
    return this.#lines.find((line): line is RunLine => 'run' in line && line.run.runId === runId);
  }

  /** The newest run that has ended. */
  get lastRunId(): string | null {
    const runs = this.#lines.filter((line): line is RunLine => 'run' in line).map(({ run }) => run);
    return runs.sort((a, b) => b.createdAtMs - a.createdAtMs)[0]?.runId ?? null;
  }

  /** Newest checkpoint of the thread before the run stored one. Null: there was none, or the run stored none. */
  headBefore(runId: string): string | null {
    const own = this.#checkpoints()
      .filter((one) => one.runId === runId)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return own[0] === undefined ? null : unpackBody(own[0].body).parentId;
  }

  /**
   * The file of the thread as it was when `headId` was its newest checkpoint and the run had not begun. Null: it had no
   * checkpoint. Throws CommandError if that checkpoint is not kept any more.
   */
  before(runId: string, headId: string | null): string | null {
    if (headId === null) return null;
    if (!this.#checkpoints().some(({ id }) => id === headId))
      throw new CommandError(
        `The thread ${this.threadId} does not have the checkpoint ${headId} any more, from which the run started. ` +
          'Older checkpoints were removed (keep_last or a prune).',
      );
    const later = this.#runsFrom(runId);
    const dropped = new Set<string>();
    const kept: Line[] = [this.#lines[0]!];
    for (const line of this.#lines) {
      if (!('state' in line)) continue;
      const rewound = rewindLine(line, { later, headId, dropped });
      if (rewound !== null) kept.push(rewound);
    }
    return fileOf(kept);
  }

  /** The run, and those that were created later. */
  #runsFrom(runId: string): Set<string> {
    const createdAtMs = this.run(runId)?.run.createdAtMs ?? Infinity;
    const later = this.#lines.filter(
      (line): line is RunLine => 'run' in line && line.run.createdAtMs >= createdAtMs && line.run.runId !== runId,
    );
    return new Set([runId, ...later.map(({ run }) => run.runId)]);
  }

  /** Those of the graph itself. */
  #checkpoints(): { id: string; runId: string; body: Uint8Array }[] {
    return this.#lines.flatMap((line) => {
      if (!('state' in line) || line.state !== 'c' || line.key[0] !== '') return [];
      const { id, runId, body } = unpackCheckpoint(Buffer.from(line.value, 'base64'));
      return [{ id: id ?? String(line.key[1]), runId, body }];
    });
  }
}

/** Null: the line is of later. `dropped` gets the checkpoints that are left out, which come before their writes. */
function rewindLine(
  line: StateLine,
  { later, headId, dropped }: { later: ReadonlySet<string>; headId: string; dropped: Set<string> },
): StateLine | null {
  const [ns, at] = line.key;
  const value = Buffer.from(line.value, 'base64');
  switch (line.state) {
    case 'c': {
      const checkpoint = unpackCheckpoint(value);
      const checkpointId = checkpoint.id ?? String(at);
      const isLater = ns === '' ? checkpointId > headId : later.has(checkpoint.runId);
      if (isLater) {
        dropped.add(`${String(ns)} ${checkpointId}`);
        return null;
      }
      const left = filterWrites(checkpoint, ({ runId }) => !later.has(runId));
      return left === checkpoint ? line : withValue(line, packCheckpoint(left));
    }
    case 'co':
    case 'v':
      return dropped.has(`${String(ns)} ${String(at)}`) ? null : line;
    case 'w': {
      if (dropped.has(`${String(ns)} ${String(at)}`)) return null;
      const key: Key = ['w', '', ...line.key];
      const task = unpackTaskWrites(key, value);
      const writes = task.writes.filter(({ runId }) => !later.has(runId));
      if (writes.length === task.writes.length) return line;
      if (writes.length === 0 || isSingleWrite(key)) return null;
      return withValue(line, packTaskWrites({ ...task, writes }));
    }
    default:
      return line;
  }
}

function withValue(line: StateLine, value: Uint8Array): StateLine {
  return { ...line, value: Buffer.from(value).toString('base64') };
}

function fileOf(lines: readonly Line[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ end: { lines: lines.length, sha256 } })}\n`;
}
