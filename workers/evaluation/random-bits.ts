/**
 * State of sfc32 (Doty-Humphrey, PractRand): 128 bits in four 32-bit integers, the fastest kind of numbers in
 * JavaScript.
 */
export function sfc32(seed: number): Int32Array {
  const state = Int32Array.of(seed | 0, Math.floor(seed / 2 ** 32), 0, 1);
  // PractRand's own seeding also discards a few rounds, until similar seeds give unrelated numbers.
  drawBits(state, new Int32Array(15));
  return state;
}

/**
 * Fills `out` with uniform 32-bit integers. Filling a whole block keeps the state in registers, which is twice
 * as fast as a method call per number.
 */
export function drawBits(state: Int32Array, out: Int32Array): void {
  let a = state[0]!,
    b = state[1]!,
    c = state[2]!,
    counter = state[3]!;
  for (let at = 0; at < out.length; at += 1) {
    const next = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + next) | 0;
    out[at] = next;
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = counter;
}
