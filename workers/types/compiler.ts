/** The TypeScript compiler as a library (docs/decisions/0019-schemas.md); loaded by this thread alone. */
export { getLibFiles, libFolderInMemoryPath, ts } from '@ts-morph/common';
