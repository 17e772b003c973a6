/** The code of a section could not be loaded. The browser tries again only after a reload of the page. */
export class ChunkLoadError extends Error {
  override readonly name = 'PartMissing';

  constructor(cause: unknown) {
    super('This page could not be loaded. The server cannot be reached, or it was updated. Try again.', { cause });
  }
}
