// What a guarded call of an empty asynchronous function costs with the circuit breakers that people
// use on Node: the time per call minus that of the bare function. Prints JSON.
import { ConsecutiveBreaker, circuitBreaker, handleAll } from "cockatiel";
import CircuitBreaker from "opossum";

const calls = 200_000;
const repetitions = 7;
const work = async () => 1;

async function nanoseconds(call) {
  const times = [];
  for (let i = 0; i < repetitions; ++i) {
    const start = process.hrtime.bigint();
    for (let k = 0; k < calls; ++k) await call();
    times.push(Number(process.hrtime.bigint() - start) / calls);
  }
  return times.sort((a, b) => a - b)[repetitions >> 1];
}

const cockatiel = circuitBreaker(handleAll, {
  halfOpenAfter: 5000,
  breaker: new ConsecutiveBreaker(3),
});
const opossum = new CircuitBreaker(work, { timeout: false });

const bare = await nanoseconds(work);
console.log(
  JSON.stringify({
    bare_ns: bare,
    cockatiel_ns: (await nanoseconds(() => cockatiel.execute(work))) - bare,
    opossum_ns: (await nanoseconds(() => opossum.fire())) - bare,
  }),
);
opossum.shutdown();
