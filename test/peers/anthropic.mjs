import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { calls, check, done, fails, greeting, tool } from './check.mjs';

const client = new Anthropic({ baseURL: process.argv[2], apiKey: 'any', maxRetries: 0 });
const say = (content) => [{ role: 'user', content }];
const ask = (content, more = {}) => client.messages.create({ model: 'claude', max_tokens: 100, messages: say(content), ...more });
const tools = [{ name: tool.name, description: tool.description, input_schema: tool.schema }];

await check('models', async () => assert.equal((await client.models.list()).data[0].id, 'scripted'));
await check('message', async () => {
  const answer = await ask('hello', { system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] });
  assert.equal(answer.content[0].text, greeting);
  assert.equal(answer.stop_reason, 'end_turn');
  assert.equal(answer.usage.input_tokens, 8);
  assert.equal(answer.usage.cache_read_input_tokens, 4);
});
await check('stream', async () => {
  const stream = client.messages.stream({ model: 'claude', max_tokens: 100, messages: say('hello') });
  let text = '';
  stream.on('text', (piece) => { text += piece; });
  const answer = await stream.finalMessage();
  assert.equal(text, greeting);
  assert.equal(answer.usage.output_tokens, 7);
});
await check('tools', async () => {
  const answer = await client.messages.stream({ model: 'claude', max_tokens: 100, messages: say('weather?'), tools }).finalMessage();
  const made = answer.content.filter((block) => block.type === 'tool_use');
  assert.deepEqual(made.map((c) => ({ name: c.name, args: c.input })), calls);
  assert.equal(answer.content[0].thinking, 'I must look.');
  assert.equal(answer.stop_reason, 'tool_use');
  const content = made.map((c) => ({ type: 'tool_result', tool_use_id: c.id, content: 'sunny' }));
  const messages = [...say('weather?'), { role: 'assistant', content: answer.content.map(({ citations, ...b }) => b) }, { role: 'user', content }];
  assert.equal((await ask('', { messages, tools })).content[0].text, 'It is sunny.');
  messages[2].content = [content[0]];
  await fails(ask('', { messages, tools }), 400);
  messages[2].content = [{ type: 'text', text: 'first' }, ...content];
  await fails(ask('', { messages, tools }), 400);
});
await check('refusal, length and errors', async () => {
  assert.equal((await ask('refuse')).stop_reason, 'refusal');
  assert.equal((await ask('long')).stop_reason, 'max_tokens');
  const slower = await fails(ask('slower'), 429);
  assert.ok(slower instanceof Anthropic.RateLimitError);
  assert.equal(slower.headers.get('retry-after'), '2');
  const overload = await fails(ask('overload'), 529);
  assert.equal(overload.error.error.type, 'overloaded_error');
  assert.match((await fails(ask('quota'), 400)).message, /credit balance/);
  assert.ok((await fails(ask('key'), 401)) instanceof Anthropic.AuthenticationError);
  await fails(client.messages.stream({ model: 'claude', max_tokens: 9, messages: say('cut') }).finalMessage());
  await fails(client.messages.stream({ model: 'claude', max_tokens: 9, messages: say('garbage') }).finalMessage());
  await fails(ask('hello', { max_tokens: undefined }), 400);
  await fails(ask('', {}), 400);
});
done('anthropic');
