import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { call, ROOT, runProgram } from "../support/program.js";
import { report } from "../support/report.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { until } from "./network-node.js";
import { ProgramProcess } from "./program-process.js";
import { type Sender, TransferLoad } from "./transfer-load.js";
import { keyOf } from "./validator-network.js";

const isLong = process.env.PLINTH_NETWORK !== undefined;
const LIMIT_MS = 120_000;
const VALIDATORS = 4;
const PERIOD_SECONDS = isLong ? 2 : 1;
const MOST_PERIODS = 3;
/** CI has no time for all of them. */
const REPLACED = isLong ? VALIDATORS : 1;

// The steps of docs/operators/replace-besu.md, with Plinth instead of Besu on its own files.
it.skipIf(!isLong)(
  "validators of a running network are replaced one by one, under load",
  async () => {
    using place = temporaryFolder();
    const network = await planNetwork(place);
    const running = network.map((each) => startBesu(each));
    await using _ = { [Symbol.asyncDispose]: () => stopAll(running) };
    await untilHeight(network, 2);
    const [first] = network;
    if (first === undefined) throw new Error("expected validators");
    const senders = await createSenders();
    const load = new TransferLoad(first, senders);

    for (const [index, validator] of network.slice(0, REPLACED).entries()) {
      await load.use(network[(index + 1) % VALIDATORS] ?? first);
      const [check, migrate, start, status] = commandsFor(validator);
      expect((await run(check)).code).toBe(0);
      expect((await run(migrate)).stdout).toContain("`--bonsai-historical-block-limit`: ");
      await running[index]?.end("SIGTERM");
      running[index] = ProgramProcess.start(start ?? [], place.path);
      await running[index]?.printed("Ethereum main loop is up.");
      await untilHeight(network, Math.max(...(await heightsOf(network))) + 2);
      await until(async () => (await run(status)).code === 0, LIMIT_MS);
    }
    const sent = await load.end();
    await untilHeight(network, (await first.height()) + 2);

    for (const validator of network) {
      const counts = await Promise.all(
        senders.map(({ address }) => validator.rpc("eth_getTransactionCount", [address, "latest"])),
      );
      expect(counts.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(Number(sent));
    }
    const gap = await longestGap(first);
    report("transactions, longest time between two blocks in seconds", [Number(sent), gap]);
    if (isLong) expect(gap).toBeLessThanOrEqual(MOST_PERIODS * PERIOD_SECONDS);

    function run(words: readonly string[] = []) {
      return runProgram(words, { folder: place.path });
    }
  },
  10 * LIMIT_MS,
);

interface PlannedValidator {
  /** The folder of Besu, and that of Plinth. */
  readonly besu: string;
  readonly plinth: string;
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  height(): Promise<number>;
}

/** Writes four installations of Besu, as they exist in practice. */
async function planNetwork(place: TemporaryFolder): Promise<readonly PlannedValidator[]> {
  const crypto = await loadCrypto();
  const keys = Array.from({ length: VALIDATORS }, (_, index) => keyOf(index + 1));
  const publicKeys = keys.map((key) => crypto.publicKeyOf(hexToBytes(key)));
  const ports: { rpc: number; p2p: number }[] = [];
  for (const _ of keys) ports.push({ rpc: await freePort(), p2p: await freePort() });
  const enodes = publicKeys.map(
    (key, index) => `enode://${toHex(key).slice(2)}@127.0.0.1:${ports[index]?.p2p}`,
  );
  const validators = publicKeys.map((key) => crypto.addressOf(key));
  const senders = await createSenders();
  return ports.map(({ rpc, p2p }, index) => {
    const besu = place.file(`besu${index}`);
    mkdirSync(join(besu, "data"), { recursive: true });
    writeFileSync(join(besu, "data/key"), keys[index] ?? "");
    writeFileSync(join(besu, "genesis.json"), JSON.stringify(genesisOf(validators, senders)));
    writeFileSync(join(besu, "static-nodes.json"), JSON.stringify(enodes));
    writeFileSync(join(besu, "config.toml"), configOf(besu, { rpc, p2p }));
    const url = `http://127.0.0.1:${rpc}`;
    return {
      besu,
      plinth: place.file(`plinth${index}`),
      rpc: (method, params) => call(url, method, params),
      height: async () => Number(await call(url, "eth_blockNumber")),
    };
  });
}

function configOf(folder: string, { rpc, p2p }: { readonly rpc: number; readonly p2p: number }) {
  return [
    `data-path="${join(folder, "data")}"`,
    `genesis-file="${join(folder, "genesis.json")}"`,
    `static-nodes-file="${join(folder, "static-nodes.json")}"`,
    'data-storage-format="BONSAI"',
    "bonsai-historical-block-limit=600",
    "min-gas-price=0",
    "rpc-http-enabled=true",
    `rpc-http-port=${rpc}`,
    'rpc-http-api=["ETH","NET","WEB3","QBFT"]',
    `p2p-port=${p2p}`,
    'p2p-interface="127.0.0.1"',
    "discovery-enabled=false",
    'nat-method="NONE"',
  ].join("\n");
}

/** Several: the pool holds 200 transactions per account, and as many are sent in two periods. */
async function createSenders(): Promise<readonly Sender[]> {
  const crypto = await loadCrypto();
  return [101, 102, 103, 104].map((number) => {
    const privateKey = keyOf(number);
    return { address: crypto.addressOf(crypto.publicKeyOf(hexToBytes(privateKey))), privateKey };
  });
}

function genesisOf(validators: readonly Address[], senders: readonly Sender[]): object {
  return {
    config: {
      chainId: 1337,
      londonBlock: 0,
      zeroBaseFee: true,
      qbft: { blockperiodseconds: PERIOD_SECONDS, epochlength: 30_000, requesttimeoutseconds: 2 },
    },
    timestamp: "0x58ee40ba",
    gasLimit: "0x1c9c380",
    difficulty: "0x1",
    mixHash: "0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365",
    extraData: toHex(qbftExtraData.encodeGenesis(validators)),
    alloc: Object.fromEntries(senders.map(({ address }) => [address, { balance: "1000000" }])),
  };
}

function startBesu({ besu }: PlannedValidator): ProgramProcess {
  return ProgramProcess.start([`--config-file=${join(besu, "config.toml")}`], besu);
}

async function stopAll(running: readonly ProgramProcess[]): Promise<void> {
  await Promise.all(running.map((each) => each.end("SIGTERM")));
}

/** The commands of the page, in order, with the folders of a validator. */
function commandsFor({ besu, plinth }: PlannedValidator): readonly (readonly string[])[] {
  const page = readFileSync(join(ROOT, "docs/operators/replace-besu.md"), "utf8");
  return [...page.matchAll(/^plinth (.*)$/gm)].map(([, words = ""]) =>
    words.replaceAll("/opt/besu", besu).replaceAll("/var/lib/plinth", plinth).split(" "),
  );
}

async function heightsOf(network: readonly PlannedValidator[]): Promise<readonly number[]> {
  return Promise.all(network.map((each) => each.height().catch(() => -1)));
}

async function untilHeight(network: readonly PlannedValidator[], height: number): Promise<void> {
  await until(async () => (await heightsOf(network)).every((each) => each >= height), LIMIT_MS);
}

/** Of all blocks from the first one on, in seconds; block 0 has another time. */
async function longestGap(node: PlannedValidator): Promise<number> {
  const times: number[] = [];
  for (let number = 1; number <= (await node.height()); number++) {
    const block = await node.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
    times.push(Number((block as { readonly timestamp: string }).timestamp));
  }
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}
