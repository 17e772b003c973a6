/** Encodes floats as base64 text for JSON. The text is a third longer than the bytes. */
export function encodeFloats(numbers: Float32Array): string {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
}

export function decodeFloats(text: string): Float32Array {
  // Copied, because a small Buffer can have any offset in a shared pool.
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  return new Float32Array(bytes.buffer);
}
