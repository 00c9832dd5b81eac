import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { beforeAll, describe, expect, it } from "vitest";
import { longestGap } from "../support/block-gaps.js";
import { pollDuring, until } from "../support/poller.js";
import { type RunningNode, runProgram, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

// `../shared/attacks/README.md`, "Transactions and blocks": each of these once froze, ended or corrupted a node.

/** A well-known account of the development networks. */
const ALICE = {
  key: "8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63",
  address: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73",
};
const OTHER = {
  key: "c87509a1c067bbde78beb793e6fa76530b6382a4c0241e5e4a9ec0a0f44dc0d3",
  address: "0x627306090abab3a6e1400e9345bc60c78a8bef57",
};
const SINK = "0x00000000000000000000000000000000000000b0";
const BLAKE2F = "0x0000000000000000000000000000000000000009";

/** A network whose blocks have a huge gas limit, like Besu's `--network=dev`. */
const ROOMY = {
  config: { chainId: 1337, londonBlock: 0, shanghaiTime: 0, dev: {} },
  gasLimit: "0x1fffffffffffff",
  difficulty: "0x1",
  baseFeePerGas: "0x7",
  alloc: {
    [ALICE.address]: { balance: `0x${(10n ** 24n).toString(16)}` },
    [OTHER.address]: { balance: `0x${(10n ** 24n).toString(16)}` },
  },
};
const APIS = "--rpc-http-api=ETH,NET,WEB3,ADMIN,TXPOOL,PLINTH";
const ON_ROOMY = ["--genesis-file=genesis.json", "--rpc-http-enabled", APIS];
// From Osaka on a transaction may not have as much gas as these need.
const PERIODIC = ["--profile=dev", "--hardfork=prague", "--dev-period-seconds=1", APIS];
/** Three quarters of a period, as in Besu. */
const BUILDING_LIMIT_MS = 750;
/**
 * `npm run long -- attacks` is for a quiet machine and enforces the limit; here other tests run as
 * well.
 */
const SLACK = process.env.PLINTH_STRICT === undefined ? 4 : 1;
/** Maximum wait of every other caller. */
const SLACK_MS = 250 * SLACK;

interface Receipt {
  readonly blockNumber: string;
  readonly logs: readonly unknown[];
}

interface Sent {
  readonly nonce?: bigint;
  readonly to?: `0x${string}`;
  readonly data?: string;
  readonly gasLimit?: bigint;
  readonly gasPrice?: bigint;
}

beforeAll(async () => {
  await loadCrypto();
});

describe("a creation that asks for 8 GiB of memory", () => {
  it("is set aside, explained and dropped, and its node's blocks are valid elsewhere", async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "genesis.json"), JSON.stringify(ROOMY));
    let hash = "";
    {
      await using node = await startNode(ON_ROOMY, { folder: folder.path });
      hash = await send(node, {
        data: "0x60016402000000005200",
        gasLimit: 200_000_000_000_000n,
        gasPrice: 1000n,
      });
      await until(async () => (await stateOf(node, hash)) === "set-aside" || undefined);
      expect(await node.rpc("eth_getTransactionCount", [ALICE.address, "latest"])).toBe("0x0");
      // Another transaction, so that there is a block to export.
      await receiptOf(node, await send(node, { to: SINK }, OTHER));
    }
    const blocks = join(folder.path, "blocks.rlp");
    const data = `--data-path=${join(folder.path, "data")}`;
    const exported = await runProgram(
      ["--genesis-file=genesis.json", data, "blocks", "export", `--to=${blocks}`],
      { folder: folder.path },
    );
    expect(exported).toMatchObject({ code: 0 });
    const imported = await runProgram(
      [
        "--genesis-file=genesis.json",
        `--data-path=${join(folder.path, "other")}`,
        "blocks",
        "import",
        `--from=${blocks}`,
      ],
      { folder: folder.path },
    );
    expect(imported).toMatchObject({ code: 0 });

    await using again = await startNode(ON_ROOMY, { folder: folder.path });
    expect(await stateOf(again, hash)).toBe("set-aside");
    expect(await again.rpc("plinth_status")).toMatchObject({ setAside: [{ hash }] });
    expect(await again.rpc("txpool_status")).toEqual({ pending: "0x0", queued: "0x1" });
    expect(await again.rpc("admin_dropTransaction", [hash])).toBe(true);
    const next = await send(again, { to: SINK });
    expect(await receiptOf(again, next)).toMatchObject({ status: "0x1" });
  });
});

describe("a transaction with 150,000 logs", () => {
  it("is mined, and its block is readable after a restart", async () => {
    using folder = temporaryFolder();
    const count = 150_000;
    const environment = { PLINTH_XVERIFY_OWN_BLOCKS: "false" };
    writeFileSync(join(folder.path, "genesis.json"), JSON.stringify(ROOMY));
    let hash = "";
    {
      await using node = await startNode(ON_ROOMY, { folder: folder.path, environment });
      const digits = count.toString(16).padStart(6, "0");
      hash = await send(node, {
        data: `0x62${digits}5b60006000a0600190038060045700`,
        gasLimit: BigInt(count) * 420n + 200_000n,
      });
      expect(await receiptOf(node, hash)).toMatchObject({ status: "0x1" });
    }
    await using again = await startNode(ON_ROOMY, { folder: folder.path });
    const { logs } = await receiptOf(again, hash);
    expect(logs).toHaveLength(count);
  });
});

