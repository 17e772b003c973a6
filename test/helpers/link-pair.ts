import type { Link } from '../../src/pool/nodes/link.js';

interface End {
  onMessage: (bytes: Uint8Array) => void;
  onClosed: (reason: string) => void;
}

/** Both ends of a link in this process. `onSent` is called with each message and the end that sent it, 0 or 1. */
export function linkPair(onSent: (end: number, bytes: Uint8Array) => void = () => undefined): [Link, Link] {
  const ends: (End | null)[] = [null, null];
  const early: Uint8Array[][] = [[], []];
  let isClosed = false;
  const end = (own: number): Link => ({
    address: 'here',
    receive: (onMessage, onClosed) => {
      ends[own] = { onMessage, onClosed };
      for (const bytes of early[own]!.splice(0)) onMessage(bytes);
    },
    send: (...parts) => {
      if (isClosed) return;
      const bytes = new Uint8Array(Buffer.concat(parts));
      onSent(own, bytes);
      const other = ends[1 - own];
      if (other === null || other === undefined) early[1 - own]!.push(bytes);
      else other.onMessage(bytes);
    },
    close: (reason) => {
      if (isClosed) return;
      isClosed = true;
      for (const one of ends) one?.onClosed(reason);
    },
  });
  return [end(0), end(1)];
}
