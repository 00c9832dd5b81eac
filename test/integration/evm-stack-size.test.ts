import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, toHex } from "@plinth/core";
import type { Evm, EvmResult, Tracer, WorldState } from "@plinth/core/evm";
import { createTestEvm, createTestNode, DEV_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { assemble } from "../support/assembler.js";
import { aBlock, aState } from "../support/evm-world.js";
import { call, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const CHAIN_ID = 1337n;
const SENDER: Address = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const CODE: Address = "0x00000000000000000000000000000000000000cc";
const CALLER: Address = "0x00000000000000000000000000000000000000cd";
const USUAL = 1024;
const OPTIONS = ["--evm=plinth", "--rpc-http-enabled", "--rpc-http-api=ETH,DEBUG"];
const STOCK = { evm: "ethereumjs" } as const;
const SIZES = [7, USUAL, 3000];

/** Programs with a maximum stack depth of this size. */
const PROGRAMS: Readonly<Record<string, (most: number) => Uint8Array>> = {
  "that pushes": (most) => assemble(`${"1 ".repeat(most)} STOP`),
  "that duplicates": (most) => assemble(`1 ${"DUP1 ".repeat(most - 1)} STOP`),
  // A round leaves one item, and temporarily needs three more.
  "that loops": (most) =>
    assemble(`loop: 1 0 MLOAD 1 ADD DUP1 0 MSTORE ${most - 3} GT @loop JUMPI STOP`),
};
const TOO_MANY = { outcome: "halted", halt: "TOO_MANY_STACK_ITEMS" };

describe.each(Object.entries(PROGRAMS))("code %s", (_, program) => {
  it.each(SIZES)("has a stack of %i items, and no more", async (size) => {
    const evm = await createTestEvm({ chainId: CHAIN_ID, maxStackItems: size }, "plinth");

    expect(await run(evm, program(size - 1))).toMatchObject({ outcome: "success" });
    expect(await run(evm, program(size))).toMatchObject({ outcome: "success" });
    expect(await run(evm, program(size + 1))).toMatchObject(TOO_MANY);
  });

  it.each(["plinth", "ethereumjs"] as const)("has 1,024 by default: %s", async (name) => {
    const evm = await createTestEvm({ chainId: CHAIN_ID }, name);

    expect(await run(evm, program(USUAL - 1))).toMatchObject({ outcome: "success" });
    expect(await run(evm, program(USUAL))).toMatchObject({ outcome: "success" });
    expect(await run(evm, program(USUAL + 1))).toMatchObject(TOO_MANY);
  });

  it("has the same capacity when it is traced", async () => {
    const evm = await createTestEvm({ chainId: CHAIN_ID, maxStackItems: 50 }, "plinth");
    const heights: number[] = [];
    const tracer: Tracer = { step: ({ stack }) => void heights.push(stack.length) };

    expect(await run(evm, program(50), tracer)).toMatchObject({ outcome: "success" });
    expect(await run(evm, program(51), tracer)).toMatchObject(TOO_MANY);
    expect(Math.max(...heights)).toBe(50);
  });

  it("ends by the size of its own chain, if two chains have the same code", async () => {
    const small = await createTestEvm({ chainId: CHAIN_ID, maxStackItems: 40 }, "plinth");
    const large = await createTestEvm({ chainId: CHAIN_ID, maxStackItems: 41 }, "plinth");
    const code = program(41);

    for (let round = 0; round < 3; round += 1) {
      expect(await run(small, code)).toMatchObject(TOO_MANY);
      expect(await run(large, code)).toMatchObject({ outcome: "success" });
    }
  });
});

describe("the size of the stack", () => {
  it.each([
    ["called code", `0 0 0 0 0 ${BigInt(CODE)} GAS CALL`],
    [
      "init code",
      `${BigInt(CODE)} EXTCODESIZE 0 0 ${BigInt(CODE)} EXTCODECOPY ${BigInt(CODE)} EXTCODESIZE 0 0 CREATE`,
    ],
  ])("applies to %s, too", async (_, begin) => {
    const evm = await createTestEvm({ chainId: CHAIN_ID, maxStackItems: 2000 }, "plinth");
    const hasWorked = async (items: number) => {
      const codes = { [CODE]: pushes(items), [CALLER]: hex(`${begin} 0 MSTORE 32 0 RETURN`) };
      const { returnValue } = await send(evm, aState({ [SENDER]: 1n }, codes), { to: CALLER });
      return BigInt(toHex(returnValue)) !== 0n;
    };

    expect(await hasWorked(2000)).toBe(true);
    expect(await hasWorked(2001)).toBe(false);
  });

  it("is 1,024 in system calls", async () => {
    const evm = await createTestEvm({ chainId: CHAIN_ID, maxStackItems: 2000 }, "plinth");
    const run = async (items: number) => {
      const state = aState({}, { [CODE]: pushes(items) });
      const on = { block: aBlock({ fork: "cancun", blobBaseFee: 1n }), state };
      return evm.runSystemCall({ to: CODE, data: new Uint8Array() }, on);
    };

    expect(await run(USUAL)).toMatchObject({ outcome: "success" });
    expect(await run(USUAL + 1)).toMatchObject(TOO_MANY);
  });

  it.each([0, 1])("is that of the genesis file in a node with %i threads", async (threads) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "genesis.json");
    writeFileSync(file, JSON.stringify(genesisWith(2000)));
    const words = [`--genesis-file=${file}`, `--rpc-worker-threads=${threads}`, ...OPTIONS];
    await using node = await startNode(words, { folder: folder.path });
    const request = (items: number) => ({ to: CODE, data: input(items) });
    const trace = (items: number) =>
      call(node.url, "debug_traceCall", [request(items), "latest", { disableStack: true }]);

    expect(await call(node.url, "eth_call", [request(2000)])).toBe("0x");
    await expect(call(node.url, "eth_call", [request(2001)])).rejects.toThrow();
    expect(await trace(2000)).toMatchObject({ failed: false });
    expect(await trace(2001)).toMatchObject({ failed: true });
  });

  it.each([
    ["the node starts", () => createTestNode({ genesis: genesisWith(2000), options: STOCK })],
    ["an EVM is made", () => createTestEvm({ chainId: CHAIN_ID, maxStackItems: 2000 }, STOCK.evm)],
  ])("is rejected by a driver that supports no other, when %s", async (_, begin) => {
    await expect(begin()).rejects.toThrow(
      "config.evmStackSize is 2000; --evm=ethereumjs supports 1024 only, --evm=plinth any",
    );
  });
});

