import assert from 'node:assert/strict';
import { GoogleGenAI } from '@google/genai';
import { calls, check, done, fails, greeting, tool } from './check.mjs';

const client = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: process.argv[2] } });
const ask = (contents, config) => client.models.generateContent({ model: 'gemini', contents, config });
const tools = [{ functionDeclarations: [{ name: tool.name, description: tool.description, parametersJsonSchema: tool.schema }] }];

await check('content', async () => {
  const answer = await ask('hello', { systemInstruction: 'Be brief.', maxOutputTokens: 50 });
  assert.equal(answer.text, greeting);
  assert.equal(answer.usageMetadata.promptTokenCount, 12);
  assert.equal(answer.candidates[0].finishReason, 'STOP');
});
await check('stream', async () => {
  let text = '';
  for await (const piece of await client.models.generateContentStream({ model: 'gemini', contents: 'hello' })) text += piece.text ?? '';
  assert.equal(text, greeting);
});
await check('tools', async () => {
  const first = { role: 'user', parts: [{ text: 'weather?' }] };
  const parts = [];
  for await (const piece of await client.models.generateContentStream({ model: 'gemini', contents: [first], config: { tools } })) {
    parts.push(...(piece.candidates[0].content?.parts ?? []));
  }
  const made = parts.filter((part) => part.functionCall).map((part) => part.functionCall);
  assert.deepEqual(made.map((c) => ({ name: c.name, args: c.args })), calls);
  const model = { role: 'model', parts: parts.filter((part) => part.functionCall) };
  const answers = made.map((c) => ({ functionResponse: { id: c.id, name: c.name, response: { output: 'sunny' } } }));
  assert.equal((await ask([first, model, { role: 'user', parts: answers }], { tools })).text, 'It is sunny.');
  await fails(ask([first, model, { role: 'user', parts: [answers[0]] }], { tools }), 400);
});
await check('refusal, length and errors', async () => {
  assert.equal((await ask('refuse')).candidates[0].finishReason, 'SAFETY');
  assert.equal((await ask('long')).candidates[0].finishReason, 'MAX_TOKENS');
  await fails(ask('overload'), 503);
  await fails(ask('slower'), 429);
  await fails(ask('key'), 400);
  await fails(ask([{ role: 'user', parts: [] }]), 400);
});
done('gemini');
