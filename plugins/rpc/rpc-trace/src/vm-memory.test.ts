import { createTestNode, DEV_GENESIS } from "@plinth/testing";
import { expect, it } from "vitest";
import rpcTrace from "./index.js";

const INNER = "0x00000000000000000000000000000000000000a1";
const OUTER = "0x00000000000000000000000000000000000000a2";

interface Op {
  readonly pc: number;
  readonly ex: { readonly mem: object | null };
}

/**
 * Memory shown for a call of the inner contract and for the last copy of its code; both may write
 * 32 bytes from 64 on.
 */
async function memoryOf(inner: string, rpcCompatibility = "plinth") {
  const call = `6020604060006000600073${INNER.slice(2)}5af1`;
  const copy = `60206000604073${INNER.slice(2)}3c00`;
  const alloc = {
    ...DEV_GENESIS.alloc,
    [INNER]: { code: `0x${inner}` },
    [OUTER]: { code: `0x${call}${copy}` },
  };
  await using node = await createTestNode({
    plugins: [rpcTrace],
    genesis: { ...DEV_GENESIS, alloc },
    options: { rpcCompatibility },
  });
  const request = { to: OUTER, strict: false };
  const params = [request, ["vmTrace"], "latest"];
  const { vmTrace } = Object(await node.rpc("trace_call", params));
  const at = (pc: number) => (vmTrace.ops as Op[]).find((op) => op.pc === pc)?.ex.mem;
  return { call: at(32), copy: at(60) };
}

it.each([
  ["as much as fits", "602a60005260406000f3", `${"00".repeat(31)}2a`],
  ["less", "60016000f3", "00"],
  ["less, in a revert", "60026000fd", "0000"],
  ["nothing", "00", undefined],
  ["nothing, since it is aborted", "fe", undefined],
])("the memory of a call is the returned data: %s", async (_, inner, data) => {
  const { call } = await memoryOf(inner);

  expect(call).toEqual(data === undefined ? null : { data: `0x${data}`, off: 64 });
});

it("the memory of a copied contract is shown, except by Besu", async () => {
  const data = `0x${"fe".padEnd(64, "0")}`;

  expect((await memoryOf("fe")).copy).toEqual({ data, off: 64 });
  expect((await memoryOf("fe", "besu")).copy).toBeNull();
});

it("instructions have names, except in Besu's mode", async () => {
  const namesOf = async (rpcCompatibility: string) => {
    const alloc = { ...DEV_GENESIS.alloc, [OUTER]: { code: "0x60006000fd" } };
    await using node = await createTestNode({
      plugins: [rpcTrace],
      genesis: { ...DEV_GENESIS, alloc },
      options: { rpcCompatibility },
    });
    const params = [{ to: OUTER, strict: false }, ["vmTrace"], "latest"];
    const { vmTrace } = Object(await node.rpc("trace_call", params));
    return vmTrace.ops.map(({ op }: { readonly op?: string }) => op);
  };

  expect(await namesOf("plinth")).toEqual(["PUSH1", "PUSH1", "REVERT"]);
  expect(await namesOf("besu")).toEqual([undefined, undefined, undefined]);
});
