import { useRouter } from 'wouter';

/** The whole path of a page, for what must stand in an address bar. */
export function useHref(path: string): string {
  return useRouter().base + path;
}
