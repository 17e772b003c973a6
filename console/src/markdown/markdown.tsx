import { createElement, memo, useMemo, useState, type ReactNode } from 'react';
import { CodeBlock } from './code-block.js';
import type { ElementNode, MarkdownNode } from './nodes.js';
import { MarkdownParser, type MarkdownBlock } from './parse.js';
import styles from './markdown.module.css';

export interface MarkdownProps {
  text: string;
  /** More text will be added at its end. */
  isGrowing?: boolean;
}

/** A text of a message as Markdown. HTML in it stays text, and nothing is loaded from other hosts. */
export default function Markdown({ text, isGrowing = false }: MarkdownProps) {
  const [parser] = useState(() => new MarkdownParser());
  const blocks = useMemo(() => parser.parse(text, isGrowing), [parser, text, isGrowing]);
  return (
    <div className={styles['markdown']}>
      {blocks.map((block, at) => (
        <Block key={at} block={block} />
      ))}
    </div>
  );
}

/** Rendered once for each text of the block: the parser returns the same object for it. */
const Block = memo(function Block({ block }: { block: MarkdownBlock }) {
  return (
    <div className={styles['block']} dir="auto">
      {renderNodes(block.nodes)}
    </div>
  );
});

function renderNodes(nodes: readonly MarkdownNode[]): ReactNode {
  return nodes.map((node, at) => {
    if (typeof node === 'string') return node;
    return node.kind === 'code' ? (
      <CodeBlock key={at} text={node.text} language={node.language} />
    ) : (
      <Element key={at} node={node} />
    );
  });
}

function Element({ node }: { node: ElementNode }) {
  const { tag, children, href, src, alt, start, align } = node;
  if (tag === 'img') return <img src={src} alt={alt || 'Image in the message'} className={styles['image']} />;
  if (tag === 'br' || tag === 'hr') return createElement(tag);
  if (tag === 'a')
    return (
      <a href={href} title={href} target="_blank" rel="noopener noreferrer">
        {renderNodes(children)}
      </a>
    );
  const content = createElement(
    tag,
    { start, ...(align === undefined ? {} : { className: styles[align] }) },
    renderNodes(children),
  );
  return tag === 'table' ? (
    <div className={styles['table']} tabIndex={0} role="group" aria-label="Table">
      {content}
    </div>
  ) : (
    content
  );
}
