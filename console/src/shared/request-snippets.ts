import { prettyJson } from '../api/json.js';
import { withoutFiles } from './snippet-files.js';
import { javascriptLiteral, pythonLiteral, shellQuoted } from './code-literals.js';

/** A request as code to copy: for curl, and for the SDKs where they have a method for it. */
export interface Snippets {
  curl: string;
  javascript: string;
  python: string;
}

export interface CopiedRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Without a leading slash. */
  path: string;
  body?: unknown;
  /** The response is a stream of events. */
  isStream?: boolean;
  /** The path is below that of a thread that the code creates first. */
  hasNewThread?: boolean;
  /** Null: no method of the SDKs makes this request. */
  sdk: SdkCall | null;
}

export interface SdkCall {
  library: 'langgraph' | 'langsmith';
  /** As in Python, such as `runs.stream`. */
  method: string;
  /** Positional arguments. */
  args: readonly unknown[];
  /** Named arguments as in Python. */
  options: Readonly<Record<string, unknown>>;
  /** The method returns items one by one. */
  isIterated?: boolean;
}

export interface SnippetServer {
  /** Without a final slash. */
  url: string;
  /** How the caller authenticates. The secret itself is never part of a snippet. */
  credential: 'x-api-key' | 'bearer' | null;
}

/** Positional argument of an SDK call: the id of the thread that the code creates first. */
export const NEW_THREAD = Symbol('the id of the new thread');
/** Environment variable from which snippets read the key. */
const KEY = 'THREADMILL_API_KEY';

export function requestSnippets(whole: CopiedRequest, server: SnippetServer): Snippets {
  const { value, files } = withoutFiles({ body: whole.body, options: whole.sdk?.options });
  const { body, options } = value as { body: unknown; options: SdkCall['options'] };
  const request: CopiedRequest =
    files.length === 0 ? whole : { ...whole, body, sdk: whole.sdk === null ? null : { ...whole.sdk, options } };
  const note = (mark: string): string =>
    files.length === 0
      ? ''
      : [...new Set(files)].map((one) => `${mark} Replace ${one} by the content of the file in base64.\n`).join('');
  // The client of LangSmith sends API keys only.
  const sdk = request.sdk?.library === 'langsmith' && server.credential === 'bearer' ? null : request.sdk;
  return {
    curl: note('#') + curlSnippet(request, server),
    javascript:
      note('//') + (sdk === null ? fetchSnippet(request, server) : javascriptSdkSnippet(request, sdk, server)),
    python: note('#') + (sdk === null ? requestsSnippet(request, server) : pythonSdkSnippet(request, sdk, server)),
  };
}

function curlSnippet({ method, path, body, isStream, hasNewThread }: CopiedRequest, server: SnippetServer): string {
  const header = {
    'x-api-key': ` -H "x-api-key: $${KEY}"`,
    bearer: ` -H "authorization: Bearer $${KEY}"`,
    none: '',
  }[server.credential ?? 'none'];
  // curl sends data with POST.
  const verb = method === (body === undefined ? 'GET' : 'POST') ? '' : ` -X ${method}`;
  const json = body === undefined ? '' : ` --json ${shellQuoted(shortJson(body))}`;
  const command = `curl ${isStream === true ? '-N' : '-s'}${verb}`;
  if (hasNewThread !== true) return `${command} ${shellQuoted(`${server.url}/${path}`)}${header}${json}`;
  const threads = shellQuoted(`${server.url}/threads`);
  return `THREAD=$(curl -s ${threads}${header} --json '{}' | jq -r .thread_id)
${command} ${threads}/"$THREAD"/${path}${header}${json}`;
}

