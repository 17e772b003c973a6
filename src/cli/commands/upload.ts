import type { UploadFlags } from '../upload/upload.js';
import { command, GROUPS, withClientOptions } from './command.js';

export const upload = withClientOptions(
  command('upload', 'upload the results of an experiment from a .jsonl, .json or .csv file'),
)
  .helpGroup(GROUPS.clients)
  .argument('<file>', 'results, one row per run')
  .option('--dataset <name>', 'name of the dataset; created if it does not exist')
  .option('--dataset-id <uuid>', 'id of the dataset')
  .option('--experiment <name>', 'name of the experiment (default: name and modification time of the file)')
  .option('--description <text>', 'description of the experiment')
  .option('--metadata <json>', 'metadata of the experiment, a JSON object')
  .addHelpText(
    'after',
    `
Flags override values in the file. --dataset and --dataset-id each override both dataset fields of the file.

.jsonl  one row per line:
          {"inputs": {"question": "…"}, "expected_outputs": {"answer": "…"}, "actual_outputs": {"answer": "…"},
           "evaluation_scores": [{"key": "correct", "score": 1}],
           "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:02Z"}
        Only inputs is required. Optional: row_id (UUID), run_name, error, run_metadata.
        The first line may describe the experiment: {"kind": "experiment", "experiment_name": "…", …}
.json   a list of such rows, or a complete body of POST /api/v1/datasets/upload-experiment
.csv    a line of column names, then one row per line, separated by commas:
          inputs.<name>            text, or a JSON object or list
          expected_outputs.<name>  the same; short form: expected.<name>
          actual_outputs.<name>    the same; short form: outputs.<name>
          run_metadata.<name>      the same
          scores.<key>             a number, true or false; any other text is stored as a value
          start_time, end_time, row_id, run_name, error
        Empty cells are skipped.

A row without row_id gets an id from its inputs. Equal inputs are the same example, in this upload and in later ones.
A row without times gets the time of the previous row, else the start of the experiment, else the current time.

Example:
  threadmill upload results.jsonl --dataset questions --experiment main

Exit code: 0 uploaded, 1 not uploaded.`,
  )
  .action(async (file: string, flags: UploadFlags) => (await import('../upload/upload.js')).upload(file, flags));
