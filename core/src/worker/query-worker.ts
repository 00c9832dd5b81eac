import { parentPort, workerData } from "node:worker_threads";
import type { FromThread, RunMessage, ThreadSettings, ToThread } from "./messages.js";
import { OpenThread } from "./open-thread.js";
import { packError } from "./thread-error.js";
import { ThreadJob } from "./thread-job.js";

/** What a thread runs: it opens the chain for reading, and does one job after another. */
async function serve(port: NonNullable<typeof parentPort>, settings: ThreadSettings) {
  const send = (message: FromThread, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const cancelled = new Int32Array(settings.cancelled);
  let job: ThreadJob | undefined;
  const thread = await OpenThread.open(settings, {
    interrupt: () => job?.verify(),
    log: (level, message) => send({ kind: "log", level, message }),
  });
  const run = async (message: RunMessage) => {
    job = new ThreadJob(message, { cancelled, send });
    await job.run(thread);
    job = undefined;
  };
  port.on("message", (message: ToThread) => {
    if (message.kind === "run") void run(message);
    else if (message.kind === "taken") job?.taken(message.pieces);
    else job?.cancel();
  });
  send({ kind: "ready" });
}

if (parentPort !== null) {
  const port = parentPort;
  serve(port, workerData).catch((error: unknown) =>
    port.postMessage({ kind: "unusable", error: packError(error) } satisfies FromThread),
  );
}
