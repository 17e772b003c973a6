/** Runs user code. If the event loop blocks during the call, the user code is blamed. */
export type Call = <T>(work: () => T) => T;
