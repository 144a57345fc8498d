import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { calls, check, done, fails, greeting, tool } from './check.mjs';

const client = new OpenAI({ baseURL: `${process.argv[2]}/v1`, apiKey: 'any', maxRetries: 0 });
const say = (content) => [{ role: 'user', content }];
const chat = (content, more = {}) => client.chat.completions.create({ model: 'gpt', messages: say(content), ...more });
const tools = [{ type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.schema } }];

await check('models', async () => {
  const list = await client.models.list();
  assert.equal(list.data[0].id, 'scripted');
});
await check('chat', async () => {
  const answer = await chat('hello');
  assert.equal(answer.choices[0].message.content, greeting);
  assert.equal(answer.choices[0].finish_reason, 'stop');
  assert.equal(answer.usage.prompt_tokens, 12);
  assert.equal(answer.usage.prompt_tokens_details.cached_tokens, 4);
});
await check('chat stream', async () => {
  const stream = client.chat.completions.stream({ model: 'gpt', messages: say('hello'), stream_options: { include_usage: true } });
  let text = '';
  stream.on('content', (piece) => { text += piece; });
  const answer = await stream.finalChatCompletion();
  assert.equal(text, greeting);
  assert.equal(answer.usage.completion_tokens, 7);
});
await check('chat tools', async () => {
  const stream = client.chat.completions.stream({ model: 'gpt', messages: say('weather?'), tools });
  const answer = await stream.finalChatCompletion();
  const message = answer.choices[0].message;
  assert.deepEqual(message.tool_calls.map((c) => ({ name: c.function.name, args: JSON.parse(c.function.arguments) })), calls);
  assert.equal(answer.choices[0].finish_reason, 'tool_calls');
  const results = message.tool_calls.map((c) => ({ role: 'tool', tool_call_id: c.id, content: 'sunny' }));
  const { parsed, reasoning_content, ...sent } = message;
  for (const call of sent.tool_calls) delete call.function.parsed_arguments;
  for (const call of sent.tool_calls) delete call.index;
  const last = await chat('', { messages: [...say('weather?'), sent, ...results], tools });
  assert.equal(last.choices[0].message.content, 'It is sunny.');
  await fails(chat('', { messages: [...say('weather?'), sent, results[0]], tools }), 400);
});
await check('chat refusal, length and errors', async () => {
  assert.equal((await chat('refuse')).choices[0].message.refusal, 'I cannot help with that.');
  assert.equal((await chat('long')).choices[0].finish_reason, 'length');
  const slower = await fails(chat('slower'), 429);
  assert.ok(slower instanceof OpenAI.RateLimitError);
  assert.equal(slower.headers.get('retry-after'), '2');
  assert.ok((await fails(chat('overload'), 503)) instanceof OpenAI.InternalServerError);
  assert.equal((await fails(chat('quota'), 429)).code, 'insufficient_quota');
  assert.ok((await fails(chat('key'), 401)) instanceof OpenAI.AuthenticationError);
  await fails((async () => { for await (const _ of await chat('cut', { stream: true })); })());
  await fails((async () => { for await (const _ of await chat('garbage', { stream: true })); })());
  await fails(chat('x', { messages: [] }), 400);
  await fails(chat('x', { nonsense: 1 }), 400);
});
await check('responses', async () => {
  const answer = await client.responses.create({ model: 'gpt', input: 'hello' });
  assert.equal(answer.output_text, greeting);
  assert.equal(answer.usage.input_tokens, 12);
});
await check('responses stream', async () => {
  const stream = client.responses.stream({ model: 'gpt', input: 'hello' });
  let text = '';
  stream.on('response.output_text.delta', (event) => { text += event.delta; });
  const answer = await stream.finalResponse();
  assert.equal(text, greeting);
  assert.equal(answer.output_text, greeting);
});
await check('responses tools', async () => {
  const own = [{ type: 'function', name: tool.name, description: tool.description, parameters: tool.schema, strict: false }];
  const stream = client.responses.stream({ model: 'gpt', input: 'weather?', tools: own });
  const answer = await stream.finalResponse();
  const made = answer.output.filter((item) => item.type === 'function_call');
  assert.deepEqual(made.map((c) => ({ name: c.name, args: JSON.parse(c.arguments) })), calls);
  assert.equal(answer.output[0].summary[0].text, 'I must look.');
  const input = [...say('weather?'), ...answer.output.map(({ parsed_arguments, ...item }) => item)];
  for (const call of made) input.push({ type: 'function_call_output', call_id: call.call_id, output: 'sunny' });
  const last = await client.responses.create({ model: 'gpt', input, tools: own });
  assert.equal(last.output_text, 'It is sunny.');
  await fails(client.responses.create({ model: 'gpt', input: input.slice(0, -1), tools: own }), 400);
});
await check('responses refusal and length', async () => {
  const refused = await client.responses.create({ model: 'gpt', input: 'refuse' });
  assert.equal(refused.output[0].content[0].refusal, 'I cannot help with that.');
  const long = await client.responses.create({ model: 'gpt', input: 'long' });
  assert.equal(long.incomplete_details.reason, 'max_output_tokens');
  await fails(client.responses.create({ model: 'gpt', input: 'hello', max_output_tokens: 3 }), 400);
});
done('openai');
