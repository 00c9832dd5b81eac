import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { EMPTY_ROOT, type Header, loadCrypto, toHex } from "@plinth/core";
import { createTempFolder } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { compressFile, decompressFile } from "./compress.js";
import { openDirectory } from "./directory-source.js";
import { decodeHeaders, encodeHeaders } from "./headers.js";
import { type FileEntry, filesOf } from "./manifest.js";
import { SnapshotWriter } from "./snapshot-writer.js";
import { openUrl, type UrlLimits } from "./url-source.js";

await loadCrypto();

const signal = new AbortController().signal;
const HASH = toHex(new Uint8Array(32).fill(7));
const CHAIN = {
  chainId: 1337n,
  genesisHash: HASH,
  block: { number: 2n, hash: HASH, stateRoot: EMPTY_ROOT },
};
const HEADERS = [0n, 1n, 2n].map(headerOf);

describe("a folder with a snapshot", () => {
  it("has what was written into it", async () => {
    await using folder = await createTempFolder();
    const path = await writeSnapshot(folder.path);
    const source = openDirectory(path);

    const manifest = await source.readManifest({ signal });
    const [file] = filesOf(manifest, "headers");

    expect(manifest.block.number).toBe(2n);
    if (file === undefined) return expect.fail("no headers");
    expect(decodeHeaders(await source.read(file, { signal }), file)).toEqual(HEADERS);
    expect(await readdir(folder.path)).toEqual(["snapshot"]);
    const { mode } = await stat(path);
    expect(mode & 0o777).toBe(0o777 & ~process.umask());
  });

  it("has its name once it is complete, and is removed otherwise", async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "snapshot");
    {
      await using writer = await SnapshotWriter.create(path);
      await writer.add({ kind: "headers", firstBlock: 0n, count: 3 }, encodeHeaders(HEADERS));
      await expect(openDirectory(path).readManifest({ signal })).rejects.toThrow("ENOENT");
    }

    expect(await readdir(folder.path)).toEqual([]);
  });

  it("is that of the first writer that completes it", async () => {
    await using folder = await createTempFolder();
    {
      await using late = await SnapshotWriter.create(join(folder.path, "snapshot"));
      const path = await writeSnapshot(folder.path);
      await expect(late.complete(CHAIN)).rejects.toThrow("snapshot: ENOTEMPTY");
      expect((await openDirectory(path).readManifest({ signal })).files).toHaveLength(1);
    }

    expect(await readdir(folder.path)).toEqual(["snapshot"]);
  });

  it("is written without what killed processes have left", async () => {
    await using folder = await createTempFolder();
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    const left = [`.snapshot.partial-${ended}-abcdef`, `.snapshot.partial-${process.pid}-abcdef`];
    for (const name of left) await mkdir(join(folder.path, name));
    await writeSnapshot(folder.path);

    expect((await readdir(folder.path)).sort()).toEqual([left[1], "snapshot"]);
  });

  it("is not written over other files", async () => {
    await using folder = await createTempFolder();
    await writeFile(join(folder.path, "mine"), "");

    await expect(SnapshotWriter.create(folder.path)).rejects.toThrow("not empty");
  });

  it("is refused if a file is cut, missing, or a folder", async () => {
    await using folder = await createTempFolder();
    const path = await writeSnapshot(folder.path);
    const source = openDirectory(path);
    const [file] = (await source.readManifest({ signal })).files;
    if (file === undefined) return expect.fail("no file");
    await truncate(join(path, file.name), 10);
    await mkdir(join(path, "codes-000000.bin"));

    await expect(source.read(file, { signal })).rejects.toThrow(`${file.name}: 10 bytes`);
    await expect(source.read({ ...file, name: "codes-000000.bin" }, { signal })).rejects.toThrow(
      "not a file",
    );
    await expect(
      source.read({ ...file, name: "codes-000001.bin" }, { signal }),
    ).rejects.toMatchObject({
      code: "SNAPSHOT_UNREADABLE",
    });
  });
});

describe("a compressed file", () => {
  it("is refused with any byte changed", async () => {
    const { compressed, stored } = await compressFile(encodeHeaders(HEADERS));
    const file: FileEntry = { name: "codes-000000.bin", kind: "codes", count: 1, ...stored };

    for (let at = 0; at < compressed.length; at++) {
      const changed = Buffer.from(compressed);
      changed[at] = (changed[at] as number) ^ 0x10;
      await expect(decompressFile(changed, file)).rejects.toThrow("its hash is not that");
    }
  });

  it("is refused if it is longer or shorter than declared, without inflating it", async () => {
    const { compressed, stored } = await compressFile(Buffer.alloc(2 ** 20));
    const file: FileEntry = { name: "codes-000000.bin", kind: "codes", count: 1, ...stored };

    await expect(decompressFile(compressed, { ...file, bytes: 1000 })).rejects.toThrow(
      "codes-000000.bin: it does not decompress to 1000 bytes",
    );
    await expect(decompressFile(compressed, { ...file, bytes: 2 ** 21 })).rejects.toThrow(
      "it decompresses to 1048576 bytes",
    );
  });
});

