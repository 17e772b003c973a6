import { appendFileSync } from 'node:fs';
import { CommandError, printable } from '../client.js';

/** Appends Markdown to the file of --markdown, such as the summary of a pull request. Throws CommandError. */
export function appendMarkdown(file: string, text: string): void {
  try {
    appendFileSync(file, text);
  } catch (error) {
    throw new CommandError(`--markdown: ${file} cannot be written: ${(error as Error).message}`);
  }
}

export function markdownTable(names: readonly string[], rows: readonly (readonly string[])[]): string {
  return [names, names.map(() => '---'), ...rows.map((row) => row.map(escapeMarkdown))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

/** Text that Markdown shows as it is. */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replaceAll(/[\\`*_{}[\]<>#|~]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', ' ');
}
