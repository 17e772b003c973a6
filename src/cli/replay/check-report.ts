import { writeFileSync } from 'node:fs';
import { CommandError, printable } from '../client.js';
import { escapeMarkdown, markdownTable } from '../output/markdown.js';
import type { ThreadCheck } from './check-thread.js';

/** Threads that fail for the same reason. */
export interface FailureGroup {
  graphId: string;
  reason: string;
  advice: string | null;
  threadIds: string[];
}

/** The result of `threadmill check`. */
export interface CheckSummary {
  /** The code that was checked. */
  place: string;
  /** Number of threads that wait. */
  total: number;
  checked: number;
  resumed: number;
  /** Resumed, and then stopped at a request that is not recorded. */
  stopped: number;
  failed: number;
  /** The most frequent first. */
  failures: FailureGroup[];
  threads: ThreadCheck[];
}

export function summaryOf(threads: ThreadCheck[], { total, place }: { total: number; place: string }): CheckSummary {
  const groups = new Map<string, FailureGroup>();
  for (const { graphId, reason, advice, threadId } of threads) {
    if (reason === null) continue;
    const name = JSON.stringify([graphId, reason]);
    const group = groups.get(name) ?? { graphId, reason, advice, threadIds: [] };
    group.threadIds.push(threadId);
    groups.set(name, group);
  }
  const countOf = (outcome: ThreadCheck['outcome']): number => threads.filter((one) => one.outcome === outcome).length;
  return {
    ...{ place, total, checked: threads.length },
    ...{ resumed: countOf('resumed'), stopped: countOf('stopped'), failed: countOf('failed') },
    failures: [...groups.values()].sort((a, b) => b.threadIds.length - a.threadIds.length),
    threads,
  };
}

const THREADS_SHOWN = 3;

/** `412 of 415 resume; 3 fail.` */
function headlineOf({ checked, resumed, stopped, failed, total }: CheckSummary): string {
  if (total === 0) return 'No thread waits for an answer or for its time.';
  const sample = checked < total ? ` (${checked} of ${total} waiting threads were checked)` : '';
  return `${resumed + stopped} of ${checked} resume; ${failed} ${failed === 1 ? 'fails' : 'fail'}${sample}.`;
}

function stoppedNote({ stopped }: CheckSummary): string | null {
  if (stopped === 0) return null;
  const subject = stopped === 1 ? 'One of them resumes and then makes' : `${stopped} of them resume and then make`;
  return `${subject} a request that is not recorded, which was refused.`;
}

export function checkText(summary: CheckSummary): string {
  const note = stoppedNote(summary);
  const lines = [headlineOf(summary), ...(note === null ? [] : [note])];
  for (const { graphId, reason, advice, threadIds } of summary.failures) {
    const more = threadIds.length - THREADS_SHOWN;
    lines.push(
      '',
      `${threadIds.length} of graph "${graphId}": ${reason}`,
      `  ${threadIds.slice(0, THREADS_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
      ...(advice === null ? [] : [`  ${advice}`]),
    );
  }
  return lines.map(printable).join('\n');
}

export function checkMarkdown(summary: CheckSummary): string {
  const note = stoppedNote(summary);
  return [
    `### ${summary.failed === 0 ? '✅' : '❌'} Waiting threads under the new code`,
    escapeMarkdown(`${headlineOf(summary)}${note === null ? '' : ` ${note}`}`),
    ...(summary.failures.length === 0
      ? []
      : [
          markdownTable(
            ['threads', 'graph', 'reason', 'what to do'],
            summary.failures.map(({ threadIds, graphId, reason, advice }) => [
              ...[String(threadIds.length), graphId, reason, advice ?? ''],
            ]),
          ),
        ]),
    '',
  ].join('\n\n');
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; }
h2 { font-size: 1rem; margin: 2rem 0 0.25rem; }
p { margin: 0.25rem 0; max-width: 45rem; }
code { font: 0.85em ui-monospace, monospace; overflow-wrap: anywhere; }
.muted { opacity: 0.7; }
table { border-collapse: collapse; margin-top: 0.5rem; }
td, th { text-align: left; padding: 0.25rem 1.5rem 0.25rem 0; border-bottom: 1px solid color-mix(in srgb, currentcolor 20%, transparent); }
`;

/** Writes the report as one page that needs no server. Throws CommandError. */
export function writeCheckPage(file: string, summary: CheckSummary): void {
  const note = stoppedNote(summary);
  const sections = summary.failures.map(
    ({ threadIds, graphId, reason, advice }) => `<section>
<h2>${escapeHtml(`${threadIds.length} of graph "${graphId}": ${reason}`)}</h2>
${advice === null ? '' : `<p>${escapeHtml(advice)}</p>`}
<details><summary>Threads</summary>${threadIds.map((id) => `<p><code>${escapeHtml(id)}</code></p>`).join('')}</details>
</section>`,
  );
  const rows = (['resumed', 'stopped', 'failed'] as const).map(
    (name) => `<tr><td>${name}</td><td>${summary[name]}</td></tr>`,
  );
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Waiting threads under the new code</title>
<style>${STYLE}</style>
<h1>${escapeHtml(headlineOf(summary))}</h1>
${note === null ? '' : `<p>${escapeHtml(note)}</p>`}
<p class="muted">${escapeHtml(`Code: ${summary.place}. ${new Date().toISOString()}`)}</p>
<table><tr><th>Outcome</th><th>Threads</th></tr>${rows.join('')}</table>
${sections.join('\n')}
</html>
`;
  try {
    writeFileSync(file, page, { mode: 0o600 });
  } catch (error) {
    throw new CommandError(`--html: "${file}" cannot be written: ${(error as Error).message}`);
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
