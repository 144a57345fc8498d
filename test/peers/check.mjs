// What every client must see, whatever its provider's words for it are.
import assert from 'node:assert/strict';

export const tool = {
  name: 'weather',
  description: 'The weather in a city',
  schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'number' } }, required: ['city'] },
};
export const greeting = 'Hello, Wörld! How are you?';
export const calls = [
  { name: 'weather', args: { city: 'Paris', days: 2 } },
  { name: 'weather', args: { city: 'Zürich' } },
];

let passed = 0;
export async function check(name, run) {
  try {
    await run();
    passed += 1;
  } catch (error) {
    console.error(`FAILED ${name}: ${error.stack}`);
    process.exitCode = 1;
  }
}
export async function fails(promise, status) {
  const error = await promise.then(() => assert.fail('no error'), (e) => e);
  if (status !== undefined) assert.equal(error.status ?? error.status_code, status, String(error));
  return error;
}
export function done(client) {
  console.log(`${client}: ${passed} passed`);
}
