/**
 * Whether a text may contain Markdown. Only then is the parser loaded. Text without any of these characters looks the
 * same with and without it.
 */
export function hasMarkdown(text: string): boolean {
  return SYNTAX.test(text);
}

const SYNTAX = /[`*_~#[|\\]|^[ \t]*(?:[-+=>]|\d+[.)])|^(?: {4}|\t)|<?(?:https?:\/\/|mailto:)|&#?\w+;/im;
