/** Places that were chosen in the palette, newest first. */
export interface Place {
  name: string;
  /** What it is, for example "Thread". */
  kind: string;
  path: string;
}

/** Ends with the tab, like the credential with which the names were read. */
const STORAGE_KEY = 'threadmill.recent';
const RECENT_MAX = 6;
const NAME_CHARS_MAX = 120;

export function recentPlaces(): Place[] {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as Place[];
  } catch {
    return [];
  }
}

export function rememberPlace({ name, kind, path }: Place): void {
  const others = recentPlaces().filter((other) => other.path !== path);
  const places = [{ name: name.slice(0, NAME_CHARS_MAX), kind, path }, ...others].slice(0, RECENT_MAX);
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(places));
}

export function forgetPlaces(): void {
  sessionStorage.removeItem(STORAGE_KEY);
}
