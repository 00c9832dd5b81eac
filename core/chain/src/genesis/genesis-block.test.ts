import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createMemoryStorageDriver, EMPTY_ROOT, keccakHeader, loadCrypto } from "@plinth/core";
import { readForks } from "@plinth/core/rules";
import { beforeAll, describe, expect, it } from "vitest";
import { StateStore } from "../state/state-store.js";
import { buildGenesisBlock } from "./genesis-block.js";

beforeAll(async () => {
  await loadCrypto();
});

async function build(json: { config: object }) {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  const forks = readForks(json.config);
  const { header } = await buildGenesisBlock(json, { forks, store, origin: "genesis.json" });
  return { header, states: new StateStore(store) };
}

/** Besu's `dev` network, with its known root and hash. */
const DEV = {
  config: { chainId: 1337, londonBlock: 0, ethash: { fixeddifficulty: 100 } },
  nonce: "0x42",
  timestamp: "0x0",
  baseFeePerGas: "0x0",
  extraData: "0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa",
  gasLimit: "0x1fffffffffffff",
  difficulty: "0x10000",
  alloc: {
    fe3b557e8fb62b89f4916b721be55ceb828dbd73: {
      balance: "0xad78ebc5ac6200000",
      comment: "ignored",
    },
    "627306090abaB3A6e1400e9345bC60c78a8BEf57": { balance: "90000000000000000000000" },
    "0xf17f52151EbEF6C7334FAD080c5704D77216b732": { balance: "90000000000000000000000" },
  },
};

describe("the genesis block", () => {
  it("of Besu's dev network has Besu's root and hash", async () => {
    const { header } = await build(DEV);

    expect(header.stateRoot).toBe(
      "0x166ed98eea93ab2b6f6b1a425526994adc2d675bf9a0d77d600ed1e02d8f77df",
    );
    expect(keccakHeader(header)).toBe(
      "0x2f2a939c2cdd8918be11a55a1e7db412861ed477ed927d8f122b55ccd0f8bbcb",
    );
  });

  it("has a state with code and storage, without zero slots", async () => {
    const address = `0x${"aa".repeat(20)}` as const;
    const { header, states } = await build({
      config: {},
      alloc: {
        [address]: { nonce: "0x1", code: "0x60", storage: { "0x01": "0x2a", "0x02": "0x00" } },
      },
    } as never);

    const opened = states.open(header);

    expect(opened.findAccount(address)).toMatchObject({ nonce: 1n, balance: 0n });
    expect(opened.getCode(address)).toEqual(Uint8Array.of(0x60));
    expect(opened.getStorage(address, `0x${"1".padStart(64, "0")}`)).toBe(42n);
  });

  it("of an empty file is an empty state", async () => {
    const { header } = await build({ config: {} });

    expect(header).toMatchObject({ number: 0n, stateRoot: EMPTY_ROOT, gasLimit: 0n });
    expect(header.baseFeePerGas).toBeUndefined();
  });

  it("has the fields of the forks active at its time", async () => {
    const config = { londonBlock: 0, shanghaiTime: 0, cancunTime: 0, pragueTime: 10 };

    const { header } = await build({ config });

    expect(header).toMatchObject({
      baseFeePerGas: 1_000_000_000n,
      withdrawalsRoot: EMPTY_ROOT,
      blobGasUsed: 0n,
    });
    expect(header.requestsHash).toBeUndefined();
  });

  it.each([
    [{ gasLimit: "much" }, 'gasLimit is "much"'],
    [{ coinbase: `0x${"11".repeat(21)}` }, "coinbase is"],
    [{ extraData: "0x1" }, 'extraData is "0x1"; expected an even number'],
    [{ timestamp: `0x1${"0".repeat(16)}` }, "timestamp is"],
    [{ alloc: { "01": { balance: `0x1${"0".repeat(64)}` } } }, "alloc.01.balance is"],
    [{ alloc: { "01": { nonce: `0x1${"0".repeat(16)}` } } }, "alloc.01.nonce is"],
    [{ alloc: [] }, "alloc is not an object"],
    [{ alloc: { xyz: {} } }, "alloc.xyz is not an address"],
    [{ alloc: { "01": { balance: -1 } } }, "alloc.01.balance is -1"],
    [{ alloc: { "01": { code: "0x1" } } }, "alloc.01.code is not hex"],
    [{ alloc: { "01": { storage: { "0x1": 7 } } } }, "alloc.01.storage.0x1 is 7"],
  ])("is rejected with the invalid key: %j", async (fields, text) => {
    await expect(build({ config: {}, ...fields })).rejects.toThrow(text);
  });

  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  const folder = process.env.PLINTH_CONFORMANCE ?? `${root}/../shared/conformance`;
  const isMissing = process.env.PLINTH_CONFORMANCE === undefined && !existsSync(folder);

  it.skipIf(isMissing).each([
    ["execution-apis-cancun/genesis.json", "execution-apis-cancun/chain.rlp"],
    ["execution-apis-latest/genesis.json", "execution-apis-latest/chain.rlp"],
  ])("of %s is the parent of block 1", async (file, chain) => {
    const json = JSON.parse(readFileSync(`${folder}/${file}`, "utf8"));
    const first = readFileSync(`${folder}/${chain}`).subarray(0, 4096).toString("hex");

    const { header } = await build(json);

    expect(first).toContain(`a0${keccakHeader(header).slice(2)}`);
  });
});
