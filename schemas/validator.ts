/** A compiled validator. Sets defaults in place. After a failed validation, `errors` has the reasons. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: ValidationError[] | null;
  /** The same validator, reporting all errors instead of the first. Only for small values: each error is an object. */
  allErrors?: Validator<T>;
}

/** A validation error as Ajv reports it. */
export interface ValidationError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}