/** Number of these tried each time; `npm run long -- attacks` tries all. */
const TRIED = process.env.PLINTH_STRICT === undefined ? 2 : Number.POSITIVE_INFINITY;

const LONG: readonly (readonly [string, Sent])[] = [
  ["a loop", { data: "0x5b5f56", gasLimit: 29_900_000n }],
  [
    "blake2f with 29.8 million rounds",
    {
      to: BLAKE2F,
      data: `0x${(29_800_000).toString(16).padStart(8, "0")}${"00".repeat(208)}01`,
      gasLimit: 29_950_000n,
    },
  ],
  ["a loop over BLOCKHASH", { data: "0x5b610100430340505f56", gasLimit: 29_900_000n }],
  ["contracts created in a loop", { data: "0x5b61c0005f5ff0505f56", gasLimit: 29_900_000n }],
  ["copies of 256 KiB", { data: "0x5b620400005f5f37600056", gasLimit: 29_900_000n }],
];

describe("a transaction that takes long", () => {
  it.each(LONG.slice(0, TRIED))("delays no caller while it runs: %s", async (_, transaction) => {
    using folder = temporaryFolder();
    // Without running each block twice, which would distort the measurement.
    const environment = { PLINTH_XVERIFY_OWN_BLOCKS: "false" };
    await using node = await startNode(PERIODIC, { folder: folder.path, environment });
    const head = async () => Number(await node.rpc("eth_blockNumber"));
    const first = await head();

    const poll = await pollDuring(node.url, async () => {
      const hash = await send(node, transaction);
      await until(async () => (await stateOf(node, hash)) !== "ready" || undefined);
      const last = await head();
      await until(async () => (await head()) >= last + 2 || undefined);
    });

    expect(poll.slowestMs).toBeLessThan(SLACK_MS);
    expect(await longestGap(node, first)).toBeLessThanOrEqual(
      SLACK * (1.5 + BUILDING_LIMIT_MS / 1000),
    );
  });
});

describe("looping creations of many fresh keys if gas is free", () => {
  it("delay no caller, and an honest transfer by one block at most", async () => {
    using folder = temporaryFolder();
    const genesis = {
      ...ROOMY,
      config: { ...ROOMY.config, zeroBaseFee: true },
      baseFeePerGas: "0x0",
    };
    writeFileSync(join(folder.path, "genesis.json"), JSON.stringify(genesis));
    const environment = { PLINTH_XVERIFY_OWN_BLOCKS: "false" };
    const words = [...ON_ROOMY, "--dev-period-seconds=1", "--min-gas-price=0"];
    await using node = await startNode(words, { folder: folder.path, environment });
    let waited = 0;

    const poll = await pollDuring(node.url, async () => {
      const loops = Array.from({ length: 15 }, (_, seed) => signLoop(seed));
      await Promise.all(loops.map((raw) => node.rpc("eth_sendRawTransaction", [raw])));
      const before = Number(await node.rpc("eth_blockNumber"));
      const { blockNumber } = await receiptOf(node, await send(node, { to: SINK, gasPrice: 0n }));
      waited = Number(blockNumber) - before;
      // The remaining ones take all the available time while they exist.
      await until(async () => Number(await node.rpc("eth_blockNumber")) > before + 4 || undefined);
    });

    expect(waited).toBeLessThanOrEqual(SLACK === 1 ? 2 : 3);
    expect(poll.slowestMs).toBeLessThan(SLACK_MS);
  });
});

/** A creation of a new key that runs until its gas is used up. */
function signLoop(seed: number): string {
  const fields = { chainId: 1337n, nonce: 0n, gasLimit: 2n ** 52n, gasPrice: 0n, value: 0n };
  const data = hexToBytes("0x5b5f56");
  const key = new Uint8Array(32).fill(100 + seed);
  return toHex(signTransaction({ ...fields, to: undefined, data }, key));
}

async function send(node: RunningNode, fields: Sent, sender = ALICE): Promise<string> {
  const chainId = BigInt(String(await node.rpc("eth_chainId")));
  const nonce = BigInt(
    String(await node.rpc("eth_getTransactionCount", [sender.address, "pending"])),
  );
  const { data, ...rest } = fields;
  const signed = signTransaction(
    {
      chainId,
      nonce,
      gasLimit: 21_000n,
      gasPrice: 2_000_000_000n,
      value: 0n,
      to: undefined,
      ...rest,
      data: hexToBytes(data ?? "0x"),
    },
    hexToBytes(sender.key),
  );
  return String(await node.rpc("eth_sendRawTransaction", [toHex(signed)]));
}

async function stateOf(node: RunningNode, hash: string): Promise<unknown> {
  return Object(await node.rpc("plinth_explainTransaction", [hash])).state;
}

function receiptOf(node: RunningNode, hash: string) {
  return until(async () => {
    const receipt = await node.rpc("eth_getTransactionReceipt", [hash]);
    return receipt === null ? undefined : (receipt as Receipt);
  });
}
