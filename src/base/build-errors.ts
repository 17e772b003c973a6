/** All errors of an esbuild failure as one text, each with its file and line. */
export function buildProblem(error: unknown): string {
  const errors = (
    error as { errors?: { text: string; location: { file: string; line: number; column: number } | null }[] }
  ).errors;
  if (errors === undefined || errors.length === 0) return error instanceof Error ? error.message : String(error);
  return errors
    .map(({ text, location }) =>
      location === null ? text : `${location.file}:${location.line}:${location.column}: ${text}`,
    )
    .join('; ');
}
