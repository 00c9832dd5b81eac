import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- replicas` kills them 100 times. */
const CRASHES = Number(process.env.PLINTH_REPLICA_CRASHES ?? 1);
/** Maximum time before one is killed. */
const MAX_WORK_MS = 400;
const PROGRAM = join(ROOT, "test/support/replica-processes.mjs");

describe("a replica and its source that are killed", () => {
  it(
    `have the same chain, and the replica each change once, after ${CRASHES} kills`,
    async () => {
      using folder = temporaryFolder();
      const port = String(await freePort());
      const place = (name: string) => `${folder.path}/${name}`;
      const startSource = (seed: number) => launch(["source", place("source"), port, String(seed)]);
      const startReplica = () => launch(["replica", place("replica"), port]);
      let [source, replica] = await Promise.all([startSource(0), startReplica()]);

      for (let crash = 0; crash < CRASHES; crash++) {
        // The source first: the replica is killed at the end as well.
        const isOfSource = crash % 2 === 0;
        const killed = isOfSource ? source : replica;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_WORK_MS));
        killed.child.kill("SIGKILL");
        await killed.closed;
        if (isOfSource) source = await startSource(crash);
        else replica = await startReplica();
      }
      replica.child.kill("SIGKILL");
      await replica.closed;
      source.child.stdin?.end();
      const head = await source.line();
      const checking = await launch(["check", place("replica"), port, head]);
      const [code] = await checking.closed;
      source.child.kill("SIGKILL");
      await source.closed;

      expect({ head: checking.first, code }).toEqual({ head, code: 0 });
    },
    CRASHES * 20_000,
  );
});

/** A process that has printed its first line. */
async function launch(words: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...words], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  const lines = createInterface(child.stdout as NonNullable<ChildProcess["stdout"]>)[
    Symbol.asyncIterator
  ]();
  const line = async (): Promise<string> => (await lines.next()).value ?? "";
  return { child, closed, line, first: await line() };
}
