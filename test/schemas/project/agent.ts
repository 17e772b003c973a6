import { FakeListChatModel } from '@langchain/core/utils/testing';
import { createAgent } from 'langchain';
import { z } from 'zod';

export const agent = createAgent({
  model: new FakeListChatModel({ responses: ['hello'] }),
  tools: [],
  contextSchema: z.object({ who: z.string() }),
});
