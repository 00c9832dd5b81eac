import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { Signal } from "@plinth/core/async";
import changes from "@plinth/plugin-changes";
import { hashOfRecord } from "@plinth/plugin-changes/api";
import { createTestNode, recordLogs, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import sink from "./index.js";

const SERVER = fileURLToPath(
  new URL("../../../node_modules/.cache/nats/nats-server", import.meta.url),
);
const STREAM = "CHANGES";
const isMissing = !existsSync(SERVER);
if (isMissing) process.stderr.write("the NATS server is not installed: run `npm run nats`\n");

it("needs the stream of changes", async () => {
  const starting = createTestNode({
    plugins: [changes, sink],
    options: { sinkUrl: "127.0.0.1:1" },
  });

  await expect(starting).rejects.toThrow("--sink-url needs --changes-enabled");
});

describe.skipIf(isMissing)("a sink", () => {
  it("has every record once, in order, however server and node end", async () => {
    await using server = await startServer();
    await using node = await startNode(server.url);
    await node.mine([transfer()], []);
    await server.has(2);

    await server.stop();
    await node.mine([], []);
    await node.logged("trying again");
    await server.start();
    await server.has(4);
    await node.restart();
    await node.reorganize(1);

    const messages = await server.has(7);
    expect(messages.map(({ kind }) => kind)).toEqual([
      ...["added", "added", "added", "added", "removed", "added", "added"],
    ]);
    expect(messages[0].transactions).toHaveLength(1);
    expectChain(messages);
  });

  it("leaves a message that another writer has appended, and reports that it cannot continue", async () => {
    await using server = await startServer();
    await using node = await startNode(server.url);
    await node.mine([]);
    await server.has(1);

    await server.publish({ sequence: "1", hash: `0x${"77".repeat(32)}` });
    await node.mine([]);

    await node.logged("it is another stream than the reader's");
    expect(await server.has(2)).toHaveLength(2);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: JSON of messages
type Message = any;

/** Each message follows the one before, and has the hash of its record. */
function expectChain(messages: readonly Message[]): void {
  messages.forEach(({ sequence, number, hash, ...record }, index) => {
    expect(sequence).toBe(String(index + 1));
    if (index > 0) expect(record.previous).toBe(messages[index - 1].hash);
    const content = { ...record, sequence: BigInt(sequence), number: BigInt(number) };
    expect(hash).toBe(hashOfRecord(content));
  });
}

async function startNode(sinkUrl: string) {
  const written = new Signal();
  const logs = recordLogs(() => written.notify());
  const options = { changesEnabled: true, dataStorageFormat: "BONSAI", sinkUrl };
  const node = await createTestNode({ plugins: [changes, sink], options, logs });
  return Object.assign(node, {
    async logged(text: string): Promise<void> {
      while (!logs.entries.some((entry) => JSON.stringify(entry).includes(text)))
        await written.next();
    },
  });
}

/** A server on a port of the system, which has its data in a folder. */
async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-nats-"));
  let child: ChildProcess;
  let port = -1;
  const start = async () => {
    const words = ["-js", "-a", "127.0.0.1", "-p", String(port), "-sd", folder];
    child = spawn(SERVER, [...words], { stdio: ["ignore", "ignore", "pipe"] });
    let output = "";
    const stderr = child.stderr as Readable;
    for await (const part of stderr.iterator({ destroyOnReturn: false })) {
      output += String(part);
      if (output.includes("Server is ready")) break;
    }
    stderr.resume();
    port = Number(/Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
  };
  const stop = async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  await start();
  const url = `127.0.0.1:${port}`;
  return {
    ...{ url, start, stop },
    /** Resolves to all messages once there are that many. */
    async has(count: number): Promise<readonly Message[]> {
      const connection = await connect({ servers: url });
      try {
        const { streams } = await jetstreamManager(connection);
        const last = () =>
          streams.info(STREAM).then(
            ({ state }) => state.last_seq,
            () => 0,
          );
        while ((await last()) < count) await new Promise((resolve) => setTimeout(resolve, 20));
        const numbers = Array.from({ length: await last() }, (_, index) => index + 1);
        const found = await Promise.all(numbers.map((seq) => streams.getMessage(STREAM, { seq })));
        return found.map((message) => message?.json());
      } finally {
        await connection.close();
      }
    },
    async publish(message: object): Promise<void> {
      const connection = await connect({ servers: url });
      connection.publish(STREAM, JSON.stringify(message));
      await connection.drain();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}
