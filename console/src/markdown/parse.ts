import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { isEmbeddedImage, isSafeLink } from './addresses.js';
import { buildNodes } from './build-nodes.js';
import type { MarkdownNode } from './nodes.js';

/** A block at the top level of a text: a paragraph, a whole list, a table. */
export interface MarkdownBlock {
  source: string;
  nodes: readonly MarkdownNode[];
}

/** Quotes and lists within each other. markdown-it leaves out what is deeper. */
const NESTING_MAX = 40;

const parser = new MarkdownIt({ html: false, linkify: true, maxNesting: NESTING_MAX });
// Only addresses with a scheme: names of files such as `main.py` are domains too.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
parser.validateLink = (address) => isSafeLink(address) || isEmbeddedImage(address);

/**
 * Parses one message, again and again while it grows. A call parses only what can still change: a block that is
 * followed by a line of another block is final.
 */
export class MarkdownParser {
  #text = '';
  #blocks: readonly MarkdownBlock[] = [];
  /** Blocks that are final, and the characters before the first other one. */
  #final = { blocks: 0, chars: 0 };
  /** Characters that were parsed, for tests. */
  parsedChars = 0;

  parse(raw: string, isGrowing: boolean): readonly MarkdownBlock[] {
    // As the parser itself does it, whose line numbers count these lines.
    const text = raw.replaceAll(/\r\n?/g, '\n');
    const continues = isGrowing && text.startsWith(this.#text);
    const start = continues ? this.#final : { blocks: 0, chars: 0 };
    const tail = text.slice(start.chars);
    const { blocks, starts, hasReferences } = parseBlocks(tail);
    this.parsedChars += tail.length;
    const settled = isGrowing ? settledBlocks(tail, starts) : { blocks: 0, chars: 0 };
    const before = this.#blocks;
    this.#blocks = [
      ...before.slice(0, start.blocks),
      ...blocks.map((block, at) => {
        // The same object for the same text, so that it is not rendered again. Definitions change links elsewhere.
        const known = hasReferences ? undefined : before[start.blocks + at];
        return known?.source === block.source ? known : block;
      }),
    ];
    this.#text = text;
    this.#final = { blocks: start.blocks + settled.blocks, chars: start.chars + settled.chars };
    return this.#blocks;
  }
}

interface ParsedBlocks {
  blocks: MarkdownBlock[];
  /** The first line of each block. */
  starts: number[];
  hasReferences: boolean;
}

function parseBlocks(text: string): ParsedBlocks {
  const env: Env = {};
  const tokens = parser.parse(text, env);
  const lines = text.split('\n');
  const found: ParsedBlocks = { blocks: [], starts: [], hasReferences: env.references !== undefined };
  for (let first = 0; first < tokens.length;) {
    const last = endOfBlock(tokens, first);
    const ofBlock = tokens.slice(first, last + 1);
    const [from, to] = tokens[first]!.map ?? [0, 0];
    const source = lines.slice(from, to).join('\n');
    found.starts.push(from);
    found.blocks.push({ source, nodes: isCut(ofBlock) ? [source] : buildNodes(ofBlock) });
    first = last + 1;
  }
  return found;
}

function endOfBlock(tokens: readonly Token[], first: number): number {
  let depth = 0;
  for (let at = first; at < tokens.length; at += 1) {
    depth += tokens[at]!.nesting;
    if (depth === 0) return at;
  }
  return tokens.length - 1;
}

/** Whether the parser left out the content below its deepest level. Such a block is shown as it was written. */
function isCut(tokens: readonly Token[]): boolean {
  return tokens.some(({ nesting, level }) => nesting === 1 && level + 1 >= NESTING_MAX);
}

/**
 * The blocks of a growing text that no further text can change. The last line is incomplete, and may still join the
 * block before it, or make a table of it and of the line before. So the last block that begins above these two lines
 * and all blocks after it are open.
 */
function settledBlocks(text: string, starts: readonly number[]): { blocks: number; chars: number } {
  const lines = text.split('\n');
  const blocks = starts.findLastIndex((line) => line <= lines.length - 3);
  if (blocks === -1) return { blocks: 0, chars: 0 };
  const chars = lines.slice(0, starts[blocks]).reduce((sum, line) => sum + line.length + 1, 0);
  return { blocks, chars };
}
