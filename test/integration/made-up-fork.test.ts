import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "@plinth/core";
import { NEWEST_FORK } from "@plinth/core/evm";
import type * as Testing from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { findFiles, repository } from "../architecture/source-tree.js";
import { type Changes, importChanged } from "../support/changed-sources.js";

/** Everything a fork with another gas limit, a new instruction and a new precompile needs. */
const MADE_UP: Changes = {
  "core/contract/src/evm/forks/records.ts": before(
    "} as const satisfies",
    `madeUp: {
      timeKeys: ["madeUpTime"],
      opcodes: { TWICE: [0x21, 1, 1, 4] },
      precompiles: { REVERSE: precompile(0x200, 9999) },
      maxTransactionGas: 1_000_000n,
      
    },`,
  ),
  "plugins/evm/evm-plinth/src/instructions/twice.ts": () => `
    import { add } from "../arithmetic/arithmetic.js";
    import type { Instruction } from "./instruction.js";
    export const TWICE: Instruction = {
      perform(_machine, { stack, sp }) {
        stack[sp - 1] = add(stack[sp - 1], stack[sp - 1]);
      },
    };`,
  "plugins/evm/evm-plinth/src/instructions/index.ts": (text) =>
    `import { TWICE } from "./twice.js";\n${before("CLZ };", "TWICE,")(text)}`,
  "kits/kit-precompiles/src/reverse.ts": () => `
    import { inOneStep } from "./precompile.js";
    const compute = inOneStep((data) => data.slice().reverse());
    export const reverse = { gas: () => 5_000n, load: async () => compute };`,
  "kits/kit-precompiles/src/implementations.ts": (text) =>
    `import { reverse } from "./reverse.js";\n${before("  MODEXP:", "REVERSE: { 9999: reverse },")(text)}`,
};

const ENTRY = `
  export { createTestNode } from "@plinth/testing";
  export { default as rpcDebug } from "@plinth/plugin-rpc-debug";
  export { createRules } from "../plugins/evm/evm-ethereumjs/src/common.js";`;
const REVERSE = `0x${"200".padStart(40, "0")}`;
const CONTRACT = `0x${"c0".repeat(20)}`;
/** Returns twice 21. */
const CODE = "0x6015215f5260205ff3";
const FROM = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";

interface Sources extends Pick<typeof Testing, "createTestNode"> {
  readonly rpcDebug: Plugin;
  createRules(settings: { readonly fork: string }): unknown;
}

describe("a fork defined by one record", () => {
  let sources: Sources;

  beforeAll(async () => {
    sources = await importChanged<Sources>(ENTRY, MADE_UP);
  });

  it("has its limit for the gas of a transaction", async () => {
    await using node = await start("madeUp");
    await using before = await start("osaka");

    await expect(node.mine([{ gasLimit: 1_000_001n }])).rejects.toThrow("gas limit cap");
    await expect(node.mine([{ gasLimit: 1_000_000n }])).resolves.toHaveLength(1);
    await expect(before.mine([{ gasLimit: 1_000_001n }])).resolves.toHaveLength(1);
  });

  it("has its instruction, by name and at its price", async () => {
    await using node = await start("madeUp");

    const result = await node.rpc("eth_call", [{ to: CONTRACT }, "latest"]);
    const trace = await node.rpc("debug_traceCall", [{ from: FROM, to: CONTRACT }, "latest", {}]);

    expect(BigInt(result as string)).toBe(42n);
    expect(trace).toMatchObject({
      structLogs: [{}, { op: "TWICE", gasCost: 4 }, {}, {}, {}, {}, {}],
    });
  });

  it("is named as the requirement of the instruction on an earlier chain", async () => {
    await using node = await start("osaka");

    await expect(node.rpc("eth_call", [{ to: CONTRACT }, "latest"])).rejects.toThrow(
      `TWICE (0x21) in ${CONTRACT} needs madeUp; this chain is osaka`,
    );
  });

  it("has its precompile, at its price", async () => {
    await using node = await start("madeUp");
    await using before = await start("osaka");
    const call = { from: FROM, to: REVERSE, data: "0x010203" };
    // A transaction, three bytes of data, and the gas of the precompile.
    const enough = 21_000 + 3 * 16 + 5_000;
    const withGas = (gas: number) => [{ ...call, gas: `0x${gas.toString(16)}` }, "latest"];

    expect(await node.rpc("eth_call", withGas(enough))).toBe("0x030201");
    await expect(node.rpc("eth_call", withGas(enough - 1))).rejects.toThrow();
    expect(await before.rpc("eth_call", [call, "latest"])).toBe("0x");
    expect(await node.rpc("eth_config")).toMatchObject({
      current: { precompiles: { REVERSE } },
    });
  });

  it("is rejected by a foreign EVM that does not support it", () => {
    expect(() => sources.createRules({ fork: "madeUp" })).toThrow(
      "EthereumJS does not support madeUp; run the chain with --evm=plinth",
    );
  });

  async function start(hardfork: string): Promise<Testing.TestNode> {
    return sources.createTestNode({
      plugins: [sources.rpcDebug],
      options: { hardfork },
      genesis: {
        config: { chainId: 1337, dev: {} },
        gasLimit: "0x1c9c380",
        alloc: { [FROM]: { balance: "0xde0b6b3a7640000" }, [CONTRACT]: { code: CODE } },
      },
    });
  }
});

it("the newest fork is named by its record, and by no other source", () => {
  const sources = ["cli", "core", "kits", "plugins"]
    .flatMap((folder) => findFiles(repository, folder))
    .filter((path) => /\.(ts|mjs)$/.test(path) && !/\.test(-d)?\.ts$/.test(path));
  const name = new RegExp(NEWEST_FORK, "i");
  const naming = sources.filter((path) => name.test(readFileSync(join(repository, path), "utf8")));

  expect(naming).toEqual(["core/contract/src/evm/forks/records.ts"]);
});

function before(place: string, added: string): (text: string) => string {
  return (text) => {
    if (!text.includes(place)) throw new Error(`there is no ${place} to change`);
    return text.replace(place, `${added}\n${place}`);
  };
}
