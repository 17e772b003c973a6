import { isObject, type JsonObject } from '../../base/json/json.js';

/** Longer values are cut. */
const VALUE_CHARS_MAX = 400;
/** Messages whose progress is remembered. An older message that is streamed again is written again. */
const MESSAGES_MAX = 10_000;

/** Writes events for a person to read: one line each. The text of a message is appended to its line as it arrives. */
export class Transcript {
  readonly #write: (text: string) => void;
  /** Characters already written, by message id. */
  readonly #writtenChars = new Map<string, number>();
  readonly #nodeByMessage = new Map<string, string>();
  readonly #shownInterrupts = new Set<string>();
  /** The message to which the last line belongs; null if the line is complete. */
  #openMessageId: string | null = null;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Writes one event. `data` is JSON text. */
  writeEvent(event: string, data: string): void {
    const [mode, ...namespace] = event.split('|') as [string, ...string[]];
    const where = namespace.length === 0 ? '' : `[${namespace.map((part) => part.split(':')[0]).join(' > ')}] `;
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      value = data;
    }
    if (mode === 'metadata' && isObject(value)) this.#writeRun(value);
    else if (mode === 'error' && isObject(value))
      this.#writeLine(
        value['error'] === 'StreamGap'
          ? `gap: ${shorten(value['message'])}`
          : `error: ${shorten(value['error'])}: ${shorten(value['message'])}`,
      );
    else if (mode === 'messages' && Array.isArray(value))
      this.#writeMessageChunk(value[0], isObject(value[1]) ? value[1] : {}, where);
    else if (mode === 'messages/metadata' && isObject(value))
      for (const [id, one] of Object.entries(value))
        this.#nodeByMessage.set(id, nodeOf(isObject(one) ? one['metadata'] : null));
    else if ((mode === 'messages/partial' || mode === 'messages/complete') && Array.isArray(value))
      for (const message of value) this.#writeMessage(message, where);
    else if (mode === 'updates' && isObject(value)) this.#writeUpdates(value, where);
    else if (mode === 'values' && isObject(value)) this.#writeValues(value, where);
    else this.#writeLine(`${where}${mode}: ${shorten(value)}`);
  }

  #writeRun(about: JsonObject): void {
    const runId = String(about['run_id'] ?? '?');
    if (about['status'] === 'run_done') this.#writeLine(`run ${runId}: ${shorten(about['run_status'])}`);
    else
      this.#writeLine(
        `run ${runId}${Number(about['attempt'] ?? 1) > 1 ? `, attempt ${shorten(about['attempt'])}` : ''}`,
      );
  }

  /** Appends a chunk of a message. */
  #writeMessageChunk(chunk: unknown, about: JsonObject, where: string): void {
    if (!isObject(chunk)) return;
    const id = String(chunk['id'] ?? '?');
    this.#beginMessage(id, `${where}${nodeOf(about)}`);
    const calls = Array.isArray(chunk['tool_call_chunks']) ? chunk['tool_call_chunks'].filter(isObject) : [];
    this.#writeText(
      id,
      contentText(chunk['content']) +
        calls
          .map(
            ({ name, args }) => `${typeof name === 'string' ? ` ${name} ` : ''}${typeof args === 'string' ? args : ''}`,
          )
          .join(''),
    );
  }

  /** Writes the part of a message that is not written yet. */
  #writeMessage(message: unknown, where: string): void {
    if (!isObject(message)) return;
    const id = String(message['id'] ?? '?');
    const text = messageText(message);
    const written = this.#writtenChars.get(id) ?? 0;
    if (written >= text.length && written > 0) return;
    this.#beginMessage(id, `${where}${this.#nodeByMessage.get(id) ?? String(message['type'] ?? 'message')}`);
    this.#writeText(id, text.slice(written));
  }

  #writeUpdates(update: JsonObject, where: string): void {
    for (const [node, change] of Object.entries(update)) {
      if (node === '__interrupt__') this.#writeInterrupts(change, where);
      else this.#writeChange(`${where}${node}`, change);
    }
  }

  #writeValues(values: JsonObject, where: string): void {
    const { __interrupt__: interrupts, ...state } = values;
    if (Object.keys(state).length > 0) this.#writeChange(`${where}values`, state);
    if (interrupts !== undefined) this.#writeInterrupts(interrupts, where);
  }

  /** Writes new messages, and the rest of the change on one line. */
  #writeChange(name: string, change: unknown): void {
    if (!isObject(change)) {
      this.#writeLine(`${name}: ${shorten(change)}`);
      return;
    }
    const { messages, ...rest } = change;
    if (Object.keys(rest).length > 0 || messages === undefined) this.#writeLine(`${name}: ${shorten(rest)}`);
    for (const message of Array.isArray(messages) ? messages : [messages]) {
      if (!isObject(message) || this.#writtenChars.has(String(message['id'] ?? '?'))) continue;
      this.#writeMessage(message, `${name}: `);
    }
  }

  #writeInterrupts(interrupts: unknown, where: string): void {
    for (const one of Array.isArray(interrupts) ? interrupts : []) {
      if (!isObject(one)) continue;
      const id = String(one['id'] ?? JSON.stringify(one));
      // The modes updates and values both report an interrupt.
      if (this.#shownInterrupts.has(id)) continue;
      this.#shownInterrupts.add(id);
      this.#writeLine(`${where}interrupt: ${shorten(one['value'])}`);
    }
  }

  #beginMessage(id: string, name: string): void {
    if (this.#openMessageId === id) return;
    this.#endLine();
    this.#openMessageId = id;
    if (!this.#writtenChars.has(id)) this.#writtenChars.set(id, 0);
    if (this.#writtenChars.size > MESSAGES_MAX) this.#writtenChars.delete(this.#writtenChars.keys().next().value!);
    this.#write(`${stripControlCharacters(name)}: `);
  }

  #writeText(id: string, text: string): void {
    this.#writtenChars.set(id, (this.#writtenChars.get(id) ?? 0) + text.length);
    this.#write(stripControlCharacters(text));
  }

  #writeLine(text: string): void {
    this.#endLine();
    this.#write(`${stripControlCharacters(text)}\n`);
  }

  #endLine(): void {
    if (this.#openMessageId !== null) this.#write('\n');
    this.#openMessageId = null;
  }
}

function nodeOf(about: unknown): string {
  return isObject(about) && typeof about['langgraph_node'] === 'string' ? about['langgraph_node'] : 'message';
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('')
    : '';
}

/** The text of a message, followed by the names and arguments of its tool calls. */
function messageText(message: JsonObject): string {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isObject) : [];
  return (
    contentText(message['content']) + calls.map(({ name, args }) => ` ${String(name)} ${JSON.stringify(args)}`).join('')
  );
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text;
}

/** Replaces control characters other than newline and tab, so that text from elsewhere cannot move the cursor. */
function stripControlCharacters(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]+/gu, ' ');
}
