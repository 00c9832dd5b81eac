import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  ALICE,
  BOB,
  createTestNode,
  DEV_GENESIS,
  FakeClock,
  signTransaction,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcDev from "./index.js";

const CAROL = "0x00000000000000000000000000000000000000ca";
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    [ALICE.address]: { ...DEV_GENESIS.alloc[ALICE.address], privateKey: ALICE.key },
  },
};
const START = 1_700_000_000;

async function startChain(options: Record<string, unknown> = {}) {
  const clock = new FakeClock(START * 1000);
  const node = await createTestNode({ plugins: [rpcDev], genesis: GENESIS, options, clock });
  const head = () => node.node.blocks.head();
  return { ...node, clock, head, [Symbol.asyncDispose]: () => node.stop() };
}

function temporaryFile() {
  const folder = mkdtempSync(join(tmpdir(), "plinth-"));
  return {
    path: join(folder, "state.json"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

describe("the next block", () => {
  it("has the requested base fee, random value and coinbase", async () => {
    await using chain = await startChain();
    const random = `0x${"12".repeat(32)}`;

    await chain.rpc("hardhat_setNextBlockBaseFeePerGas", ["0x64"]);
    await chain.rpc("hardhat_setPrevRandao", [random]);
    await chain.rpc("hardhat_setCoinbase", [CAROL]);
    await chain.rpc("evm_mine");

    expect(chain.head()).toMatchObject({ baseFeePerGas: 100n, mixHash: random, coinbase: CAROL });
    await chain.rpc("evm_mine");
    expect(chain.head().mixHash).not.toBe(random);
    expect(chain.head().coinbase).toBe(CAROL);
  });

  it("has the requested gas limit, and so have later blocks", async () => {
    await using chain = await startChain();

    await chain.rpc("evm_setBlockGasLimit", ["0x1000000"]);
    await chain.rpc("hardhat_mine", ["0x2"]);

    expect(chain.head().gasLimit).toBe(0x1000000n);
    await expect(chain.rpc("evm_setBlockGasLimit", ["0x1"])).rejects.toMatchObject({
      code: -32602,
    });
  });
});

describe("the clock of the chain", () => {
  it("is set to a time, in seconds or milliseconds", async () => {
    await using chain = await startChain();

    expect(await chain.rpc("evm_setTime", [START + 500])).toBe(500);
    await chain.rpc("evm_mine");
    expect(chain.head().timestamp).toBe(BigInt(START + 500));
    expect(await chain.rpc("evm_setTime", [(START + 900) * 1000])).toBe(900);
    await expect(chain.rpc("evm_setTime", [START])).rejects.toMatchObject({ code: -32602 });
  });

  it("may count blocks instead of seconds", async () => {
    await using chain = await startChain();
    await chain.rpc("evm_mine");
    const first = chain.head().timestamp;

    await chain.rpc("anvil_setBlockTimestampInterval", [12]);
    await chain.rpc("anvil_mine", [3]);
    expect(chain.head().timestamp).toBe(first + 36n);
    await chain.rpc("evm_mine");
    expect(chain.head().timestamp).toBe(first + 48n);

    expect(await chain.rpc("anvil_removeBlockTimestampInterval")).toBe(true);
    expect(await chain.rpc("anvil_removeBlockTimestampInterval")).toBe(false);
  });
});

describe("a chain that is rewound", () => {
  it("removes blocks", async () => {
    await using chain = await startChain();
    await chain.rpc("hardhat_mine", ["0x3"]);
    const second = chain.node.blocks.findHeader(2n)?.hash;

    await chain.rpc("anvil_rollback", [1]);

    expect(chain.head().hash).toBe(second);
    await expect(chain.rpc("anvil_rollback", [9])).rejects.toMatchObject({ code: -32602 });
  });

  it("replaces them by others, with given transactions", async () => {
    await using chain = await startChain({ devUnlockedAccounts: true });
    await chain.mine([transfer()], []);
    const old = chain.head().hash;
    const raw = await signTransaction({ to: BOB });
    const request = { from: ALICE.address, to: CAROL, value: "0x7" };

    await chain.rpc("anvil_reorg", [
      2,
      [
        [raw, 0],
        [request, 1],
      ],
    ]);

    expect(chain.head()).toMatchObject({ number: 2n, gasUsed: 21_000n });
    expect(chain.head().hash).not.toBe(old);
    expect(await chain.rpc("eth_getBalance", [CAROL, "latest"])).toBe("0x7");
    await expect(chain.rpc("anvil_reorg", [1, [[raw, 1]]])).rejects.toMatchObject({ code: -32602 });
  });
});

describe("a reorganization that fails", () => {
  it.each([
    ["bytes that are not a transaction", "0xc0"],
    ["a request of an account whose key is missing", { from: CAROL, to: BOB }],
  ])("leaves the blocks unchanged: %s", async (_, transaction) => {
    await using chain = await startChain();
    await chain.rpc("hardhat_mine", ["0x5"]);
    const { hash } = chain.head();

    await expect(chain.rpc("anvil_reorg", [2, [[transaction, 0]]])).rejects.toThrow();

    expect(chain.head().hash).toBe(hash);
  });
});

describe("returned blocks", () => {
  it("are at most 10,000", async () => {
    await using chain = await startChain();

    await expect(chain.rpc("evm_mine_detailed", [{ blocks: 10_001 }])).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("at most 10000"),
    });
    expect(chain.head().number).toBe(0n);
  });
});

describe("a dump of the state", () => {
  it("is loaded by another chain, with code and storage", async () => {
    await using chain = await startChain();
    const word = `0x${"05".padStart(64, "0")}`;
    await chain.rpc("hardhat_setCode", [CAROL, "0x6001"]);
    await chain.rpc("hardhat_setStorageAt", [CAROL, "0x3", word]);
    await chain.rpc("hardhat_setBalance", [CAROL, "0x9"]);
    const dump = await chain.rpc("anvil_dumpState");

    await using other = await startChain();
    expect(await other.rpc("anvil_loadState", [dump])).toBe(true);

    expect(await other.rpc("eth_getCode", [CAROL, "latest"])).toBe("0x6001");
    expect(await other.rpc("eth_getStorageAt", [CAROL, "0x3", "latest"])).toBe(word);
    expect(await other.rpc("eth_getBalance", [CAROL, "latest"])).toBe("0x9");
    const { hash } = other.head();
    await other.node.blocks.rerun(hash);
  });

  it.each(["0x00", "0x1f8b00", "0x7b7d", `0x${Buffer.from('{"accounts":7}').toString("hex")}`])(
    "is rejected if it is invalid: %s",
    async (state) => {
      await using chain = await startChain();

      await expect(chain.rpc("anvil_loadState", [state])).rejects.toMatchObject({ code: -32602 });
      expect(chain.head().number).toBe(0n);
    },
  );

  it("is a file between two runs", async () => {
    using file = temporaryFile();
    const first = await startChain({ state: file.path });
    await first.rpc("hardhat_setBalance", [CAROL, "0x9"]);
    await first.stop();
    expect(JSON.parse(readFileSync(file.path, "utf8")).accounts[CAROL].balance).toBe("0x9");

    await using second = await startChain({ state: file.path });

    expect(await second.rpc("eth_getBalance", [CAROL, "latest"])).toBe("0x9");
  });

  it("is kept as a .bak file if the chain continues without it", async () => {
    using file = temporaryFile();
    const other = JSON.stringify({ accounts: { [CAROL]: { balance: "0x9" } } });
    const chain = await startChain({ state: file.path });
    await chain.rpc("evm_mine");
    await chain.restart();
    writeFileSync(file.path, other);

    await chain.stop();

    expect(readFileSync(`${file.path}.bak`, "utf8")).toBe(other);
    expect(JSON.parse(readFileSync(file.path, "utf8")).accounts[CAROL]).toBeUndefined();
  });

  it("is written atomically, so that a crash leaves the old file or the new one", async () => {
    using file = temporaryFile();
    writeFileSync(file.path, JSON.stringify({ accounts: {} }));
    const { ino } = statSync(file.path);
    const chain = await startChain({ state: file.path });

    await chain.stop();

    expect(statSync(file.path).ino).not.toBe(ino);
    expect(readdirSync(dirname(file.path))).toEqual(["state.json"]);
  });

  it("may have more accounts than a call has arguments", async () => {
    await using chain = await startChain();
    // One account in 130,000 spellings: that many different ones would take too long.
    const accounts = Array.from({ length: 130_000 }, (_, index) => {
      const spelling = index.toString(2).padStart(40, "0").replaceAll("0", "a");
      return [`0x${spelling.replaceAll("1", "A")}`, { balance: "0x1" }];
    });
    const json = JSON.stringify({ accounts: Object.fromEntries(accounts) });

    await chain.rpc("anvil_loadState", [`0x${gzipSync(json).toString("hex")}`]);

    expect(chain.head().number).toBe(1n);
  });

  it("in a request may not unpack to more than 32 MiB", async () => {
    await using chain = await startChain();
    const json = `{"accounts":[${" ".repeat(33 * 1024 * 1024)}]}`;
    const state = `0x${gzipSync(json).toString("hex")}`;

    await expect(chain.rpc("anvil_loadState", [state])).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("at most 32 MiB"),
    });
  });

  it.each(["/missing/state.json", tmpdir()])("must be a writable file: %s", async (path) => {
    for (const option of ["state", "dumpState"]) {
      await expect(startChain({ [option]: path })).rejects.toMatchObject({
        code: "STATE_FILE_INVALID",
        message: expect.stringContaining(path),
      });
    }
  });

  it.each(["/dev/zero", tmpdir()])("must be a readable file: %s", async (path) => {
    await expect(startChain({ loadState: path })).rejects.toMatchObject({
      code: "STATE_FILE_INVALID",
    });
  });

  it("must exist for --load-state", async () => {
    await expect(startChain({ loadState: "/missing/state.json" })).rejects.toMatchObject({
      code: "STATE_FILE_INVALID",
    });
  });
});

