import { simulateCall } from "@plinth/chain";
import { ALICE, createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { definePlugin } from "../plugin/define-plugin.js";
import type { Address } from "../primitives/hex.js";
import type { Precompile } from "./evm.js";

const RULES = {
  raisesFunds: true,
  dropsFees: false,
  feesMakeStrict: false,
  strictPaysBaseFee: true,
};
const PLACE: Address = "0x0000000000000000000000000000000000001000";

describe("a network's own precompiled contract", () => {
  it("serves calls, created once per purpose", async () => {
    const { call, made } = await openNode(({ data }) => ({
      gasUsed: 10n,
      returnValue: Uint8Array.of(...data, ...data),
    }));

    const { outcome, returnValue, gasUsed } = await call(Uint8Array.of(7));

    expect(outcome).toBe("success");
    expect([...returnValue]).toEqual([7, 7]);
    // A transaction, one byte of data, and the gas of the contract.
    expect(gasUsed).toBe(21_000n + 16n + 10n);
    await call(Uint8Array.of(8));
    expect(made).toEqual(["london for call"]);
  });

  it.each<[string, Precompile]>([
    [
      "throws",
      () => {
        throw new RangeError("not that");
      },
    ],
    ["uses more gas than available", () => ({ gasUsed: 10n ** 9n, returnValue: Uint8Array.of(1) })],
  ])("consumes all gas when it %s", async (_, precompile) => {
    const { call } = await openNode(precompile);

    const { outcome, returnValue, gasUsed } = await call(Uint8Array.of(7));

    expect({ outcome, returnValue: [...returnValue], gasUsed }).toEqual({
      outcome: "halted",
      returnValue: [],
      gasUsed: 50_000n,
    });
  });
});

async function openNode(precompile: Precompile) {
  const made: string[] = [];
  const plugin = definePlugin({
    name: "doubling",
    setup: ({ hooks }) =>
      hooks.evm.precompiles.tap((precompiles, { fork, purpose }) => {
        made.push(`${fork} for ${purpose}`);
        return new Map([...precompiles, [PLACE, precompile]]);
      }),
  });
  const { node } = await createTestNode({ plugins: [plugin] });
  const { blocks } = node;
  const call = (data: Uint8Array) =>
    simulateCall(
      blocks,
      { from: ALICE.address, to: PLACE, data, value: 0n },
      { header: blocks.head(), gasLimit: 50_000n, rules: RULES },
    );
  return { call, made };
}
