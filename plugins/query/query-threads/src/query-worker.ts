import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { OpenReader } from "@plinth/node/reader";
import { JobFlags } from "./job-flags.js";
import { lowerPriority } from "./lower-priority.js";
import type { FromThread, RunMessage, ThreadSettings, ToThread } from "./messages.js";
import { packError } from "./thread-error.js";
import { ThreadJob } from "./thread-job.js";

/** Entry point of a thread: opens the chain for reading, and runs jobs. */
async function serve(port: NonNullable<typeof parentPort>, settings: ThreadSettings) {
  const send = (message: FromThread, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const flags = new JobFlags(settings.flags);
  const jobs = new Map<number, ThreadJob>();
  const reader = await OpenReader.open(settings, {
    log: (level, message) => send({ kind: "log", level, message }),
  });
  const run = async (message: RunMessage) => {
    const { slot } = message;
    const start = performance.now();
    const job = new ThreadJob(message, {
      isCanceled: () => flags.isCanceled(slot),
      note: () => flags.note(slot),
      send: (answer, transfer) =>
        send(
          { kind: "job", slot, answer, ms: performance.now() - start, heldBytes: held() },
          transfer,
        ),
      ended: () => jobs.delete(slot),
    });
    jobs.set(slot, job);
    await job.run(reader);
  };
  port.on("message", (message: ToThread) => {
    if (message.kind === "run") void run(message);
    else if (message.kind === "taken") jobs.get(message.slot)?.taken(message.size);
    else jobs.get(message.slot)?.cancel();
  });
  send({ kind: "ready" });
}

function held(): number {
  return getHeapStatistics().external_memory;
}

if (parentPort !== null) {
  const port = parentPort;
  lowerPriority();
  serve(port, workerData).catch((error: unknown) =>
    port.postMessage({ kind: "unusable", error: packError(error) } satisfies FromThread),
  );
}
