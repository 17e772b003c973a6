/** The name of a file with the examples of a dataset. */
export function exportFileName(datasetName: string, ending: string): string {
  return `${datasetName.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'dataset'}.${ending}`;
}
