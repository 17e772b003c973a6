import { isObject, type JsonObject } from '../../base/json/json.js';

/** What stands for an object on a line. */
const CUT_CHARS = 400;
/** So many messages are remembered; one that is told again after that is written again. */
const MESSAGES_MAX = 10_000;

/** Events as a person reads them: a line each, but for the text of messages, which is written on as it comes. */
export class Transcript {
  readonly #write: (text: string) => void;
  /** How much of each message was written, by its id. */
  readonly #written = new Map<string, number>();
  readonly #nodes = new Map<string, string>();
  readonly #interrupts = new Set<string>();
  /** The message whose text the last line is. */
  #open: string | null = null;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** `data` is the event's own JSON. */
  take(event: string, data: string): void {
    const [mode, ...namespace] = event.split('|') as [string, ...string[]];
    const where = namespace.length === 0 ? '' : `[${namespace.map((part) => part.split(':')[0]).join(' > ')}] `;
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      value = data;
    }
    if (mode === 'metadata' && isObject(value)) this.#run(value);
    else if (mode === 'error' && isObject(value))
      this.#line(
        value['error'] === 'StreamGap'
          ? `gap: ${cut(value['message'])}`
          : `error: ${cut(value['error'])}: ${cut(value['message'])}`,
      );
    else if (mode === 'messages' && Array.isArray(value))
      this.#token(value[0], isObject(value[1]) ? value[1] : {}, where);
    else if (mode === 'messages/metadata' && isObject(value))
      for (const [id, one] of Object.entries(value))
        this.#nodes.set(id, nodeOf(isObject(one) ? one['metadata'] : null));
    else if ((mode === 'messages/partial' || mode === 'messages/complete') && Array.isArray(value))
      for (const message of value) this.#whole(message, where);
    else if (mode === 'updates' && isObject(value)) this.#updates(value, where);
    else if (mode === 'values' && isObject(value)) this.#values(value, where);
    else this.#line(`${where}${mode}: ${cut(value)}`);
  }

  #run(about: JsonObject): void {
    const runId = String(about['run_id'] ?? '?');
    if (about['status'] === 'run_done') this.#line(`run ${runId}: ${cut(about['run_status'])}`);
    else this.#line(`run ${runId}${Number(about['attempt'] ?? 1) > 1 ? `, attempt ${cut(about['attempt'])}` : ''}`);
  }

  /** A piece of a message: its text is written on. */
  #token(chunk: unknown, about: JsonObject, where: string): void {
    if (!isObject(chunk)) return;
    const id = String(chunk['id'] ?? '?');
    this.#begin(id, `${where}${nodeOf(about)}`);
    const calls = Array.isArray(chunk['tool_call_chunks']) ? chunk['tool_call_chunks'].filter(isObject) : [];
    this.#text(
      id,
      textOf(chunk['content']) +
        calls
          .map(
            ({ name, args }) => `${typeof name === 'string' ? ` ${name} ` : ''}${typeof args === 'string' ? args : ''}`,
          )
          .join(''),
    );
  }

  /** A message as far as it goes: what is not written yet is. */
  #whole(message: unknown, where: string): void {
    if (!isObject(message)) return;
    const id = String(message['id'] ?? '?');
    const text = wordsOf(message);
    const done = this.#written.get(id) ?? 0;
    if (done >= text.length && done > 0) return;
    this.#begin(id, `${where}${this.#nodes.get(id) ?? String(message['type'] ?? 'message')}`);
    this.#text(id, text.slice(done));
  }

  #updates(update: JsonObject, where: string): void {
    for (const [node, change] of Object.entries(update)) {
      if (node === '__interrupt__') this.#interrupted(change, where);
      else this.#changed(`${where}${node}`, change);
    }
  }

  #values(values: JsonObject, where: string): void {
    const { __interrupt__: interrupts, ...state } = values;
    if (Object.keys(state).length > 0) this.#changed(`${where}values`, state);
    if (interrupts !== undefined) this.#interrupted(interrupts, where);
  }

  /** Messages that were not there before, and the rest on a line. */
  #changed(name: string, change: unknown): void {
    if (!isObject(change)) {
      this.#line(`${name}: ${cut(change)}`);
      return;
    }
    const { messages, ...rest } = change;
    if (Object.keys(rest).length > 0 || messages === undefined) this.#line(`${name}: ${cut(rest)}`);
    for (const message of Array.isArray(messages) ? messages : [messages]) {
      if (!isObject(message) || this.#written.has(String(message['id'] ?? '?'))) continue;
      this.#whole(message, `${name}: `);
    }
  }

  #interrupted(interrupts: unknown, where: string): void {
    for (const one of Array.isArray(interrupts) ? interrupts : []) {
      if (!isObject(one)) continue;
      const id = String(one['id'] ?? JSON.stringify(one));
      // Told by updates and by values.
      if (this.#interrupts.has(id)) continue;
      this.#interrupts.add(id);
      this.#line(`${where}interrupt: ${cut(one['value'])}`);
    }
  }

  #begin(id: string, name: string): void {
    if (this.#open === id) return;
    this.#end();
    this.#open = id;
    if (!this.#written.has(id)) this.#written.set(id, 0);
    if (this.#written.size > MESSAGES_MAX) this.#written.delete(this.#written.keys().next().value!);
    this.#write(`${safe(name)}: `);
  }

  #text(id: string, text: string): void {
    this.#written.set(id, (this.#written.get(id) ?? 0) + text.length);
    this.#write(safe(text));
  }

  #line(text: string): void {
    this.#end();
    this.#write(`${safe(text)}\n`);
  }

  #end(): void {
    if (this.#open !== null) this.#write('\n');
    this.#open = null;
  }
}

function nodeOf(about: unknown): string {
  return isObject(about) && typeof about['langgraph_node'] === 'string' ? about['langgraph_node'] : 'message';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('')
    : '';
}

/** Text of a message and, when it calls tools, their names and arguments. */
function wordsOf(message: JsonObject): string {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isObject) : [];
  return (
    textOf(message['content']) + calls.map(({ name, args }) => ` ${String(name)} ${JSON.stringify(args)}`).join('')
  );
}

function cut(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > CUT_CHARS ? `${text.slice(0, CUT_CHARS)}…` : text;
}

/** Of what comes from elsewhere no character moves the cursor; lines stay lines. */
function safe(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]+/gu, ' ');
}
