import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toHex } from "@plinth/core";
import { type GenesisFinding, genesisTemplates } from "@plinth/core/consensus";
import { describe, expect, it } from "vitest";
import { CONFORMANCE, isConformanceMissing } from "../support/conformance.js";
import { registerShippedNode } from "../support/shipped-plugins.js";

const node = await registerShippedNode();
const addressOf = (index: number) => `0x${String(index).padStart(2, "0").repeat(20)}` as const;
const VALIDATORS = [1, 2, 3, 4].map(addressOf);
const CONTRACT = addressOf(99);
const WEI = { balance: "1" };
const precompile = (index: number) => `0x${String(index).padStart(40, "0")}`;
/** Without `0x`, as in older files. */
const ACCOUNT = "ab".repeat(20);

type Engine = "qbft" | "ibft2" | "clique";

interface GenesisJson {
  readonly [member: string]: unknown;
  readonly config: Readonly<Record<string, unknown>>;
}

describe.skipIf(isConformanceMissing)("genesis check on the genesis files of others", () => {
  it("has no false findings", async () => {
    const found: Record<string, readonly string[]> = {};
    let clean = 0;
    for (const [file, json] of readGenesisFiles()) {
      const findings = await findIn(json, file);
      if (findings.length === 0) clean += 1;
      else found[file] = findings;
    }

    expect({ clean, found }).toEqual({
      clean: 30,
      found: {
        // Chains of tests with the id of Ethereum.
        "besu-chain/genesis.json": ["warning: config.chainId"],
        "besu-sequences/debug/setHead/genesis.json": ["warning: config.chainId"],
        "besu-sequences/engine/paris/genesis.json": ["warning: config.chainId"],
        "besu-sequences/eth/getBlockBy/genesis.json": ["warning: config.chainId"],
        // Its beneficiary changes beside forks by time; the last entry was the one in effect then.
        "besu-networks/qbft-zero-base-fee/genesis.json": ["warning: config.transitions.qbft"],
        "genesis/besu-acceptance/crypto/secp256r1.json": ["error: config.ecCurve"],
        "genesis/besu-acceptance/qbft/qbft-emptyextradata.json": ["warning: extraData"],
        "genesis/besu-config/all_forks.json": ["error: config.ecip1015Block"],
        // They name no engine.
        "genesis/besu-core/genesis1.json": ["warning: config"],
        "genesis/besu-core/genesis2.json": ["warning: config"],
        "genesis/besu-core/genesisNonce.json": ["warning: config.chainId"],
      },
    });
  });
});

