/** Markdown as data: what the page shows, without anything that a message could use to run or load something. */
export type MarkdownNode = string | ElementNode | CodeNode;

export interface ElementNode {
  kind: 'element';
  tag: ElementTag;
  children: MarkdownNode[];
  /** Only of `a`: an address with one of the allowed schemes. */
  href?: string;
  /** Only of `img`: embedded data. */
  src?: string;
  /** Only of `img`. */
  alt?: string;
  /** Only of `ol`: the first number, if it is not 1. */
  start?: number;
  /** Only of `th` and `td`. */
  align?: 'left' | 'right' | 'center';
}

/** A block of code. */
export interface CodeNode {
  kind: 'code';
  text: string;
  /** The first word after the fence, or an empty string. */
  language: string;
}

export type ElementTag =
  | 'p'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | 'em'
  | 'strong'
  | 's'
  | 'code'
  | 'a'
  | 'img'
  | 'br'
  | 'hr';
