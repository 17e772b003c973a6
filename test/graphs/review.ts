import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { ScriptedModel } from '../../examples/tools-agent/scripted-model.js';

const pay = tool(({ amount }) => `Paid ${amount}.`, {
  name: 'pay',
  description: 'Pays.',
  schema: z.object({ amount: z.number() }),
});

function decide(messages: BaseMessage[]): AIMessage {
  const last = messages.at(-1)!;
  const id = `reply-${messages.length}`;
  if (last.getType() === 'tool') return new AIMessage({ id, content: `Done. ${last.text}` });
  return new AIMessage({
    id,
    content: 'I would pay.',
    tool_calls: [{ id: `call-${messages.length}`, name: 'pay', args: { amount: 5 }, type: 'tool_call' }],
  });
}

/** An agent whose tool a person has to allow, by LangChain's own middleware. */
export const graph = createAgent({
  model: new ScriptedModel(decide),
  tools: [pay],
  middleware: [humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
});