describe("genesis check", () => {
  it.each(["qbft", "ibft2", "clique"] as const)("accepts a valid %s file", async (engine) => {
    expect(await findIn(aGenesis(engine))).toEqual([]);
  });

  it("reports how many validators may fail", async () => {
    const findings = await node.checkGenesis(aGenesis("qbft"), "genesis.json");

    expect(findings).toEqual([
      {
        severity: "note",
        key: "extraData",
        problem: "lists 4 validators: 3 must work, 1 may be down, 1 may lie",
      },
    ]);
  });

  it.each<readonly [string, string, GenesisJson]>([
    [
      "the extra data of another engine",
      "error: extraData",
      aGenesis("qbft", { extraData: extraDataOf("ibft2") }),
    ],
    [
      "extra data of Clique for IBFT 2.0",
      "error: extraData",
      aGenesis("ibft2", { extraData: extraDataOf("clique") }),
    ],
    [
      "extra data of Clique that lacks a byte",
      "error: extraData",
      aGenesis("clique", { extraData: extraDataOf("clique").slice(0, -2) }),
    ],
    [
      "extra data that is not hex",
      "error: extraData",
      aGenesis("qbft", { extraData: "%extraData%" }),
    ],
    ["no extra data", "error: extraData", aGenesis("qbft", { extraData: undefined })],
    [
      "no validators",
      "warning: extraData",
      aGenesis("qbft", { extraData: extraDataOf("qbft", []) }),
    ],
    [
      "no signers",
      "warning: extraData",
      aGenesis("clique", { extraData: extraDataOf("clique", []) }),
    ],
    [
      "a validator twice",
      "warning: extraData",
      aGenesis("qbft", { extraData: extraDataOf("qbft", [...VALIDATORS, addressOf(1)]) }),
    ],
    [
      "two validators",
      "warning: extraData",
      aGenesis("ibft2", { extraData: extraDataOf("ibft2", VALIDATORS.slice(2)) }),
    ],
    [
      "the zero address as a signer",
      "warning: extraData",
      aGenesis("clique", { extraData: extraDataOf("clique", [addressOf(0), ...VALIDATORS]) }),
    ],
    [
      "a seal in block 0",
      "warning: extraData",
      aGenesis("clique", { extraData: `${extraDataOf("clique").slice(0, -2)}01` }),
    ],
    [
      "a fork before one it builds on",
      "error: config.londonBlock",
      aGenesis("qbft", {}, { berlinBlock: 10 }),
    ],
    [
      "times of forks in the wrong order",
      "error: config.cancunTime",
      aGenesis("qbft", {}, { shanghaiTime: 1_900_000_000, cancunTime: 1_800_000_000 }),
    ],
    [
      "a fork at a time without London",
      "warning: config.londonBlock",
      aGenesis("qbft", {}, { londonBlock: undefined, zeroBaseFee: undefined, shanghaiTime: 0 }),
    ],
    [
      "one fork at two blocks",
      "error: config.eip158Block",
      aGenesis("qbft", {}, { berlinBlock: 20, londonBlock: 20, eip155Block: 5, eip158Block: 10 }),
    ],
    ["a misspelt fork", "warning: config.londnBlock", aGenesis("qbft", {}, { londnBlock: 7 })],
    [
      "a key in two spellings",
      "error: config.londonBlock",
      aGenesis("qbft", {}, { LondonBlock: 0 }),
    ],
    [
      "a fork of Ethereum Classic",
      "error: config.atlantisBlock",
      aGenesis("qbft", {}, { atlantisBlock: 0 }),
    ],
    [
      "two rules for the base fee",
      "warning: config.fixedBaseFee",
      aGenesis("qbft", {}, { fixedBaseFee: true }),
    ],
    [
      "free gas without London",
      "warning: config.zeroBaseFee",
      aGenesis("qbft", {}, { londonBlock: undefined }),
    ],
    [
      "a base fee beside free gas",
      "warning: baseFeePerGas",
      aGenesis("qbft", { baseFeePerGas: "0x3b9aca00" }),
    ],
    [
      "gas that no account can pay",
      "warning: alloc",
      aGenesis("clique", { alloc: {} }, { zeroBaseFee: undefined }),
    ],
    ["no chain id", "warning: config.chainId", aGenesis("qbft", {}, { chainId: undefined })],
    ["the chain id of Ethereum", "warning: config.chainId", aGenesis("qbft", {}, { chainId: 1 })],
    ["a chain id of 0", "warning: config.chainId", aGenesis("qbft", {}, { chainId: 0 })],
    [
      "a time in milliseconds",
      "error: timestamp",
      aGenesis("qbft", { timestamp: "1731750000000" }),
    ],
    [
      "a time in the future",
      "warning: timestamp",
      aGenesis("qbft", { timestamp: `0x${(Math.floor(Date.now() / 1000) + 86_400).toString(16)}` }),
    ],
    [
      "a fork in milliseconds",
      "warning: config.shanghaiTime",
      aGenesis("qbft", {}, { shanghaiTime: 1_731_750_000_000 }),
    ],
    ["a gas limit that is too low", "warning: gasLimit", aGenesis("qbft", { gasLimit: "0x1000" })],
    ["no gas limit", "warning: gasLimit", aGenesis("qbft", { gasLimit: undefined })],
    ["another mix hash", "warning: mixHash", aGenesis("qbft", { mixHash: undefined })],
    ["another difficulty", "warning: difficulty", aGenesis("ibft2", { difficulty: "0x400" })],
    [
      "QBFT after IBFT 2.0 without its first block",
      "error: config.qbft.startBlock",
      aGenesis("ibft2", {}, { qbft: {} }),
    ],
    [
      "the change to QBFT, which stops Besu",
      "warning: config.qbft.startBlock",
      aGenesis("ibft2", {}, { qbft: { startblock: 100 } }),
    ],
    [
      "a timeout that is shorter than the period",
      "warning: config.ibft2.requesttimeoutseconds",
      aGenesis("ibft2", {}, { ibft2: { blockperiodseconds: 5, requesttimeoutseconds: 4 } }),
    ],
    [
      "a period of 0",
      "error: config.qbft.blockPeriodSeconds",
      aGenesis("qbft", {}, { qbft: { blockperiodseconds: 0 } }),
    ],
    [
      "two transitions at one block",
      "error: genesis",
      aGenesis("qbft", {}, transitions({ block: 5 }, { block: 5 })),
    ],
    [
      "another beneficiary beside a fork at a time, which stops Besu",
      "warning: config.transitions.qbft",
      aGenesis(
        "qbft",
        {},
        { shanghaiTime: 0, ...transitions({ block: 5, miningbeneficiary: CONTRACT }) },
      ),
    ],
    [
      "a longer period beside a fork at a time, which slows down Besu",
      "warning: config.transitions.qbft",
      aGenesis(
        "qbft",
        {},
        { shanghaiTime: 0, ...transitions({ block: 5, blockperiodseconds: 9 }) },
      ),
    ],
    [
      "a missing contract",
      "warning: alloc",
      aGenesis(
        "qbft",
        { extraData: extraDataOf("qbft", []) },
        { qbft: { validatorcontractaddress: CONTRACT } },
      ),
    ],
    [
      "a list of validators beside a contract",
      "warning: config.transitions.qbft",
      aGenesis(
        "qbft",
        {
          extraData: extraDataOf("qbft", []),
          alloc: { [CONTRACT]: { balance: "1", code: "0x00" } },
        },
        {
          qbft: { validatorcontractaddress: CONTRACT },
          ...transitions({ block: 5, validators: VALIDATORS }),
        },
      ),
    ],
    [
      "a list of validators from a time on",
      "warning: config.transitions.qbft",
      aGenesis(
        "qbft",
        {},
        { shanghaiTime: 0, ...transitions({ block: 1_900_000_000, validators: VALIDATORS }) },
      ),
    ],
    [
      "a limit for transactions above that of blocks",
      "error: config.qbft.pertxgaslimit",
      aGenesis("qbft", {}, { qbft: { pertxgaslimit: 30_000_001 } }),
    ],
    [
      "the old name of the empty block period",
      "warning: config.qbft.xemptyblockperiodseconds",
      aGenesis("qbft", {}, { qbft: { xemptyblockperiodseconds: 1 } }),
    ],
    [
      "an empty block period that slows down Besu before 26.6",
      "warning: config.qbft.emptyblockperiodseconds",
      aGenesis("qbft", {}, { qbft: { emptyblockperiodseconds: 60 } }),
    ],
    [
      "an empty block period of IBFT 2.0, which Besu does not read",
      "warning: config.ibft2.emptyblockperiodseconds",
      aGenesis("ibft2", {}, { ibft2: { requesttimeoutseconds: 4, emptyblockperiodseconds: 60 } }),
    ],
    [
      "Prague without its contracts, which stops Besu",
      "warning: config.pragueTime",
      aGenesis("qbft", {}, { shanghaiTime: 0, cancunTime: 0, pragueTime: 0 }),
    ],
    [
      "Clique after Shanghai",
      "error: config.shanghaiTime",
      aGenesis("clique", {}, { shanghaiTime: 0 }),
    ],
    [
      "a second config that is not an object, in another spelling",
      "error: genesis",
      { ...aGenesis("qbft"), Config: true },
    ],
    [
      "an engine that no plugin serves",
      "error: genesis",
      aGenesis("qbft", {}, { qbft: undefined, raft: {} }),
    ],
    [
      "no engine, with which Besu does not start",
      "warning: config",
      aGenesis("qbft", {}, { qbft: undefined }),
    ],
    [
      "a misspelt setting of an engine",
      "error: config.qbft.blockperiodsecond",
      aGenesis("qbft", {}, { qbft: { blockperiodsecond: 5 } }),
    ],
    [
      "a misspelt setting of a transition",
      "error: config.transitions.qbft[0].blockrewards",
      aGenesis("qbft", {}, transitions({ block: 5, blockrewards: "1" })),
    ],
    [
      "transitions of a misspelt engine",
      "error: config.transitions.qbtf",
      aGenesis("qbft", {}, { transitions: { qbtf: [{ block: 5, blockperiodseconds: 1 }] } }),
    ],
    [
      "a rule that is unknown here",
      "error: config.qbft.shorterrounds",
      aGenesis("qbft", {}, { qbft: { shorterrounds: true } }),
    ],
    [
      "an unknown setting of Clique",
      "error: config.clique.perioud",
      aGenesis("clique", {}, { clique: { blockperiodseconds: 2, epochlength: 30000, perioud: 3 } }),
    ],
    [
      "a rule of GoQuorum that is not served",
      "error: config.qbft.policy",
      aGenesis("qbft", {}, { qbft: { policy: 1 } }),
    ],
    [
      "an account twice",
      `warning: alloc.${ACCOUNT.toUpperCase()}`,
      aGenesis("qbft", {
        alloc: { [ACCOUNT]: { balance: "1" }, [ACCOUNT.toUpperCase()]: { balance: "2" } },
      }),
    ],
    [
      "an address that is too short",
      "warning: alloc.0x12",
      aGenesis("qbft", { alloc: { "0x12": { balance: "1" } } }),
    ],
    [
      "an account that is not an address",
      "error: alloc.bob",
      aGenesis("qbft", { alloc: { bob: { balance: "1" } } }),
    ],
  ])("finds %s", async (_, finding, genesis) => {
    expect(await findIn(genesis)).toEqual([finding]);
  });

  it("reports the end of Clique at a time that no calendar has", async () => {
    const genesis = aGenesis("clique", {}, { shanghaiTime: Number.MAX_SAFE_INTEGER });

    const problems = (await node.checkGenesis(genesis, "genesis")).map(({ problem }) => problem);

    expect(problems).toContain("ends Clique: there are no blocks from second 9007199254740991 on");
  });
});

