/**
 * Runs two versions of an assistant on the same questions, uploads both experiments, and prints which one is better.
 */
import { createHash } from 'node:crypto';
import { Client } from '@langchain/langgraph-sdk';

const url = process.env.THREADMILL_URL ?? 'http://127.0.0.1:8123';
const client = new Client({ apiUrl: url });
const QUESTIONS = ['1 + 2', '3 + 4', '5 + 6', '7 + 8', '9 + 9', '12 + 30', '8 + 4', '6 + 7'];
const expected = (question) => String(question.split('+').reduce((all, part) => all + Number(part), 0));

/** The same id for the same question. The server pairs the rows of two experiments by this id. */
function idOf(question) {
  const hex = createHash('sha256').update(question).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the response as JSON. Throws with the server's message if the request fails. */
async function ask(method, path, body) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Runs one experiment. Each question is a row with the answer and a score. */
async function experiment(name, careful) {
  const start = new Date();
  const results = [];
  for (const question of QUESTIONS) {
    const from = new Date();
    const { answer } = await client.runs.wait(null, 'adder', {
      input: { question },
      config: { configurable: { careful } },
    });
    results.push({
      row_id: idOf(question),
      inputs: { question },
      expected_outputs: { answer: expected(question) },
      actual_outputs: { answer },
      evaluation_scores: [{ key: 'correct', score: answer === expected(question) ? 1 : 0 }],
      start_time: from.toISOString(),
      end_time: new Date().toISOString(),
    });
  }
  return ask('POST', '/datasets/upload-experiment', {
    experiment_name: name,
    experiment_start_time: start.toISOString(),
    experiment_end_time: new Date().toISOString(),
    dataset_name: 'sums',
    results,
  });
}

const stamp = new Date().toISOString();
const main = await experiment(`main ${stamp}`, true);
const branch = await experiment(`branch ${stamp}`, false);
const { experiments } = await ask('POST', `/datasets/${main.dataset.id}/comparison`, {
  experiment_ids: [main.experiment.id, branch.experiment.id],
  baseline_id: main.experiment.id,
});
const { correct } = experiments.find(({ id }) => id === branch.experiment.id).versus_baseline.feedback;
console.log(
  `branch against main: ${correct.regressed} of ${QUESTIONS.length} answers are worse, ${correct.improved} ` +
    `better. Verdict: ${correct.verdict}.`,
);
