import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { interrupt } from '@langchain/langgraph';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { ScriptedModel } from './scripted-model.js';

const WEATHER: Record<string, string> = { berlin: '12 °C and cloudy', lisbon: '24 °C and sunny' };

const getWeather = tool(({ city }) => WEATHER[city.toLowerCase()] ?? 'unknown', {
  name: 'get_weather',
  description: 'The weather in a city.',
  schema: z.object({ city: z.string() }),
});

/** Stops the run until a person has answered; the answer is what `interrupt` returns. */
const sendMail = tool(
  ({ to, text }) => {
    const answer = interrupt({ question: `Send this mail to ${to}?`, text }) as
      | { approved?: boolean }
      | string
      | boolean;
    const approved = typeof answer === 'object' ? answer.approved === true : answer === true || answer === 'yes';
    return approved ? `Mail to ${to} was sent.` : `Mail to ${to} was not sent.`;
  },
  {
    name: 'send_mail',
    description: 'Send a mail. A person is asked first.',
    schema: z.object({ to: z.string(), text: z.string() }),
  },
);

/** Replaces the decision of a model: calls a tool for mail or weather, else answers with a greeting. */
function decide(messages: BaseMessage[]): AIMessage {
  const last = messages.at(-1)!;
  const id = `reply-${messages.length}`;
  if (last.getType() === 'tool') return new AIMessage({ id, content: `Done. ${last.text}` });
  const asked = last.text.toLowerCase();
  const call = (name: string, args: Record<string, unknown>): AIMessage =>
    new AIMessage({
      id,
      content: 'Let me see.',
      tool_calls: [{ id: `call-${messages.length}`, name, args, type: 'tool_call' }],
    });
  if (asked.includes('mail')) return call('send_mail', { to: 'ada@example.org', text: last.text });
  if (asked.includes('weather')) return call('get_weather', { city: asked.includes('lisbon') ? 'Lisbon' : 'Berlin' });
  return new AIMessage({ id, content: 'Hello! Ask me about the weather in Berlin or Lisbon, or to send a mail.' });
}

export const agent = createAgent({ model: new ScriptedModel(decide), tools: [getWeather, sendMail] });
