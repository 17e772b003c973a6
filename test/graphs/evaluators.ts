interface Values {
  answer?: string;
}

/** The form of the `langsmith` client with one argument. */
export function correct({ outputs, referenceOutputs }: { outputs: Values; referenceOutputs: Values }): object {
  return { key: 'correct', score: outputs.answer === referenceOutputs.answer, comment: `got ${outputs.answer}` };
}

/** The older form, with two. */
export async function length(run: { outputs: Values }, example: { inputs: { question: string } }): Promise<object> {
  await Promise.resolve();
  return {
    results: [
      { key: 'answer_length', score: run.outputs.answer!.length },
      { key: 'question_length', score: example.inputs.question.length, value: { unit: 'characters' } },
    ],
  };
}

export function failing(): never {
  throw new Error('no judge today');
}

export function hanging(): never {
  for (;;);
}

export const nonsense = (): unknown => ({ score: 'high' });

export const noFunction = 1;

/** Of a whole experiment. */
export function allCorrect({ outputs, referenceOutputs }: { outputs: Values[]; referenceOutputs: Values[] }): object {
  const correctOnes = outputs.filter(({ answer }, at) => answer === referenceOutputs[at]!.answer);
  return { key: 'share_correct', score: correctOnes.length / outputs.length };
}

/** The older form, with two. */
export const counted = (runs: unknown[], examples: unknown[]): object => ({ score: runs.length + examples.length });
