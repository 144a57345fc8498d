import assert from 'node:assert/strict';
import { Ollama } from 'ollama';
import { calls, check, done, fails, greeting, tool } from './check.mjs';

const client = new Ollama({ host: process.argv[2] });
const say = (content) => [{ role: 'user', content }];
const ask = (content, more = {}) => client.chat({ model: 'llama', messages: say(content), ...more });
const tools = [{ type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.schema } }];

await check('models', async () => assert.equal((await client.list()).models[0].name, 'scripted'));
await check('chat', async () => {
  const answer = await ask('hello');
  assert.equal(answer.message.content, greeting);
  assert.equal(answer.done_reason, 'stop');
  assert.equal(answer.prompt_eval_count, 12);
});
await check('stream', async () => {
  let text = '';
  let last;
  for await (const piece of await ask('hello', { stream: true })) {
    text += piece.message.content;
    last = piece;
  }
  assert.equal(text, greeting);
  assert.equal(last.eval_count, 7);
});
await check('tools', async () => {
  const answer = await ask('weather?', { tools });
  assert.deepEqual(answer.message.tool_calls.map((c) => ({ name: c.function.name, args: c.function.arguments })), calls);
  assert.equal(answer.message.thinking, 'I must look.');
  const results = answer.message.tool_calls.map((c) => ({ role: 'tool', tool_name: c.function.name, content: 'sunny' }));
  const last = await ask('', { messages: [...say('weather?'), answer.message, ...results], tools });
  assert.equal(last.message.content, 'It is sunny.');
});
await check('length and errors', async () => {
  assert.equal((await ask('long')).done_reason, 'length');
  await fails(ask('overload'), 503);
  await fails(ask('slower'), 429);
  await fails((async () => { for await (const _ of await ask('cut', { stream: true })); })());
});
done('ollama');
