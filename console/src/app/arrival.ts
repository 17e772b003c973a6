import { useEffect, useRef } from 'react';

/** After a way to another page: its beginning is in view, and the focus is not lost with the link that was followed. The way back is the browser's, place and all. */
export function useArrival(location: string): void {
  const before = useRef(location);
  const back = useRef(false);
  useEffect(() => {
    const onBack = (): void => {
      back.current = true;
    };
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);
  useEffect(() => {
    if (before.current === location) return;
    before.current = location;
    if (!back.current) scrollTo(0, 0);
    back.current = false;
    const { activeElement } = document;
    // A link in a menu that has closed has the focus still, but nobody sees it.
    if (activeElement === null || activeElement === document.body || !activeElement.checkVisibility())
      document.getElementById('main')?.focus({ preventScroll: true });
  }, [location]);
}
