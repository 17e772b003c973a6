import { useEffect, useRef } from 'react';

/** After navigation, scrolls to the top and moves a lost focus to the content. Back and forward keep the scroll. */
export function useNavigationFocus(location: string): void {
  const previousLocation = useRef(location);
  const wentBack = useRef(false);
  useEffect(() => {
    const onBack = (): void => {
      wentBack.current = true;
    };
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);
  useEffect(() => {
    if (previousLocation.current === location) return;
    previousLocation.current = location;
    if (!wentBack.current) scrollTo(0, 0);
    wentBack.current = false;
    const { activeElement } = document;
    // A link in a closed menu can still have the focus although it is not visible.
    if (activeElement === null || activeElement === document.body || !activeElement.checkVisibility())
      document.getElementById('main')?.focus({ preventScroll: true });
  }, [location]);
}
