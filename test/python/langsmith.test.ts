import * as zlib from 'node:zlib';
import t from 'tap';
import { runPython } from '../helpers/python.js';
import { configWith, testServer } from '../helpers/server.js';

t.test('serves the Python client langsmith, which warns of nothing', { timeout: 300_000 }, async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  // Without zstd on the server the client says that it sends runs as they are.
  const env: Record<string, string> = 'zstdDecompressSync' in zlib ? {} : { LANGSMITH_DISABLE_RUN_COMPRESSION: 'true' };
  const { found, stderr } = await runPython('langsmith_client.py', [server.url], env);
  t.strictSame(found, {
    created: 3,
    has: [true, false],
    dataset: 4,
    listed: [true],
    sums: [3, 7, 11, 15],
    test: [{ size: 7, dataset_split: ['test'] }],
    large: [5],
    splits: ['test', 'train'],
    small: 1,
    versions: 5,
    first: 3,
    difference: 1,
    scores: [
      [1, true, 0],
      [3, false, 1],
      [5, true, 0],
      [7, true, 0],
    ],
    project: {
      correct: 0.75,
      distance: 0.25,
      share_correct: 0.75,
      dataset: true,
      description: 'Adds',
      model: 'adder',
      errors: 0,
    },
    experiments: [true],
    roots: [3, 8, 11, 15],
    tools: 4,
    filtered: 4,
    wrong: [3],
    children: ['add'],
    run: ['success', null, true, 0],
    feedback: [['correct', 'distance'], 8],
    comments: true,
    stats: 4,
    again: 4,
    compared: 4,
    traces: [
      ['add', 'success'],
      ['row 0', 'success'],
      ['row 1', 'success'],
      ['row 2', 'success'],
      ['row 3', 'success'],
      ['row 4', 'error'],
    ],
    outputs: [-3, -2, -1, 0],
    errors: ['it failed'],
    latest: 2,
    opinion: [1, 'better', 'helpful'],
    opinions: 0,
    left: 2,
    gone: ['not found', 'not found', 'not found'],
  });
  t.equal(stderr, '', 'no warning');
});