describe("a web server with a snapshot", () => {
  it("delivers its files", async () => {
    await using folder = await createTempFolder();
    const path = await writeSnapshot(folder.path);
    await using server = await serve(async (request, response) => {
      if (request.url?.startsWith("/moved/")) {
        response.writeHead(302, { location: request.url.replace("/moved/", "/chain/") }).end();
      } else response.end(await readFile(join(path, request.url?.replace("/chain/", "") ?? "")));
    });

    for (const place of ["chain", "chain/", "moved"]) {
      const source = openUrl(`${server.url}/${place}`);
      const { files } = await source.readManifest({ signal });
      const content = await Promise.all(files.map((file) => source.read(file, { signal })));
      expect(content.map(({ length }) => length)).toEqual(files.map(({ bytes }) => bytes));
    }
  });

  it.each<[string, string, RequestListener]>([
    ["has nothing", "returned 404", (_, response) => response.writeHead(404).end()],
    ["has less", "10 bytes, the manifest has 50", (_, response) => response.end(Buffer.alloc(10))],
    [
      "declares more",
      "60 bytes, expected at most 50",
      (_, response) => response.end(Buffer.alloc(60)),
    ],
    [
      "never ends",
      "more than 50 bytes",
      (_, response) => sendForever(() => response.write(Buffer.alloc(20))),
    ],
    [
      "lies about its length",
      "closed",
      (_, response) =>
        response.writeHead(200, { "content-length": 50 }).write("x", () => response.destroy()),
    ],
    ["dies", "closed", (_, response) => response.destroy()],
    [
      "redirects to a file",
      "redirects to file:",
      (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
    ],
    [
      "redirects in a circle",
      "redirects more than 3 times",
      (request, response) => response.writeHead(302, { location: request.url ?? "" }).end(),
    ],
    [
      "compresses again",
      "codes-000000.bin",
      (_, response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50))),
    ],
  ])("is refused if it %s", async (_, reason, respond) => {
    await using server = await serve(respond);
    await expect(openUrl(server.url).read(CODES, { signal })).rejects.toMatchObject({
      name: "SnapshotError",
      message: expect.stringContaining(reason),
    });
  });

  it.each<[string, string, UrlLimits, RequestListener]>([
    [
      "stalls before its response",
      "no byte for 50 ms",
      { stallMs: 50, minBytesPerSecond: 1 },
      () => {},
    ],
    [
      "stalls within a file",
      "no byte for 50 ms",
      { stallMs: 50, minBytesPerSecond: 1 },
      (_, response) => response.write("x"),
    ],
    ["drips", " ms", { stallMs: 50, minBytesPerSecond: 1000 }, (_, response) => drip(response)],
  ])("is refused if it %s", async (_, reason, limits, respond) => {
    await using server = await serve(respond);

    await expect(openUrl(server.url, limits).read(CODES, { signal })).rejects.toMatchObject({
      name: "SnapshotError",
      message: expect.stringContaining(reason),
    });
  });

  it("is left when the caller aborts", async () => {
    await using server = await serve(() => {});
    const caller = new AbortController();
    const read = openUrl(server.url).readManifest({ signal: caller.signal });
    caller.abort(new Error("stopped"));

    await expect(read).rejects.toThrow("stopped");
  });

  it.each(["file:///snapshot", "snapshot", "ftp://127.0.0.1/"])(
    "cannot have the address %s",
    (url) => {
      expect(() => openUrl(url)).toThrow("http:// or https://");
    },
  );

  it.each([
    ["http://user:secret@127.0.0.1/a", "without a user and a password"],
    ["http://127.0.0.1/a?token=secret", "without ? and #"],
    ["http://127.0.0.1/a#secret", "without ? and #"],
  ])("cannot have a secret in its address: %s", (url, reason) => {
    const open = () => openUrl(url);

    expect(open).toThrow(reason);
    expect(open).not.toThrow("secret");
  });
});

/** A file that every server of these tests is asked for. */
const CODES: FileEntry = {
  name: "codes-000000.bin",
  kind: "codes",
  count: 1,
  bytes: 100,
  compressedBytes: 50,
  sha256: HASH,
};

async function writeSnapshot(folder: string): Promise<string> {
  const path = join(folder, "snapshot");
  await using writer = await SnapshotWriter.create(path);
  await writer.add({ kind: "headers", firstBlock: 0n, count: 3 }, encodeHeaders(HEADERS));
  await writer.complete(CHAIN);
  return path;
}

async function serve(
  respond: RequestListener,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendForever(send: () => boolean): void {
  for (let part = 0; part < 10; part++) send();
}

function drip(response: Parameters<RequestListener>[1]): void {
  const timer = setInterval(() => response.write("x"), 20);
  response.once("close", () => clearInterval(timer));
}

function headerOf(number: bigint): Header {
  return {
    parentHash: HASH,
    unclesHash: HASH,
    coinbase: toHex(new Uint8Array(20)),
    stateRoot: HASH,
    transactionsRoot: HASH,
    receiptsRoot: HASH,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    number,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    timestamp: number,
    extraData: new Uint8Array(),
    mixHash: HASH,
    nonce: new Uint8Array(8),
  };
}
