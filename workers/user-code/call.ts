/** Calls the user's code. While it has not returned, a loop that stands still is its fault. */
export type Call = <T>(work: () => T) => T;
