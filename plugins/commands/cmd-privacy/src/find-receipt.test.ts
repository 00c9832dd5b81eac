import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { describeReceipt } from "./describe-receipt.js";
import { explainMissing, findReceipt } from "./find-receipt.js";
import { NodeLink } from "./node-link.js";
import { privateReceipt } from "./private-receipt.js";

const HASH = `0x${"ab".repeat(32)}` as const;
const RECEIPT = {
  commitmentHash: HASH,
  status: "0x0",
  blockNumber: "0xc",
  privacyGroupId: "DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=",
  from: `0x${"11".repeat(20)}`,
  output: "0x",
  logs: [],
};
const AWAY = { error: { code: -50100, message: "the manager is unreachable" } };
const NOT_OFFERED = { error: { code: -32604, message: "Method not enabled" } };

describe("a receipt", () => {
  it("is awaited while the manager is unreachable", async () => {
    await using node = await listen({
      priv_getTransactionReceipt: [AWAY, AWAY, { result: RECEIPT }],
      plinth_privateTransactionStatus: [{ result: { status: "mined", blockNumber: "0xc" } }],
    });

    expect(await node.find(20_000)).toEqual({ json: RECEIPT });
  });

  it("is not awaited if the node refuses for another reason", async () => {
    await using node = await listen({
      priv_getTransactionReceipt: [AWAY],
      plinth_privateTransactionStatus: [NOT_OFFERED],
    });

    await expect(node.find(20_000)).rejects.toMatchObject({
      code: "NODE_REFUSED",
      rpcCode: -50100,
    });
  });

  it("is not awaited if the node is not a party", async () => {
    await using node = await listen({
      priv_getTransactionReceipt: [{ result: null }],
      plinth_privateTransactionStatus: [{ result: { status: "not a party", blockNumber: "0xc" } }],
    });

    expect(await node.find(20_000)).toEqual({
      missing: "its marker is in block 12, and the node is not a party",
    });
    expect(node.requests("priv_getTransactionReceipt")).toBe(1);
  });

  it("is requested once more after the timeout, not forever", async () => {
    await using node = await listen({
      priv_getTransactionReceipt: [{ result: null }],
      plinth_privateTransactionStatus: [NOT_OFFERED],
    });

    expect(await node.find(500)).toMatchObject({
      missing: expect.stringMatching(
        /^its marker is not in a block yet, or the node is not a party/,
      ),
    });
    expect(node.requests("priv_getTransactionReceipt")).toBeGreaterThan(1);
  });

  it.each([
    [{ status: "submitted" }, "its marker is pending in the pool"],
    [
      { status: "mined", blockNumber: 12n, reason: "waiting for the manager" },
      "its marker is in block 12, its payload is not fetched yet: waiting for the manager",
    ],
    [
      { status: "delivered", blockNumber: 12n },
      "its marker is in block 12, and its execution is pending",
    ],
  ])("is missing because of %o", (status, words) => {
    const found = { reason: undefined, blockNumber: undefined, ...status };

    expect(explainMissing(found)).toBe(words);
  });
});

describe("a formatted receipt", () => {
  it("has the reason that only the status of the node contains", () => {
    const status = { status: "failed", reason: "the nonce is 3,\u001b[1m not 2", blockNumber: 12n };

    expect(describeReceipt(privateReceipt.decode(RECEIPT), status).split("\n")).toEqual([
      `Marker    ${HASH}`,
      "Status    failed, in block 12",
      "Reason    the nonce is 3,\\u001b[1m not 2",
      `Group     ${RECEIPT.privacyGroupId}`,
      `From      ${RECEIPT.from}`,
      "Output    0x",
      "Logs      none",
    ]);
  });

  it("is short if the output is long", () => {
    const output = `0x${"ee".repeat(5000)}`;
    const lines = describeReceipt(privateReceipt.decode({ ...RECEIPT, output }), undefined);

    expect(lines).toContain("ee… (5000 bytes; --json shows them all)");
    expect(lines.length).toBeLessThan(600);
  });
});

/**
 * A server instead of a node: it returns these responses one after the other, and the last one from
 * then on.
 */
async function listen(answers: Readonly<Record<string, readonly object[]>>) {
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { method } = JSON.parse(await text(request));
    const count = counts.get(method) ?? 0;
    counts.set(method, count + 1);
    response.end(JSON.stringify(answers[method]?.[count] ?? answers[method]?.at(-1)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { signal } = new AbortController();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const link = await NodeLink.open({ url }, { dataPath: "", signal });
  return {
    find: (ms: number) => findReceipt(link, HASH, { until: Date.now() + ms, signal }),
    requests: (method: string) => counts.get(method),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