/** Errors and warnings, with their key. */
describe("genesis check on a file of GoQuorum", () => {
  const funded = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [precompile(n), WEI]));
  const alloc = { [addressOf(7)]: { balance: "100" }, ...funded };
  const config = { londonBlock: undefined, zeroBaseFee: undefined, isQuorum: true };
  const limit = { gasLimit: "0x29b92700" };
  const good = { ...config, enableGasPriceBlock: 0 };

  it.each<readonly [string, readonly string[], GenesisJson]>([
    ["nothing is wrong", [], aGenesis("qbft", { ...limit, alloc }, good)],
    [
      "all is as its own examples have it",
      ["warning: config.enableGasPriceBlock", "warning: alloc", "warning: gasLimit"],
      aGenesis("qbft", {}, { ...config, isQuorum: undefined, txnSizeLimit: 64 }),
    ],
    [
      "a precompiled contract has no balance",
      ["warning: alloc"],
      aGenesis("qbft", { ...limit, alloc: { ...alloc, [precompile(9)]: { balance: "0" } } }, good),
    ],
    [
      "the gas limit is a little too small",
      ["warning: gasLimit"],
      aGenesis("qbft", { gasLimit: "0x29b926ff", alloc }, good),
    ],
    [
      "gas prices come later",
      ["warning: config.enableGasPriceBlock"],
      aGenesis("qbft", { ...limit, alloc }, { ...good, enableGasPriceBlock: 10 }),
    ],
    [
      "a fork is not its own",
      ["warning: config.londonBlock"],
      aGenesis("qbft", { ...limit, alloc }, { ...good, londonBlock: 0, zeroBaseFee: true }),
    ],
    ["it claims to be none", [], aGenesis("qbft", {}, { isQuorum: false })],
  ])("where %s", async (_, expected, json) => {
    expect(await findIn(json)).toEqual(expected);
  });
});

