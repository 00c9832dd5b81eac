import type { Address } from "@plinth/core";
import type { Part } from "@plinth/core/rpc";
import { ALICE, BOB, createTestNode, DEV_GENESIS, type TestNode, transfer } from "@plinth/testing";
import { expect, it } from "vitest";
import rpcTrace from "./index.js";

/** Loops until the gas is used up. */
const LOOPS: Address = `0x${"aa".repeat(20)}`;
const GENESIS = {
  ...DEV_GENESIS,
  alloc: { ...DEV_GENESIS.alloc, [LOOPS]: { code: "0x5b600056" } },
};
const CALL = { from: ALICE.address, to: LOOPS, gas: "0x2faf080" };

it("aborts traces whose callers have left, so that others can have theirs", async () => {
  await using node = await createTestNode({ plugins: [rpcTrace], genesis: GENESIS });
  const [header] = await node.mine([transfer({ to: LOOPS, value: 0n, gasLimit: 3_000_000n })]);
  const [transaction] = node.node.blocks.findBlock(header?.hash ?? "0x")?.body.transactions ?? [];
  const callers = [
    open(node, "trace_call", [CALL, ["vmTrace"]]),
    open(node, "trace_callMany", [
      [
        [CALL, []],
        [CALL, ["trace"]],
      ],
    ]),
    open(node, "trace_transaction", [transaction?.hash]),
    open(node, "trace_block", ["latest"]),
    // More than run at once.
    open(node, "trace_filter", [{}]),
    open(node, "trace_replayBlockTransactions", ["latest", ["vmTrace"]]),
  ];
  await new Promise((resolve) => setImmediate(resolve));

  for (const { leave } of callers) leave();

  const results = await Promise.all(callers.map(({ answer }) => answer));
  for (const result of results) expect(result).toMatch(/the caller has left/);
  const quick = { from: ALICE.address, to: BOB };
  expect(await node.rpc("trace_call", [quick, []])).toMatchObject({ output: "0x" });
});

/** Sends a request, reads the response, and can disconnect before it is complete. */
function open({ node }: TestNode, method: string, params: readonly unknown[]) {
  const caller = new AbortController();
  const endpoint = node.rpc.endpoint({
    name: method,
    transport: "test",
    namespaces: ["trace"],
    duplex: false,
    maxBatchSize: 0,
  });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = async () => {
    try {
      return await read((await node.rpc.answer(body, { endpoint, closed: caller.signal })).parts);
    } catch (error) {
      return String(error);
    }
  };
  return { answer: answer(), leave: () => caller.abort() };
}

async function read(parts: readonly Part[]): Promise<string> {
  let text = "";
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Uint8Array) text += Buffer.from(part);
    else for await (const piece of part) text += Buffer.from(piece);
  }
  return text;
}
