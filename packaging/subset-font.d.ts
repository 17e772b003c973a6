/** Types for the part of subset-font that the build uses. Those on npm are of an older version. */
declare module 'subset-font' {
  export interface SubsetOptions {
    targetFormat: 'woff2';
    /** Tags of OpenType features. All others are removed. */
    keepFeatures: readonly string[];
    variationAxes: Readonly<Record<string, { min: number; max: number }>>;
  }

  /** The font with the characters of `text` only. */
  export default function subsetFont(font: Uint8Array, text: string, options: SubsetOptions): Promise<Uint8Array>;
}
