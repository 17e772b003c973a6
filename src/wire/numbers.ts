/** Numbers as text that JSON takes; a third longer than their bytes. */
export function numbersText(numbers: Float32Array): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
}

export function numbersOf(text: string): Float32Array {
  // A copy: a small Buffer lies anywhere in a shared one.
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  return new Float32Array(bytes.buffer);
}
