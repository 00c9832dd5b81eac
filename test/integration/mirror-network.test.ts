import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Address, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../network/network-node.js";
import {
  environmentOf,
  PROGRAM,
  type RunningNode,
  runProgram,
  startNode,
} from "../support/program.js";
import { report } from "../support/report.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

const BLOCKS = Number(process.env.PLINTH_MIRROR_BLOCKS ?? 40);
const PERIOD_MS = 50;
const LIMIT_MS = 60_000 + BLOCKS * PERIOD_MS * 4;
const KEY = hexToBytes("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
const RICH: Address = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const OTHER: Address = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
/** Adds the first word of its input to the balance of the caller, and logs it. */
const TOKEN = "0x601780600b6000396000f3";
const TOKEN_CODE = "60003533540133556000356000523360dd60206000a200";

/** Sends transactions as fast as blocks take them, until it is ended. */
async function sendAll(node: RunningNode, count: number): Promise<void> {
  await loadCrypto();
  let nonce = 0n;
  const send = (fields: {
    readonly to?: Address;
    readonly value?: bigint;
    readonly data?: string;
  }) => {
    const { to, value = 0n, data = "0x" } = fields;
    const signed = signTransaction(
      {
        chainId: 1337n,
        nonce: nonce++,
        gasPrice: 10n ** 9n,
        gasLimit: 200_000n,
        to,
        value,
        data: hexToBytes(data),
      },
      KEY,
    );
    return node.rpc("eth_sendRawTransaction", [toHex(signed)]);
  };
  const creation = await send({ data: `${TOKEN}${TOKEN_CODE}` });
  const receipt = () => node.rpc("eth_getTransactionReceipt", [creation]);
  await until(async () => (await receipt()) !== null, LIMIT_MS);
  const { contractAddress } = Object(await receipt());
  while (Number(await node.rpc("eth_blockNumber")) < count) {
    await send({ to: OTHER, value: 1n });
    await send({ to: contractAddress, data: `0x${"07".padStart(64, "0")}` });
  }
  // Calldata has a minimum price since Prague.
  await send({ to: OTHER, data: `0x${"01".repeat(1000)}` });
  const last = nonce;
  const isMined = async () =>
    BigInt(String(await node.rpc("eth_getTransactionCount", [RICH, "latest"]))) >= last;
  await until(isMined, LIMIT_MS);
}

describe("the mirror of a QBFT network", { timeout: LIMIT_MS * 2 }, () => {
  let folder: TemporaryFolder;
  let network: RunningNode;
  let later: number;
  beforeAll(async () => {
    folder = temporaryFolder();
    const flags = ["--to=network", "--engine=qbft", "--nodes=1", "--base-port=0", "--dev-accounts"];
    await runProgram(["genesis", "create", ...flags], { folder: folder.path });
    const path = folder.file("network/genesis.json");
    const genesis = JSON.parse(readFileSync(path, "utf8"));
    genesis.config.qbft.xblockperiodmilliseconds = PERIOD_MS;
    writeFileSync(path, JSON.stringify(genesis));
    later = Number(genesis.timestamp) + 1;
    const words = [
      `--genesis-file=${path}`,
      `--node-private-key-file=${folder.file("network/node1/key")}`,
      "--rpc-http-enabled",
      "--rpc-http-api=ETH",
    ];
    network = await startNode(words, { folder: folder.path });
    await sendAll(network, BLOCKS);
  }, LIMIT_MS);
  afterAll(async () => {
    await network.stop();
    folder[Symbol.dispose]();
  });

  const node = (name: string, ...options: readonly string[]) => [
    "--genesis-file=network/genesis.json",
    `--data-path=${name}`,
    ...options,
    "mirror",
    `--from=${network.url}`,
  ];

  it(`finds no difference in ${BLOCKS} blocks`, async () => {
    const startedAt = performance.now();

    const { code, stdout, stderr } = await runProgram([...node("same"), `--blocks=${BLOCKS}`], {
      folder: folder.path,
    });

    const ms = Math.round(performance.now() - startedAt);
    report("mirror of a network", { blocks: BLOCKS, ms });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Verdict: no difference in ${BLOCKS.toLocaleString("en")} blocks`);
  });

  it("names what another hardfork changes", async () => {
    const words = [...node("later", `--override-genesis-config=pragueTime=${later}`), "--json"];
    const { code, stdout } = await runProgram([...words, "--until=head"], { folder: folder.path });

    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(3);
    const priced = events.filter(({ field, transaction }) => field === "gasUsed" && transaction);
    expect(priced).toMatchObject([{ network: "37000", here: "61000" }]);
    expect(priced[0].transaction.hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(events.map(({ field }) => field)).toContain(`balance of ${RICH}`);
    expect(events.at(-1)).toMatchObject({ differingBlocks: 1, firstDifference: priced[0].block });
  });

  it("prints the verdict if it is interrupted, and continues in the same folder", async () => {
    const child = spawn(process.execPath, [PROGRAM, ...node("followed"), "--json"], {
      cwd: folder.path,
      env: environmentOf(folder.path),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(child, "close");
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    const marker = folder.file("followed/database-head.json");
    const number = () => Number(JSON.parse(readFileSync(marker, "utf8")).number);
    await until(async () => existsSync(marker) && number() > 0, LIMIT_MS);
    child.kill("SIGINT");
    const [code] = await closed;

    expect(code).toBe(0);
    const verdict = JSON.parse(text.trim().split("\n").at(-1) ?? "");
    expect(verdict).toMatchObject({ event: "verdict", differences: 0, first: 1 });
    expect(verdict.blocks).toBe(verdict.last);
    const again = await runProgram([...node("followed"), "--blocks=2", "--json"], {
      folder: folder.path,
    });
    expect(JSON.parse(again.stdout)).toMatchObject({ blocks: 2, first: verdict.last + 1 });
  });

  it("needs a separate folder", async () => {
    const words = ["--genesis-file=network/genesis.json", "mirror", `--from=${network.url}`];

    const { code, stderr } = await runProgram(words, { folder: folder.path });

    expect(code).toBe(2);
    expect(stderr).toContain("mirror needs a separate folder");
  });
});
