// graphile-worker with its local queue of 500 and batched completion.
// node graphile.mjs URL JOBS: prints "throughput JOBS_PER_SECOND" and "latency P50_IN_MS".
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import pg from "pg";

const [connectionString, count] = [process.argv[2], Number(process.argv[3])];
const logger = new Logger(() => () => {});
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();
const pool = new pg.Pool({ connectionString });
for (let done = 0; done < count; done += 5000) {
  await pool.query(
    `select graphile_worker.add_jobs(array(
       select json_populate_record(null::graphile_worker.job_spec,
         json_build_object('identifier', 'noop', 'payload', json_build_object('i', i)))
       from generate_series(1, $1::int) i))`,
    [Math.min(5000, count - done)],
  );
}

let done = 0;
let allDone;
const finished = new Promise((resolve) => (allDone = resolve));
let started;
const latencies = [];
const began = performance.now();
const runner = await run({
  logger,
  preset: {
    worker: {
      connectionString,
      concurrentJobs: 24,
      maxPoolSize: 25,
      pollInterval: 500,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
  taskList: {
    noop: () => {
      if (++done === count) allDone();
    },
    lat: ({ since }) => {
      latencies.push(performance.now() - since);
      started();
    },
  },
});
await finished;
console.log("throughput", (count / (performance.now() - began)) * 1000);

for (let i = 0; i < 200; ++i) {
  const began = new Promise((resolve) => (started = resolve));
  await utils.addJob("lat", { since: performance.now() });
  await began;
}
latencies.sort((a, b) => a - b);
console.log("latency", latencies[100]);
await runner.stop();
process.exit(0);
