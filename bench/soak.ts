/** `make soak`: runs the soak for MINUTES, and until RUNS short runs are done. */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './contenders/threadmill.js';
import { chart } from './soak/chart.js';
import { soak } from './soak/soak.js';
import { failures, table, verdicts } from './soak/verdicts.js';

const CHART = join(ROOT, 'bench', 'soak.svg');
const SAMPLES = join(ROOT, 'bench', 'soak.json');
const SAMPLES_MAX = 20_000;
const SAMPLE_MS = 1_000;

/** Exits with 1 if a series grows or does not recover, or if an error occurred; with 2 for a wrong variable. */
async function main(): Promise<void> {
  const minutes = number('SOAK_MINUTES', 10);
  const runs = number('SOAK_RUNS', 0);
  const sampleMs = Math.max(SAMPLE_MS, Math.ceil((minutes * 60_000) / SAMPLES_MAX));
  process.stdout.write(
    `Soak: ${minutes} minutes${runs > 0 ? ` and ${runs} short runs` : ''}, a sample every ${sampleMs} ms.\n`,
  );
  const result = await soak({
    seconds: minutes * 60,
    runs,
    sampleMs,
    preludeSeconds: 10,
    restSeconds: 15,
    recoverySecondsMax: 120,
  });
  writeFileSync(
    SAMPLES,
    JSON.stringify({ ...result, done: Object.fromEntries(result.done), errors: Object.fromEntries(result.errors) }),
  );
  writeFileSync(CHART, chart(result));
  const all = verdicts(result);
  const wrong = failures(result, all);
  const [first, last] = [result.samples[0]!, result.samples.at(-1)!];
  process.stdout.write(
    [
      '',
      table(all),
      '',
      `${result.samples.length} samples in ${Math.round(last.at - first.at)} s; ${cpus().length} cores, load average ${loadavg()
        .map((one) => one.toFixed(1))
        .join(' ')}.`,
      `Done: ${[...result.done].map(([what, count]) => `${count} ${what}`).join('; ')}.`,
      `Charts: ${CHART}`,
      `Samples: ${SAMPLES}`,
      ...(all.some(({ tooShort }) => tooShort)
        ? ['Memory is not judged in soaks under 45 minutes, because heaps are still settling after the warm-up.']
        : []),
      ...(wrong.length === 0 ? ['Passed.'] : wrong.map((one) => `FAILED: ${one}`)),
      '',
    ].join('\n'),
  );
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

function number(name: string, otherwise: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return otherwise;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  process.stderr.write(`${name}: must be a number of 0 or more; got ${JSON.stringify(text)}.\n`);
  process.exit(2);
}

await main();
