import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** Distance from the end within which a list counts as scrolled to its end. */
const NEAR_PX = 24;
/** Smaller movements come from rounding, not from the person. */
const JITTER_PX = 2;

interface FollowEnd {
  box: RefObject<HTMLDivElement>;
  content: RefObject<HTMLDivElement>;
  /** True after the person has scrolled up. */
  isAway: boolean;
  onScroll: () => void;
  jumpToEnd: () => void;
}

/** Keeps the end of a growing list visible, unless the person has scrolled up. */
export function useFollowEnd(): FollowEnd {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const lastTop = useRef(0);
  const [isAway, setAway] = useState(false);
  const follow = useCallback((): void => {
    const { current } = box;
    if (current === null || !isFollowing.current) return;
    current.scrollTop = current.scrollHeight;
    lastTop.current = current.scrollTop;
  }, []);
  useEffect(() => {
    // Also after text was laid out again, and after the composer has grown.
    const observer = new ResizeObserver(follow);
    if (box.current !== null) observer.observe(box.current);
    if (content.current !== null) observer.observe(content.current);
    return () => observer.disconnect();
  }, [follow]);
  const onScroll = (): void => {
    const { current } = box;
    if (current === null) return;
    const distance = current.scrollHeight - current.scrollTop - current.clientHeight;
    if (distance < NEAR_PX) isFollowing.current = true;
    else if (current.scrollTop < lastTop.current - JITTER_PX) isFollowing.current = false;
    lastTop.current = current.scrollTop;
    setAway(!isFollowing.current);
  };
  const jumpToEnd = useCallback((): void => {
    isFollowing.current = true;
    setAway(false);
    follow();
  }, [follow]);
  return { box, content, isAway, onScroll, jumpToEnd };
}
