import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { type Clock, EMPTY_ROOT, systemClock, toHex } from "@plinth/core";
import { filesOf, openUrl, SnapshotWriter } from "@plinth/kit-snapshot";
import { createTempFolder, createTestNode, FakeClock, type TestNode } from "@plinth/testing";
import { describe, expect, it, vi } from "vitest";
import snapshotServe from "./index.js";

const HASH = toHex(new Uint8Array(32).fill(7));
const signal = new AbortController().signal;
/** The open files of this process, where the system shows them. */
const OPEN_FILES = "/proc/self/fd";
const CONTENT = Buffer.alloc(200_000, 5);

describe("the server of snapshots", () => {
  it("delivers what another node can read", async () => {
    await using served = await serve();
    const source = openUrl(`${served.url}/one`);

    const manifest = await source.readManifest({ signal });
    const [file] = filesOf(manifest, "headers");

    expect(await (await fetch(served.url)).json()).toEqual(["one"]);
    if (file === undefined) return expect.fail("no file");
    expect(Buffer.compare(await source.read(file, { signal }), CONTENT)).toBe(0);
  });

  it("has nothing else", async () => {
    await using served = await serve();

    for (const path of [
      "/two/manifest.json",
      "/one/other.json",
      "/one/headers-000009.bin",
      "/one/codes-000000.bin",
      "/one/state-000000.bin",
      "/.hidden/manifest.json",
      "/one/..%2fsecret",
      "/..%2f/manifest.json",
      "/%2e%2e/manifest.json",
      "/one/%2e%2e%2fone%2fmanifest.json",
      "/one//manifest.json",
      "/one/manifest.json%00",
      `/${"a".repeat(80)}/manifest.json`,
      "/one",
    ]) {
      expect((await fetch(`${served.url}${path}`)).status, path).toBe(404);
    }
  });

  it("accepts nothing but reads", async () => {
    await using served = await serve();

    for (const method of ["POST", "PUT", "DELETE"]) {
      const response = await fetch(`${served.url}/one/manifest.json`, { method });
      expect(response.status).toBe(404);
    }
  });

  it("ends a file that takes longer than its time", async () => {
    const clock = new FakeClock();
    await using served = await serve({ snapshotServeMaxRate: 1 }, clock);
    const response = await fetch(`${served.url}/one/blocks-000000.bin`);

    await clock.advance(300_000);

    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it("closes connections above its limit", async () => {
    await using served = await serve({ snapshotServeMaxConnections: 1 });
    const { hostname, port } = new URL(served.url);
    const first = connect(Number(port), hostname);
    await new Promise((resolve) => first.once("connect", resolve));
    const second = connect(Number(port), hostname);

    await new Promise((resolve) => second.resume().once("close", resolve));
    first.destroy();
  });

  it.runIf(existsSync(OPEN_FILES))(
    "closes the files of readers that leave at any moment",
    async () => {
      await using served = await serve({
        snapshotServeMaxConnections: 200,
        snapshotServeMaxRate: 1,
      });
      const { hostname, port } = new URL(served.url);
      for (let reader = 0; reader < 100; reader++) {
        const socket = connect(Number(port), hostname, () => {
          socket.write("GET /one/blocks-000000.bin HTTP/1.1\r\nhost: x\r\n\r\n", () => {
            setImmediate(() => socket.destroy());
          });
        });
        await once(socket, "close");
      }
      const isOpen = (fd: string) => pathOf(fd).endsWith("blocks-000000.bin");

      await vi.waitFor(() => expect(readdirSync(OPEN_FILES).filter(isOpen)).toEqual([]));
    },
  );

  it("does not keep a node from stopping", async () => {
    const served = await serve({ snapshotServeMaxRate: 1 });
    const response = await fetch(`${served.url}/one/blocks-000000.bin`);

    await served[Symbol.asyncDispose]();

    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it("is off by default", async () => {
    await using node = await createTestNode({ plugins: [snapshotServe] });

    expect(node.node.rpc.endpoints().map(({ name }) => name)).not.toContain("snapshots");
  });
});

async function serve(options: object = {}, clock: Clock = systemClock) {
  const folder = await createTempFolder();
  const snapshots = join(folder.path, "snapshots");
  await mkdir(snapshots);
  await writeSnapshot(join(snapshots, "one"));
  await mkdir(join(snapshots, ".hidden"));
  await writeFile(join(snapshots, ".hidden", "manifest.json"), "{}");
  await writeFile(join(snapshots, "secret"), "secret");
  await symlink(join(snapshots, "secret"), join(snapshots, "one", "codes-000000.bin"));
  await mkdir(join(snapshots, "one", "state-000000.bin"));
  await writeFile(join(snapshots, "one", "blocks-000000.bin"), Buffer.alloc(1_000_000));
  const node = await createTestNode({
    plugins: [snapshotServe],
    clock,
    options: {
      snapshotServeEnabled: true,
      snapshotServePort: 0,
      snapshotServePath: snapshots,
      ...options,
    },
  });
  return {
    url: `http://127.0.0.1:${portOf(node)}`,
    async [Symbol.asyncDispose]() {
      await node.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The file of a descriptor; empty if it was closed meanwhile. */
function pathOf(descriptor: string): string {
  try {
    return readlinkSync(join(OPEN_FILES, descriptor));
  } catch {
    return "";
  }
}

function portOf({ node }: TestNode): number {
  const endpoint = node.rpc.endpoints().find(({ name }) => name === "snapshots");
  return endpoint?.address?.port ?? expect.fail("no snapshots are served");
}

async function writeSnapshot(path: string): Promise<void> {
  await using writer = await SnapshotWriter.create(path);
  await writer.add({ kind: "headers", firstBlock: 0n, count: 3 }, CONTENT);
  const block = { number: 2n, hash: HASH, stateRoot: EMPTY_ROOT };
  await writer.complete({ chainId: 1337n, genesisHash: HASH, block });
}
