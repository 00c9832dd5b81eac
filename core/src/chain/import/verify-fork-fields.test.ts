import { describe, expect, it } from "vitest";
import type { Header } from "../../blocks/header.js";
import { readForks } from "../forks.js";
import { EMPTY_ROOT } from "../state/trie.js";
import { verifyForkFields } from "./verify-fork-fields.js";

const forks = readForks({ londonBlock: 0, shanghaiTime: 100, cancunTime: 200, pragueTime: 300 });
const SHANGHAI = { withdrawalsRoot: EMPTY_ROOT };
const CANCUN = {
  ...SHANGHAI,
  blobGasUsed: 0n,
  excessBlobGas: 0n,
  parentBeaconBlockRoot: EMPTY_ROOT,
};

describe("the fields that forks brought", () => {
  it.each<[string, bigint, Partial<Header>]>([
    ["before Shanghai", 99n, {}],
    ["of Shanghai", 100n, SHANGHAI],
    ["of Cancun", 200n, CANCUN],
    ["of Prague", 300n, { ...CANCUN, requestsHash: EMPTY_ROOT }],
    ["of Cancun with a difficulty, as on BFT chains", 200n, { difficulty: 1n }],
  ])("are there in a header %s", (_, timestamp, fields) => {
    expect(() => verifyForkFields(aHeader(timestamp, fields), forks)).not.toThrow();
  });

  it.each<[string, bigint, Partial<Header>]>([
    ["withdrawalsRoot came before its fork", 99n, SHANGHAI],
    ["withdrawalsRoot came before its fork", 99n, { ...SHANGHAI, difficulty: 1n }],
    ["withdrawalsRoot is missing", 100n, {}],
    ["blobGasUsed came before its fork", 100n, CANCUN],
    ["requestsHash is missing", 300n, CANCUN],
  ])("are refused: %s", (problem, timestamp, fields) => {
    expect(() => verifyForkFields(aHeader(timestamp, fields), forks)).toThrow(problem);
  });
});

function aHeader(timestamp: bigint, fields: Partial<Header>): Header {
  return {
    parentHash: EMPTY_ROOT,
    unclesHash: EMPTY_ROOT,
    coinbase: "0x",
    stateRoot: EMPTY_ROOT,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(),
    difficulty: 0n,
    number: 1n,
    gasLimit: 0n,
    gasUsed: 0n,
    timestamp,
    extraData: new Uint8Array(),
    mixHash: EMPTY_ROOT,
    nonce: new Uint8Array(),
    ...fields,
  };
}
