/** An item of a file, as JSON text. Rows of JSON files are passed on byte for byte. */
export interface UploadItem {
  /** `experiment` is an optional first item: an object with the fields of the experiment. Its `results` are ignored. */
  kind: 'experiment' | 'row';
  json: Uint8Array;
  /** Line in the file at which the item begins, from 1. */
  line: number;
  /** Bytes of the file that have been read up to the end of the item. */
  bytesRead: number;
}
