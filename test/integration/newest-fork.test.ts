import { type Address, hexToBytes } from "@plinth/core";
import { type Evm, NEWEST_FORK, rulesOf } from "@plinth/core/evm";
import { createTestEvm } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { aBlock, aState } from "../support/evm-world.js";

const SENDER: Address = "0x00000000000000000000000000000000000000f0";
const CONTRACT: Address = "0x00000000000000000000000000000000000000c0";
const GAS = 1_000_000n;

describe.each(["plinth", "ethereumjs"] as const)("the EVM %s", (name) => {
  let evm: Evm;

  beforeAll(async () => {
    evm = await createTestEvm({ chainId: 1n }, name);
  });

  it("runs every instruction of the newest fork", async () => {
    const missing: string[] = [];
    for (const [opcode, [byte, inputs]] of Object.entries(rulesOf(NEWEST_FORK).opcodes)) {
      const code = `0x${"5f".repeat(inputs)}${byte.toString(16).padStart(2, "0")}`;
      const { halt } = await run(evm, CONTRACT, aState({ [SENDER]: 1n }, { [CONTRACT]: code }));
      if (halt === "INVALID_OPERATION") missing.push(opcode);
    }

    expect(missing).toEqual([]);
  });

  it("has every precompile of the newest fork", async () => {
    for (const { address } of Object.values(rulesOf(NEWEST_FORK).precompiles)) {
      const { gasUsed } = await run(evm, address, aState({ [SENDER]: 1n }));

      // A call of an account without code costs nothing more.
      expect([address, gasUsed > 21_000n]).toEqual([address, true]);
    }
  });
});

async function run(evm: Evm, to: Address, state: ReturnType<typeof aState>) {
  const message = {
    from: SENDER,
    to,
    data: hexToBytes("0x"),
    value: 0n,
    gasLimit: GAS,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  };
  return evm.runMessage(message, { block: aBlock({ fork: NEWEST_FORK }), state });
}
