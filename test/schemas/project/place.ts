/** Imported as a type alone: no bundle has it. */
export interface Place {
  city: string;
  /** As on a letter. */
  zip?: number;
  kind: 'home' | 'work' | null;
  near: Place[];
  since: Date;
  tags: Map<string, number>;
  describe(): string;
}
