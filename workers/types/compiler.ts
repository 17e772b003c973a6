/** The TypeScript compiler as a library (docs/decisions/0019-schemas.md). Only this thread loads it. */
export { getLibFiles, libFolderInMemoryPath, ts } from '@ts-morph/common';
