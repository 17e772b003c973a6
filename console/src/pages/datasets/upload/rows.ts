/** A row of a file, or why it cannot be read. */
export type Row = RowPlace & ({ value: Readonly<Record<string, unknown>> } | { reason: string });

export interface RowPlace {
  /** Counted from 1, without the header of a CSV file. */
  number: number;
  /** Line of the file where the row ends; null in a JSON list. */
  line: number | null;
}

export interface RowError extends RowPlace {
  reason: string;
}

export interface ReadOptions {
  signal: AbortSignal;
  /** Gets the share of the file that was read, up to 1. */
  onProgress?: (share: number) => void;
}

/** Bytes that are read at once. The page can react between two pieces. */
const PIECE_BYTES = 64 * 1024;

/** The text of a file in pieces. Throws if it is not UTF-8. */
export async function* textPieces(file: File, { signal, onProgress }: ReadOptions): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const bytes = await bytesOf(file.slice(at, at + PIECE_BYTES));
    signal.throwIfAborted();
    onProgress?.(Math.min(1, at / file.size));
    yield decodePiece(decoder, bytes, at + PIECE_BYTES < file.size);
  }
}

function decodePiece(decoder: TextDecoder, bytes: ArrayBuffer, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new Error('The file is not text in UTF-8. Save it with this encoding and choose it again.');
  }
}

async function bytesOf(piece: Blob): Promise<ArrayBuffer> {
  try {
    return await piece.arrayBuffer();
  } catch {
    throw new Error('The file cannot be read. If it has changed, choose it again.');
  }
}
