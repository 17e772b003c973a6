import type { Token } from 'markdown-it';
import { isEmbeddedImage, isSafeLink } from './addresses.js';
import type { ElementNode, ElementTag, MarkdownNode } from './nodes.js';

/** Elements within elements. Deeper ones are left out and keep their text, because layouts of any depth are slow. */
const DEPTH_MAX = 40;

/** Tokens that open an element and what they become. Headings are below those of the page. */
const TAGS: Readonly<Record<string, ElementTag>> = {
  p: 'p',
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  blockquote: 'blockquote',
  table: 'table',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  em: 'em',
  strong: 'strong',
  s: 's',
  a: 'a',
};
const ALIGNMENT = /^text-align:(left|right|center)$/;

/** Builds the nodes of a block from its tokens. A tree of the parser has no other form than this list. */
export function buildNodes(tokens: readonly Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  // Null: an opened element without a node of its own, whose children belong to the node around it.
  const open: (ElementNode | null)[] = [];
  let depth = 0;
  const children = (): MarkdownNode[] => open.findLast((one) => one !== null)?.children ?? root;
  const visit = (token: Token): void => {
    if (token.nesting === 1) {
      const node = depth < DEPTH_MAX ? elementOf(token) : null;
      if (node !== null) {
        children().push(node);
        depth += 1;
      }
      open.push(node);
    } else if (token.nesting === -1) {
      if ((open.pop() ?? null) !== null) depth -= 1;
    } else if (token.type === 'inline') for (const child of token.children ?? []) visit(child);
    else append(children(), leafOf(token));
  };
  for (const token of tokens) visit(token);
  markTasks(root);
  return root;
}

function elementOf(token: Token): ElementNode | null {
  const tag = TAGS[token.tag];
  // The paragraphs of a list without blank lines are hidden.
  if (tag === undefined || token.hidden) return null;
  const node: ElementNode = { kind: 'element', tag, children: [] };
  if (tag === 'a') {
    const href = attribute(token, 'href');
    return isSafeLink(href) ? { ...node, href } : null;
  }
  if (tag === 'ol') {
    const start = Number(attribute(token, 'start') || 1);
    return start === 1 ? node : { ...node, start };
  }
  const align = ALIGNMENT.exec(attribute(token, 'style'))?.[1] as ElementNode['align'];
  return align === undefined ? node : { ...node, align };
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}

function leafOf(token: Token): MarkdownNode {
  switch (token.type) {
    case 'softbreak':
    case 'hardbreak':
      return { kind: 'element', tag: 'br', children: [] };
    case 'hr':
      return { kind: 'element', tag: 'hr', children: [] };
    case 'code_inline':
      return { kind: 'element', tag: 'code', children: [token.content] };
    case 'fence':
    case 'code_block':
      return { kind: 'code', text: token.content.replace(/\n$/, ''), language: token.info.trim().split(/\s+/)[0]! };
    case 'image':
      return imageOf(token);
    default:
      return token.content;
  }
}

/** An embedded image, or a link to an image elsewhere: a message must not make the browser load anything. */
function imageOf(token: Token): MarkdownNode {
  const address = attribute(token, 'src');
  const alt = token.content;
  if (isEmbeddedImage(address)) return { kind: 'element', tag: 'img', src: address, alt, children: [] };
  if (!isSafeLink(address)) return alt;
  const text = alt === '' ? address : `${alt} (${address})`;
  return { kind: 'element', tag: 'a', href: address, children: [text] };
}

/** Adjacent texts become one. */
function append(children: MarkdownNode[], node: MarkdownNode): void {
  if (node === '') return;
  const last = children.at(-1);
  if (typeof node === 'string' && typeof last === 'string') children[children.length - 1] = last + node;
  else children.push(node);
}

/** Shows `[ ]` and `[x]` at the beginning of list items as boxes. */
function markTasks(nodes: readonly MarkdownNode[]): void {
  for (const node of nodes) {
    if (typeof node === 'string' || node.kind === 'code') continue;
    if (node.tag === 'li') {
      const [first] = node.children;
      const holder = typeof first === 'object' && first.kind === 'element' && first.tag === 'p' ? first : node;
      const [text] = holder.children;
      if (typeof text === 'string')
        holder.children[0] = text.replace(/^\[([ xX])\](?=\s)/, (_all, mark: string) => (mark === ' ' ? '☐' : '☑'));
    }
    markTasks(node.children);
  }
}
