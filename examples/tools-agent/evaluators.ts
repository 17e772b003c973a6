import type { BaseMessage } from '@langchain/core/messages';

/** Outputs of a run of the agent. Messages are plain objects here, because they were JSON. */
interface Outputs {
  messages?: (Pick<BaseMessage, 'content'> & { type: string })[];
}

/** 1 if the last message is an answer of the agent that is not empty. */
export function answered({ outputs }: { outputs: Outputs }): { key: string; score: boolean } {
  const last = outputs.messages?.at(-1);
  return { key: 'answered', score: last?.type === 'ai' && last.content !== '' };
}