function fetchSnippet({ method, path, body }: CopiedRequest, { url, credential }: SnippetServer): string {
  const headers = [
    ...(body === undefined ? [] : [`'content-type': 'application/json'`]),
    ...(credential === null ? [] : [javascriptHeader(credential)]),
  ];
  const options = [
    `method: '${method}'`,
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${javascriptLiteral(body, '  ')})`]),
  ];
  return `const response = await fetch(${javascriptLiteral(`${url}/${path}`)}, {
${options.map((option) => `  ${option},\n`).join('')}});
console.log(response.status, await response.json());`;
}

function requestsSnippet({ method, path, body }: CopiedRequest, { url, credential }: SnippetServer): string {
  const lines = [
    pythonLiteral(method),
    pythonLiteral(`${url}/${path}`),
    ...(credential === null ? [] : [`headers={${pythonHeader(credential)}}`]),
    ...(body === undefined ? [] : [`json=${pythonLiteral(body, '    ')}`]),
  ];
  return `# pip install requests${credential === null ? '' : '\nimport os'}
import requests

response = requests.request(
${lines.map((line) => `    ${line},\n`).join('')})
print(response.status_code, response.json())`;
}

function javascriptSdkSnippet(
  { isStream, hasNewThread }: CopiedRequest,
  { library, method, args, options, isIterated }: SdkCall,
  { url, credential }: SnippetServer,
): string {
  const client = [
    `apiUrl: ${javascriptLiteral(url)}`,
    ...(library === 'langsmith'
      ? [`apiKey: ${credential === null ? "'any'" : `process.env.${KEY}`}`]
      : credential === null
        ? []
        : credential === 'bearer'
          ? [`defaultHeaders: { ${javascriptHeader(credential)} }`]
          : [`apiKey: process.env.${KEY}`]),
  ];
  const named = Object.fromEntries(Object.entries(options).map(([name, value]) => [camelCase(name), value]));
  const all = [
    ...args.map((value) => (value === NEW_THREAD ? 'thread.thread_id' : javascriptLiteral(value))),
    ...(Object.keys(named).length === 0 ? [] : [javascriptLiteral(named)]),
  ];
  const call = `client.${method.split('.').map(camelCase).join('.')}(${all.join(', ')})`;
  return `// npm install ${library === 'langsmith' ? 'langsmith' : '@langchain/langgraph-sdk@1'}
import { Client } from '${library === 'langsmith' ? 'langsmith' : '@langchain/langgraph-sdk'}';

const client = new Client({ ${client.join(', ')} });
${hasNewThread === true ? 'const thread = await client.threads.create();\n' : ''}${
    isStream === true
      ? `for await (const { event, data } of ${call})\n  console.log(event, data);`
      : isIterated === true
        ? `for await (const item of ${call})\n  console.log(item);`
        : `console.log(await ${call});`
  }`;
}

function pythonSdkSnippet(
  { isStream, hasNewThread }: CopiedRequest,
  { library, method, args, options, isIterated }: SdkCall,
  { url, credential }: SnippetServer,
): string {
  const isLangsmith = library === 'langsmith';
  const client = [
    `${isLangsmith ? 'api_url' : 'url'}=${pythonLiteral(url)}`,
    ...(isLangsmith
      ? [`api_key=${credential === null ? '"any"' : `os.environ["${KEY}"]`}`]
      : credential === null
        ? []
        : credential === 'bearer'
          ? [`headers={${pythonHeader(credential)}}`]
          : [`api_key=os.environ["${KEY}"]`]),
  ];
  const all = [
    ...args.map((value) => (value === NEW_THREAD ? 'thread["thread_id"]' : pythonLiteral(value, '    '))),
    ...Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${pythonLiteral(value, '    ')}`),
  ];
  const line = all.join(', ');
  const call = `client.${method}(${line.length <= 60 && !line.includes('\n') ? line : `\n${all.map((one) => `    ${one},\n`).join('')}`})`;
  return `# pip install ${isLangsmith ? 'langsmith' : 'langgraph-sdk'}${credential === null ? '' : '\nimport os'}
from ${isLangsmith ? 'langsmith import Client' : 'langgraph_sdk import get_sync_client'}

client = ${isLangsmith ? 'Client' : 'get_sync_client'}(${client.join(', ')})
${hasNewThread === true ? 'thread = client.threads.create()\n' : ''}${
    isStream === true
      ? `for part in ${call}:\n    print(part.event, part.data)`
      : isIterated === true
        ? `for item in ${call}:\n    print(item)`
        : `print(${call})`
  }`;
}

function javascriptHeader(credential: 'x-api-key' | 'bearer'): string {
  return credential === 'bearer'
    ? `authorization: \`Bearer \${process.env.${KEY}}\``
    : `'x-api-key': process.env.${KEY}`;
}

function pythonHeader(credential: 'x-api-key' | 'bearer'): string {
  return credential === 'bearer'
    ? `"authorization": f"Bearer {os.environ['${KEY}']}"`
    : `"x-api-key": os.environ["${KEY}"]`;
}

/** The names of the API for those of the JavaScript SDK. */
export function snakeCaseKeys(payload: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

/** JSON in one line if it is short. */
function shortJson(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length <= 80 ? line : prettyJson(value);
}
