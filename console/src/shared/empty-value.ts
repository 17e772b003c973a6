/** Whether there is nothing in a value that a run would get. */
export function isEmptyValue(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'object' && !Array.isArray(value) && Object.values(value).every((one) => one === undefined))
  );
}
