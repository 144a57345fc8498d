// BullMQ with an idle worker. node bullmq.mjs REDIS_PORT: prints "latency P50_IN_MS".
import { Queue, Worker } from "bullmq";
import IORedis from "ioredis";

const connection = new IORedis({ host: "127.0.0.1", port: Number(process.argv[2]), maxRetriesPerRequest: null });
const queue = new Queue("latency", { connection, defaultJobOptions: { removeOnComplete: true } });
let started;
const latencies = [];
const worker = new Worker(
  "latency",
  async (job) => {
    latencies.push(performance.now() - job.data.since);
    started();
  },
  { connection, concurrency: 10 },
);
await worker.waitUntilReady();
for (let i = 0; i < 300; ++i) {
  const began = new Promise((resolve) => (started = resolve));
  await queue.add("one", { since: performance.now() });
  await began;
}
latencies.sort((a, b) => a - b);
console.log("latency", latencies[150]);
process.exit(0);
