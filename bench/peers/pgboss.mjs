// pg-boss: 4 loops that fetch and complete batches of 100.
// node pgboss.mjs URL JOBS: prints "throughput JOBS_PER_SECOND".
import * as pgboss from "pg-boss";

const [connectionString, count] = [process.argv[2], Number(process.argv[3])];
const PgBoss = pgboss.PgBoss ?? pgboss.default;
const boss = new PgBoss({ connectionString, max: 20 });
boss.on("error", (error) => console.error(error.message));
await boss.start();
await boss.createQueue("jobs");
for (let done = 0; done < count; done += 1000) {
  await boss.insert("jobs", Array.from({ length: Math.min(1000, count - done) }, (_, i) => ({ data: { i } })));
}

let done = 0;
const loop = async () => {
  for (;;) {
    const jobs = await boss.fetch("jobs", { batchSize: 100 });
    if (!jobs?.length) return;
    await boss.complete("jobs", jobs.map((job) => job.id));
    done += jobs.length;
  }
};
const began = performance.now();
await Promise.all([loop(), loop(), loop(), loop()]);
console.log("throughput", (done / (performance.now() - began)) * 1000);
process.exit(0);