/** A development chain with a contract that pushes as often as its data requests. */
function genesisWith(evmStackSize: number) {
  // The numbers of the loop are on the stack besides the pushed items.
  const code = hex(
    "0 CALLDATALOAD 0 MSTORE loop: 1 0 MLOAD 1 SWAP1 SUB DUP1 0 MSTORE @loop JUMPI STOP",
  );
  const { config, alloc, ...rest } = DEV_GENESIS;
  return {
    ...rest,
    config: { ...config, evmStackSize },
    alloc: { ...alloc, [CODE]: { balance: "0", code: `0x${code}` } },
  };
}

/** For a stack of this size in the last round, which needs three more than were pushed before. */
function input(items: number): string {
  return `0x${(items - 3).toString(16).padStart(64, "0")}`;
}

function pushes(items: number): string {
  return hex("1 ".repeat(items));
}

function hex(text: string): string {
  return toHex(assemble(text)).slice(2);
}

function run(evm: Evm, code: Uint8Array, tracer?: Tracer): Promise<EvmResult> {
  const state = aState({ [SENDER]: 1n }, { [CODE]: toHex(code).slice(2) });
  return send(evm, state, { to: CODE, ...(tracer === undefined ? {} : { tracer }) });
}

function send(
  evm: Evm,
  state: WorldState,
  { to, tracer = {} }: { readonly to: Address; readonly tracer?: Tracer },
): Promise<EvmResult> {
  const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
  return evm.runMessage(
    { from: SENDER, to, ...fees, data: new Uint8Array(), value: 0n, gasLimit: 2_000_000n },
    { block: aBlock(), state, tracer },
  );
}
