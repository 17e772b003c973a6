import { VERSION } from '../../base/version.js';
import type { Server } from '../../server/server.js';

/** A line below the first one: a label and its text. */
export type GreetingLine = readonly [label: string, text: string];

/** More graphs than these would push the addresses out of sight. */
const GRAPHS_MAX = 8;

/**
 * What a server prints on stdout when it listens. The first line begins with `Threadmill at URL`, which programs parse
 * for the address. The console comes next, because it is what most people open.
 */
export function greetingOf(server: Server, more: readonly GreetingLine[] = []): string {
  const { url, graphIds, links } = server;
  const lines: GreetingLine[] = [
    ...(links.console ? [['Console', `${url}/console`] as const] : []),
    ...(links.docs ? [['API', `${url}/docs`] as const] : []),
    ...curlLine(server),
    ...more,
    ...transportLine(server),
  ];
  const width = Math.max(...lines.map(([label]) => label.length));
  return [
    `Threadmill at ${url} hosts ${graphList(graphIds)} (version ${VERSION})`,
    ...lines.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`),
  ].join('\n');
}

/** The greeting of a node that is not the owner of its cluster. */
export function waitingGreeting(url: string): string {
  return `Threadmill at ${url} passes requests to the owner of the cluster, and can take over from it (version ${VERSION})`;
}

/** Absent when runs are disabled, or when only the handler of the project knows what a caller has to send. */
function curlLine({ url, graphIds, links, credential }: Server): GreetingLine[] {
  if (!links.runs || credential === 'handler') return [];
  const body = {
    assistant_id: graphIds[0],
    input: { messages: [{ role: 'user', content: 'hello' }] },
  };
  const key = credential === 'key' ? ` -H "x-api-key: $KEY"` : '';
  return [['Try it', `curl -N ${url}/runs/stream${key} --json '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`]];
}

function transportLine({ transport }: Server): GreetingLine[] {
  return transport.problem === null
    ? []
    : [['Note', `HTTP runs over node:http, which takes more CPU per request: ${transport.problem}.`]];
}

function graphList(graphIds: readonly string[]): string {
  const shown = graphIds.slice(0, GRAPHS_MAX).join(', ');
  return graphIds.length > GRAPHS_MAX ? `${shown} and ${graphIds.length - GRAPHS_MAX} more` : shown;
}
