import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';

/** Null or empty: the name is taken out of the address. */
export type Changes = Readonly<Record<string, string | null>>;

/** What of a page stands in its address, so that a link opens it as it is. `replace`: the way back does not stop here. */
export function useQueryString(): [URLSearchParams, (changes: Changes, replace?: boolean) => void] {
  const [params, setParams] = useSearchParams();
  return [params, (changes, replace = false) => setParams((before) => {
    const after = new URLSearchParams(before);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') after.delete(name);
      else after.set(name, value);
    }
    return after;
  }, { replace })];
}

const PAUSE_MS = 350;

/** A text that is being typed, and is taken when there is a pause; `now` takes it at once. */
export function useTyped(taken: string, take: (text: string) => void): { text: string; setText: (text: string) => void; now: () => void } {
  const [text, setText] = useState(taken);
  const last = useRef(taken);
  const latest = useRef(take);
  latest.current = take;
  const now = (): void => {
    if (text === last.current) return;
    last.current = text;
    latest.current(text);
  };
  useEffect(() => {
    // Somebody went back, or followed a link.
    if (taken === last.current) return;
    last.current = taken;
    setText(taken);
  }, [taken]);
  useEffect(() => {
    if (text === last.current) return undefined;
    const timer = setTimeout(() => { last.current = text; latest.current(text); }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { text, setText, now };
}
