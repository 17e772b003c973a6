import type { UploadFlags } from '../upload/upload.js';
import { client, command, GROUPS } from './command.js';

export const upload = client(command('upload', 'upload the results of an experiment from a .jsonl, .json or .csv file'))
  .helpGroup(GROUPS.clients)
  .argument('<file>', 'results, one row for every run')
  .option('--dataset <name>', 'dataset; made when there is none')
  .option('--dataset-id <uuid>', 'dataset by its id')
  .option('--experiment <name>', 'name of the experiment (default: name and time of the file)')
  .option('--description <text>', 'description of the experiment')
  .option('--metadata <json>', 'metadata of the experiment, a JSON object')
  .addHelpText(
    'after',
    `
Flags go before what the file says. --dataset or --dataset-id replaces both of the file's.

.jsonl  one row a line:
          {"inputs": {"question": "…"}, "expected_outputs": {"answer": "…"}, "actual_outputs": {"answer": "…"},
           "evaluation_scores": [{"key": "correct", "score": 1}],
           "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:02Z"}
        Only inputs is required. Also known: row_id (UUID), run_name, error, run_metadata.
        A first line {"kind": "experiment", "experiment_name": "…", …} has what belongs to the experiment.
.json   a list of such rows, or the whole body of POST /api/v1/datasets/upload-experiment
.csv    a line of column names, then a row a line, separated by commas:
          inputs.<name>            text, or a JSON object or list
          expected_outputs.<name>  the same; expected.<name> is short for it
          actual_outputs.<name>    the same; outputs.<name> is short for it
          run_metadata.<name>      the same
          scores.<key>             a number, true or false; any other text is kept as a value
          start_time, end_time, row_id, run_name, error
        An empty cell is left out.

A row without row_id is told by its inputs: equal inputs are one example, in this upload and in later ones.
A row without times gets that of the row before it, else the start of the experiment, else the present time.

Example:
  threadmill upload results.jsonl --dataset questions --experiment main

Exit code: 0 uploaded, 1 not.`,
  )
  .action(async (file: string, flags: UploadFlags) => (await import('../upload/upload.js')).upload(file, flags));
