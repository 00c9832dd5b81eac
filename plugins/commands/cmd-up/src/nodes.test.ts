import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { findRunning, isAlive, stopNodes } from "./nodes.js";

const WAIT = 'process.send?.("ready"); setInterval(() => {}, 1000);';

describe("the processes of nodes", () => {
  it("match by their whole command line, not by the file of a node alone", async () => {
    await using place = await createFolder();
    const script = join(place.path, "plinth.js");
    await writeFile(script, WAIT);
    const word = (name: string) => `--config-file=${join(place.path, name, "plinth.toml")}`;
    await using _view = await run(["-e", WAIT, "view", word("node1")]);
    await using _joined = await run(["-e", WAIT, `${script} ${word("node1")}`]);
    await using _more = await run([script, word("node1"), "config"]);
    await using node2 = await run([script, word("node2")]);

    const nodes = ["node1", "node2"].map((name) => ({ name })) as never;
    const found = await findRunning(place.path, { nodes }, [process.execPath, script]);

    expect([...found]).toEqual([["node2", node2.pid]]);
  });

  it.runIf(process.platform === "linux")("have ended if only their exit code is left", async () => {
    // A shell starts a process and becomes one that never reaps it.
    const shell = 'cat <&3 >/dev/null & exec "$0" -e "$1" $!';
    const idle = "console.log(process.argv[1]); setInterval(() => {}, 1000);";
    const parent = spawn("sh", ["-c", shell, process.execPath, idle], {
      stdio: ["ignore", "pipe", "inherit", "pipe"],
    });
    try {
      const [line] = await once(parent.stdout as Readable, "data");
      const pid = Number(line);
      expect(isAlive(pid)).toBe(true);
      (parent.stdio[3] as Writable).end();

      await vi.waitUntil(() => !isAlive(pid), { timeout: 30_000 });

      expect(process.kill(pid, 0)).toBe(true);
      await stopNodes([pid]);
    } finally {
      parent.kill("SIGKILL");
    }
  });

  it("are named if they belong to another user", async () => {
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
    });
    try {
      expect(isAlive(4711)).toBe(true);
      await expect(stopNodes([4711])).rejects.toMatchObject({
        code: "NETWORK_BUSY",
        message: expect.stringContaining("process 4711 belongs to another user"),
      });
    } finally {
      kill.mockRestore();
    }
  });
});

/** Runs Node.js until the end of the scope; resolves when its script runs. */
async function run(words: readonly string[]): Promise<ChildProcess & AsyncDisposable> {
  const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await once(child, "message");
  return Object.assign(child, {
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  });
}

async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), "plinth-nodes-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