describe("added balances", () => {
  it("are all counted, regardless of how many are added concurrently", async () => {
    await using chain = await startChain();

    await Promise.all(Array.from({ length: 20 }, () => chain.rpc("anvil_addBalance", [CAROL, 1])));

    expect(await chain.rpc("eth_getBalance", [CAROL, "latest"])).toBe("0x14");
  });

  it("stay below 256 bits", async () => {
    await using chain = await startChain();
    await chain.rpc("hardhat_setBalance", [CAROL, `0x${"f".repeat(64)}`]);

    await expect(chain.rpc("anvil_addBalance", [CAROL, 1])).rejects.toMatchObject({
      code: -32602,
    });
  });
});

describe("tokens", () => {
  /** Returns the word at keccak256(argument, 5), like `balanceOf` of a mapping in slot 5. */
  const TOKEN_CODE = "0x600435600052600560205260406000205460005260206000f3";

  it("are set in the slot of the token's balances", async () => {
    await using chain = await startChain();
    await chain.rpc("hardhat_setCode", [CAROL, TOKEN_CODE]);

    await chain.rpc("anvil_dealERC20", [BOB, CAROL, "0x64"]);

    const data = `0x70a08231${BOB.slice(2).padStart(64, "0")}`;
    const balance = await chain.rpc("eth_call", [{ to: CAROL, data }, "latest"]);
    expect(BigInt(String(balance))).toBe(100n);
  });

  it("are not searched in every word of a contract that reads thousands", async () => {
    await using chain = await startChain();
    // Reads slots 0 to 4095, and returns 7.
    const code = "0x60005b8054506001018061100011600257600760005260206000f3";
    await chain.rpc("hardhat_setCode", [CAROL, code]);

    await expect(chain.rpc("anvil_dealERC20", [BOB, CAROL, "0x64"])).rejects.toMatchObject({
      message: expect.stringContaining("balanceOf"),
    });
  });

  it("are rejected if there is no such word", async () => {
    await using chain = await startChain();

    await expect(chain.rpc("anvil_dealERC20", [BOB, CAROL, "0x64"])).rejects.toMatchObject({
      message: expect.stringContaining("balanceOf"),
    });
  });
});

describe("unsupported methods", () => {
  it.each(["anvil_setChainId", "anvil_setRpcUrl", "hardhat_setMinGasPrice"])(
    "says why: %s",
    async (method) => {
      await using chain = await startChain();

      await expect(chain.rpc(method, ["0x1"])).rejects.toMatchObject({
        code: -32004,
        message: expect.stringMatching(/^not supported: .{10,}/),
      });
    },
  );
});
