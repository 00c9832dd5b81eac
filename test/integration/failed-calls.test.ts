import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import devConsole from "@plinth/plugin-dev-console";
import rpcEth from "@plinth/plugin-rpc-eth";
import { ALICE, createTestNode, DEV_GENESIS, devChain, recordLogs } from "@plinth/testing";
import { describe, expect, it, vi } from "vitest";

const CONTRACT = "0x00000000000000000000000000000000000000cc";
const INNER = "0x00000000000000000000000000000000000000dd";
const word = (value: bigint) => value.toString(16).padStart(64, "0");
/** `InsufficientBalance(address,uint256)` of ALICE and 2. */
const ERROR = `f6deaa04${word(BigInt(ALICE.address))}${word(2n)}`;
/** Reverts with the data behind it: 68 bytes from 12 on. */
const REVERTS = `6044600c60003960446000fd${ERROR}`;
/** Calls the other one without data, then passes on its revert data. */
const CALLER = `6000600060006000600073${INNER.slice(2)}5af1503d600060003e3d6000fd`;
/** Jumps to its beginning. */
const ENDLESS = "0x5b600056";
/** Reverts with `Error(string)` of 200,000 zeros. */
const LONG_REASON = "0x6308c379a060e01b600052602060045262030d4060245262030d846000fd";
const ABI = [
  { type: "function", name: "pay", inputs: [{ name: "amount", type: "uint256" }] },
  {
    type: "error",
    name: "InsufficientBalance",
    inputs: [
      { name: "who", type: "address" },
      { name: "needed", type: "uint256" },
    ],
  },
];

async function start(options: Record<string, unknown> = {}, genesis: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-"));
  const file = join(folder, "Bank.json");
  writeFileSync(file, JSON.stringify({ contractName: "Bank", abi: ABI }));
  const logs = recordLogs();
  const alloc = {
    ...DEV_GENESIS.alloc,
    [CONTRACT]: { code: `0x${CALLER}` },
    [INNER]: { code: `0x${REVERTS}` },
  };
  const node = await createTestNode({
    plugins: [rpcEth, devConsole, ...devChain],
    genesis: { ...DEV_GENESIS, alloc, ...genesis },
    options: { abi: [file], ...options },
    logs,
  });
  return {
    node,
    lines: () =>
      logs.entries
        .filter(({ logger }) => logger === "dev-console")
        .map(({ level, message }) => `${level} ${message}`),
    async [Symbol.asyncDispose]() {
      await node.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

const CALL = {
  from: ALICE.address,
  to: CONTRACT,
  data: `0xc290d691${word(7n)}`,
};
const SHORT = `${ALICE.address.slice(0, 6)}…${ALICE.address.slice(-4)}`;

describe("a call that failed", () => {
  it.each(["eth_call", "eth_estimateGas"])(
    "has the error of its ABI in the response of %s, and a log line",
    async (name) => {
      await using chain = await start();

      await expect(chain.node.rpc(name, [CALL])).rejects.toMatchObject({
        code: 3,
        message: `Execution reverted: InsufficientBalance(${ALICE.address}, 2)`,
        data: `0x${ERROR}`,
      });
      expect(chain.lines()).toEqual([
        `warn ${name} from ${SHORT} to ${CONTRACT}.pay(7) · Execution reverted: InsufficientBalance(${ALICE.address}, 2)`,
      ]);
    },
  );

  it("is shown with the nested calls if configured", async () => {
    await using chain = await start({ trace: true });

    await expect(chain.node.rpc("eth_call", [CALL])).rejects.toThrow();

    const tree = chain.lines().slice(1);
    expect(tree).toEqual([
      expect.stringMatching(
        /^info {3}\[[\d,]+\] 0x0000…00cc\.pay\(7\) ← reverted: InsufficientBalance\(/,
      ),
      expect.stringMatching(
        /^info {3}└─ \[[\d,]+\] 0x0000…00dd\.receive\(\) ← reverted: InsufficientBalance\(/,
      ),
    ]);
  });

  it("is shown once while a page repeats it", async () => {
    await using chain = await start();
    for (let turn = 0; turn < 3; turn++) {
      await expect(chain.node.rpc("eth_call", [CALL])).rejects.toThrow();
    }
    expect(chain.lines()).toHaveLength(1);
  });

  it("is shown once while a page repeats several in turn", async () => {
    await using chain = await start();
    for (let turn = 0; turn < 3; turn++) {
      for (const amount of [1n, 2n]) {
        const call = { ...CALL, data: `0xc290d691${word(amount)}` };
        await expect(chain.node.rpc("eth_call", [call])).rejects.toThrow();
      }
    }
    expect(chain.lines()).toHaveLength(2);
  });

  it("that would run endlessly is traced only briefly, while others are served", async () => {
    await using chain = await start({ rpcGasCap: 100_000 }, { gasLimit: "0x1fffffffffffff" });
    const call = [{ to: CONTRACT }, "latest", { [CONTRACT]: { code: ENDLESS } }];

    const failed = expect(chain.node.rpc("eth_call", call)).rejects.toThrow("INSUFFICIENT_GAS");
    await vi.waitFor(() => expect(chain.lines()).toHaveLength(1));
    await expect(chain.node.rpc("eth_blockNumber")).resolves.toBe("0x0");
    expect(chain.lines()).toHaveLength(1);
    await failed;

    expect(chain.lines()[1]).toBe("warn   cannot be traced to its end: still running after 500 ms");
  });

  it("with a reason of megabytes has a short line", async () => {
    await using chain = await start({ trace: true });
    const call = [{ to: CONTRACT }, "latest", { [CONTRACT]: { code: LONG_REASON } }];

    await expect(chain.node.rpc("eth_call", call)).rejects.toThrow();

    const [first = "", second = ""] = chain.lines();
    expect(first.length).toBeLessThan(5000);
    expect(second.length).toBeLessThan(5000);
  });

  it("has the code of a failed execution if it halted, by which viem recognizes it", async () => {
    await using chain = await start();
    const created = { from: ALICE.address, data: "0xfe" };

    await expect(chain.node.rpc("eth_call", [created])).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining("INVALID_OPERATION (invalid opcode)"),
    });
  });

  it("has Besu's message in its mode, with the line", async () => {
    await using chain = await start({ rpcCompatibility: "besu" });

    await expect(chain.node.rpc("eth_call", [CALL, "latest"])).rejects.toMatchObject({
      code: -32000,
      message: "Execution reverted",
      data: `0x${ERROR}`,
    });
    expect(chain.lines()).toHaveLength(1);
  });

  it("that could not start, and one with invalid parameters, has no nested calls", async () => {
    await using chain = await start({ trace: true });

    await expect(chain.node.rpc("eth_call", [{ ...CALL, gas: "0x1" }])).rejects.toThrow();
    await expect(chain.node.rpc("eth_call", [{ to: "0x1" }])).rejects.toThrow();

    expect(chain.lines()).toEqual([
      `warn eth_call from ${SHORT} to ${CONTRACT}.pay(7) · Intrinsic gas exceeds gas limit`,
    ]);
  });
});
