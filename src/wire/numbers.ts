/** Numbers as text that JSON takes; a third longer than their bytes. */
export function numbersText(numbers: Float32Array): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
}

export function numbersOf(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new Float32Array(bytes.buffer);
}