async function findIn(json: object, origin = "genesis.json"): Promise<readonly string[]> {
  const findings = await node.checkGenesis(json, origin);
  expect(findings.filter(({ severity, problem }) => severity !== "note" && problem === "")).toEqual(
    [],
  );
  return findings.filter(isAlarm).map(({ severity, key }) => `${severity}: ${key}`);
}

function isAlarm({ severity }: GenesisFinding): boolean {
  return severity !== "note";
}

/** A valid file with overridden members; `undefined` omits one. */
function aGenesis(engine: Engine, members: object = {}, config: object = {}): GenesisJson {
  const template = templateOf(engine);
  return JSON.parse(
    JSON.stringify({
      config: {
        chainId: 4711,
        berlinBlock: 0,
        londonBlock: 0,
        zeroBaseFee: true,
        [engine]: template.settings({ periodSeconds: 2 }),
        ...config,
      },
      timestamp: "0x65000000",
      gasLimit: "0x1c9c380",
      ...template.members,
      extraData: extraDataOf(engine),
      alloc: { [addressOf(7)]: { balance: "100" } },
      ...members,
    }),
  );
}

function transitions(...entries: readonly object[]): object {
  return { transitions: { qbft: entries } };
}

function extraDataOf(engine: Engine, validators = VALIDATORS): string {
  return toHex(templateOf(engine).encodeExtraData(validators));
}

function templateOf(engine: Engine) {
  const found = node.contributions(genesisTemplates).find((each) => each.engine === engine);
  if (found === undefined) throw new Error(`no template for ${engine}`);
  return found;
}

/** Whole genesis files, also those that contain only a configuration. */
function readGenesisFiles(): readonly (readonly [string, object])[] {
  return readdirSync(CONFORMANCE, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json") && !file.startsWith("ethereum-tests"))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(CONFORMANCE, file), "utf8");
      // Templates have a placeholder for the extra data of the validators, which their tests fill
      // in.
      const engine = text.includes('"qbft"') ? "qbft" : "ibft2";
      const json: unknown = JSON.parse(text.replace("%extraData%", extraDataOf(engine)));
      return isGenesis(json) ? [[file, json] as const] : [];
    });
}

function isGenesis(json: unknown): json is object {
  return typeof json === "object" && json !== null && "config" in json;
}
