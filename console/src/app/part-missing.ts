/** The code of a room did not come. A browser does not ask for it again before the page is loaded anew. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';

  constructor(cause: unknown) {
    super(
      'This part of the console could not be loaded. The server cannot be reached, or has become another version.',
      { cause },
    );
  }
}
