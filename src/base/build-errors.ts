/** Place of an error in a file. `line` counts from 1, `column` from 0. */
export interface BuildErrorPlace {
  file: string;
  line: number;
  column: number;
}

/** Errors of an esbuild failure; null for any other error. */
export function buildErrors(error: unknown): { text: string; location: BuildErrorPlace | null }[] | null {
  const { errors } = error as { errors?: { text: string; location: BuildErrorPlace | null }[] };
  return Array.isArray(errors) && errors.length > 0 ? errors : null;
}

/** All errors of an esbuild failure as one text, each with its file and line. */
export function buildProblem(error: unknown): string {
  const errors = buildErrors(error);
  if (errors === null) return error instanceof Error ? error.message : String(error);
  return errors
    .map(({ text, location }) =>
      location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`,
    )
    .join('; ');
}
