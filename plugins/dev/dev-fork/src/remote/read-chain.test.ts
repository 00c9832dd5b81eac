import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeRlp, type Hash, type Rlp, toHex } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { findRemoteBlock, readBody } from "./read-chain.js";
import { Remote } from "./remote.js";

const HASH: Hash = `0x${"11".repeat(32)}`;
const BLOCK = { hash: HASH, parentHash: HASH, number: "0x7", transactions: [] };

/** A node with these results of methods. */
async function serve(results: Readonly<Record<string, unknown>>) {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { id, method } = JSON.parse(Buffer.concat(parts).toString());
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    remote: new Remote({ url: `http://127.0.0.1:${port}`, headers: new Map() }),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe("a block of another node", () => {
  it("is never another one than was asked for", async () => {
    using server = await serve({ eth_getBlockByNumber: BLOCK });

    expect(await findRemoteBlock(server.remote, 7n)).toMatchObject({ number: 7n });
    expect(await findRemoteBlock(server.remote, undefined)).toMatchObject({ number: 7n });
    await expect(findRemoteBlock(server.remote, 5n)).rejects.toMatchObject({
      code: "FORK_INCONSISTENT",
      message: expect.stringContaining("for block 5 it sends block 7"),
    });
  });

  it.each<[string, unknown]>([
    ["a list", []],
    ["a number", 7],
    ["its number as a JSON number", { ...BLOCK, number: 7 }],
    ["a list of transactions that is an object", { ...BLOCK, transactions: {} }],
    ["members that only the prototype has", { __proto__: BLOCK }],
  ])("is rejected if the node sends %s", async (_, block) => {
    using server = await serve({ eth_getBlockByNumber: block });

    await expect(findRemoteBlock(server.remote, 7n)).rejects.toMatchObject({
      code: "FORK_INCONSISTENT",
    });
  });

  it.each<[string, Uint8Array]>([
    ["is no RLP", Uint8Array.of(0xff)],
    ["has a transaction that is none", blockWith([Uint8Array.of(5, 1)])],
    ["has a transaction without fields", blockWith([[]])],
  ])("is a fault of the node if its body %s", async (_, bytes) => {
    using server = await serve({ debug_getRawBlock: toHex(bytes), debug_getRawReceipts: [] });

    await expect(readBody(server.remote, { number: 7n, hash: HASH })).rejects.toMatchObject({
      code: "FORK_INCONSISTENT",
      message: expect.stringContaining(`block 7 (${HASH}) cannot be decoded`),
    });
  });

  it.each([["0x"], ["0x05"], ["0x01"], ["0xc0"], ["0xff"]])(
    "is a fault of the node if a receipt is %s",
    async (receipt) => {
      using server = await serve({
        debug_getRawBlock: toHex(blockWith([])),
        debug_getRawReceipts: [receipt],
      });

      await expect(readBody(server.remote, { number: 7n, hash: HASH })).rejects.toMatchObject({
        code: "FORK_INCONSISTENT",
      });
    },
  );
});

/** A block with these transactions. */
function blockWith(transactions: readonly Rlp[]): Uint8Array {
  const [none, hash] = [new Uint8Array(), new Uint8Array(32)];
  const roots = [hash, hash, hash];
  const header = [hash, hash, new Uint8Array(20), ...roots, new Uint8Array(256)];
  const numbers = [none, Uint8Array.of(7), none, none, none];
  return encodeRlp([[...header, ...numbers, none, hash, new Uint8Array(8)], [...transactions], []]);
}
