/** Imported as a type alone: no bundle has it. */
export interface Place {
  city: string;
  /** As on a letter. */
  zip?: number;
  kind: 'home' | 'work' | null;
  floor: 0;
  door: 'left' | 1;
  near: Place[];
  since: Date;
  tags: Map<string, number>;
  describe(): string;
}
