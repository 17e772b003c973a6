/** A compiled validator. Sets defaults in place. After a failed validation, `errors` has the reasons. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: ValidationError[] | null;
}

/** A validation error as Ajv reports it. */
export interface ValidationError {
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}
