import { createLowlight } from 'lowlight';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

/** A piece of code of one kind, such as a keyword. Null: of no kind. */
export interface CodePart {
  kind: string | null;
  text: string;
}

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
});

interface HighlightNode {
  value?: string;
  children?: readonly HighlightNode[];
  properties?: { className?: unknown };
}

/** The parts of a piece of code in order. The language may be an alias, such as `ts`. Null if it is not known. */
export function highlight(code: string, language: string): CodePart[] | null {
  if (!lowlight.registered(language)) return null;
  const parts: CodePart[] = [];
  const visit = (node: HighlightNode, kind: string | null): void => {
    if (node.value !== undefined) parts.push({ kind, text: node.value });
    const [name] = Array.isArray(node.properties?.className) ? (node.properties.className as unknown[]) : [];
    const inner = typeof name === 'string' ? name.replace('hljs-', '') : kind;
    for (const child of node.children ?? []) visit(child, inner);
  };
  visit(lowlight.highlight(language, code) as HighlightNode, null);
  return parts;
}
