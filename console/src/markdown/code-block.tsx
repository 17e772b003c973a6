import { memo, useEffect, useMemo, useState } from 'react';
import { CopyButton } from '../components/copy.js';
import type { highlight } from './highlight.js';
import styles from './markdown.module.css';

/** Longer code stays in one color. */
const HIGHLIGHTED_CHARS_MAX = 20_000;

type Highlight = typeof highlight;
let loaded: Highlight | null = null;

/** The function that colors code, which is loaded with the first code that names its language. */
function useHighlight(isNeeded: boolean): Highlight | null {
  const [found, setFound] = useState<Highlight | null>(() => loaded);
  useEffect(() => {
    if (!isNeeded || found !== null) return undefined;
    let isCurrent = true;
    void import('./highlight.js').then(
      (module) => {
        loaded = module.highlight;
        if (isCurrent) setFound(() => module.highlight);
      },
      // Without a connection the code stays in one color.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isNeeded, found]);
  return found;
}

/** Code with its language, colors and a button that copies it. */
export const CodeBlock = memo(function CodeBlock({ text, language }: { text: string; language: string }) {
  const isColored = language !== '' && text.length <= HIGHLIGHTED_CHARS_MAX;
  const colorize = useHighlight(isColored);
  const parts = useMemo(
    () => (isColored && colorize !== null ? colorize(text, language.toLowerCase()) : null),
    [text, language, isColored, colorize],
  );
  return (
    <div className={styles['code']} dir="ltr">
      <div className={styles['codeHead']}>
        <span className="soft">{language}</span>
        <CopyButton text={text} label="Copy code" />
      </div>
      <pre tabIndex={0} role="group" aria-label={language === '' ? 'Code' : `Code: ${language}`}>
        <code>
          {parts === null
            ? text
            : parts.map(({ kind, text: part }, at) =>
                kind === null || styles[kind] === undefined ? (
                  part
                ) : (
                  <span key={at} className={styles[kind]}>
                    {part}
                  </span>
                ),
              )}
        </code>
      </pre>
    </div>
  );
});
