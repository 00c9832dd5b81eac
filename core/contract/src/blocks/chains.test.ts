import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CONFORMANCE, isConformanceMissing } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { loadCrypto } from "../primitives/crypto.js";
import type { Address, Hash, Hex } from "../primitives/hex.js";
import { decodeRlp, encodeRlp } from "../primitives/rlp.js";
import {
  type Block,
  decodeBlock,
  encodeBlock,
  receiptsRoot,
  transactionsRoot,
  unclesHash,
  withdrawalsRoot,
} from "./block.js";
import { hexBytes } from "./fields.js";
import { keccakHeader } from "./header.js";
import { bloomOfLogs, decodeReceipt, encodeReceipt, type Receipt } from "./receipt.js";

interface Chain {
  readonly file: string;
  readonly blocks: number;
  readonly transactions: number;
  readonly uncles: number;
  /** The transaction types in the files. */
  readonly types: readonly number[];
}

const CHAINS: readonly Chain[] = [
  { file: "besu-chain/chain.blocks", blocks: 35, transactions: 34, uncles: 2, types: [0, 2, 3] },
  { file: "besu-trace-chain/chain.blocks", blocks: 34, transactions: 53, uncles: 0, types: [0] },
  {
    file: "execution-apis-cancun/chain.rlp",
    blocks: 20,
    transactions: 73,
    uncles: 0,
    types: [0, 1, 2, 3],
  },
  {
    file: "execution-apis-latest/chain.rlp",
    blocks: 54,
    transactions: 249,
    uncles: 18,
    types: [0, 1, 2, 3, 4],
  },
  { file: "import/mainnet/1000.blocks", blocks: 1000, transactions: 0, uncles: 293, types: [] },
  {
    file: "import/london/testLondonBlockchain.blocks",
    blocks: 6,
    transactions: 4,
    uncles: 0,
    types: [0],
  },
  { file: "import/clique/clique.blocks", blocks: 5, transactions: 4, uncles: 0, types: [0] },
];

describe.skipIf(isConformanceMissing).each(CHAINS)("the blocks of $file", (chain) => {
  let file: Uint8Array;
  let blocks: readonly Block[];

  beforeAll(async () => {
    await loadCrypto();
    file = readChain(chain.file);
    blocks = splitItems(file).map(decodeBlock);
  });

  it("all decode", () => {
    const transactions = blocks.flatMap(({ body }) => body.transactions);

    expect({
      file: chain.file,
      blocks: blocks.length,
      transactions: transactions.length,
      uncles: blocks.flatMap(({ body }) => body.uncles).length,
      types: [...new Set(transactions.map(({ type }) => type))].sort(),
    }).toEqual(chain);
  });

  it("encode to the same bytes", () => {
    expect(Buffer.concat(blocks.map(encodeBlock)).equals(file)).toBe(true);
  });

  it("have the roots of their headers", () => {
    for (const { header, body } of blocks) {
      expect(transactionsRoot(body.transactions)).toBe(header.transactionsRoot);
      expect(unclesHash(body.uncles)).toBe(header.unclesHash);
      expect(body.withdrawals && withdrawalsRoot(body.withdrawals)).toBe(header.withdrawalsRoot);
    }
  });

  it("have the hash that their children reference", () => {
    const hashes = blocks.map(({ header }) => keccakHeader(header));

    expect(hashes.slice(0, -1)).toEqual(blocks.slice(1).map(({ header }) => header.parentHash));
  });

  it("have transactions with a sender", () => {
    for (const transaction of blocks.flatMap(({ body }) => body.transactions)) {
      expect(transaction.sender).toMatch(/^0x[0-9a-f]{40}$/);
    }
  });
});

// Responses of a running client, with its receipts as JSON.
describe.skipIf(isConformanceMissing).each([
  ["execution-apis-cancun", "get-block-receipts-n.io", 4],
  ["execution-apis-cancun", "get-block-receipts-latest.io", 3],
  ["execution-apis-latest", "get-block-receipts-n.io", 4],
  ["execution-apis-latest", "get-block-receipts-latest.io", 4],
])("the receipts of %s, %s", (folder, file, count) => {
  let answers: readonly JsonReceipt[];
  let receipts: readonly Receipt[];
  let block: Block;

  beforeAll(async () => {
    await loadCrypto();
    answers = readAnswer(join(folder, "tests/eth_getBlockReceipts", file));
    receipts = answers.map(toReceipt);
    const number = BigInt(answers[0]?.blockNumber ?? -1);
    const blocks = splitItems(readChain(join(folder, "chain.rlp"))).map(decodeBlock);
    block = blocks.find(({ header }) => header.number === number) ?? expect.fail("no such block");
  });

  it("have the root of the header", () => {
    expect(receipts).toHaveLength(count);
    expect(receiptsRoot(receipts)).toBe(block.header.receiptsRoot);
  });

  it("have the bloom of their logs, and the header the bloom of all of them", () => {
    for (const { logs, logsBloom } of receipts) expect(bloomOfLogs(logs)).toEqual(logsBloom);
    expect(bloomOfLogs(receipts.flatMap(({ logs }) => logs))).toEqual(block.header.logsBloom);
  });

  it("round-trip", () => {
    expect(receipts.map(encodeReceipt).map(decodeReceipt)).toEqual(receipts);
  });

  it("refer to the hashes and the senders of the transactions", () => {
    expect(answers.map(({ transactionHash, from }) => [transactionHash, from])).toEqual(
      block.body.transactions.map(({ hash, sender }) => [hash, sender]),
    );
  });
});

interface JsonReceipt {
  readonly blockNumber: Hex;
  readonly transactionHash: Hash;
  readonly from: Address;
  readonly type: Hex;
  readonly status?: Hex;
  readonly root?: Hash;
  readonly cumulativeGasUsed: Hex;
  readonly logsBloom: Hex;
  readonly logs: readonly {
    readonly address: Address;
    readonly topics: readonly Hash[];
    readonly data: Hex;
  }[];
}

function readAnswer(file: string): readonly JsonReceipt[] {
  const text = readFileSync(join(CONFORMANCE, file), "utf8");
  const [answer = "{}"] = text.split("\n").flatMap((line) => line.match(/^<< (.*)/)?.[1] ?? []);
  return JSON.parse(answer).result;
}

function toReceipt(json: JsonReceipt): Receipt {
  const type = ([0, 1, 2, 3, 4] as const).find((type) => type === Number(json.type));
  const { root, status } = json;
  return {
    type: type ?? expect.fail(`unknown type: ${json.type}`),
    ...(root === undefined ? { status: Number(status) === 1 ? 1 : 0 } : { postState: root }),
    cumulativeGasUsed: BigInt(json.cumulativeGasUsed),
    logsBloom: hexBytes(json.logsBloom),
    logs: json.logs.map(({ address, topics, data }) => ({ address, topics, data: hexBytes(data) })),
  };
}

function readChain(file: string): Uint8Array {
  return new Uint8Array(readFileSync(join(CONFORMANCE, file)));
}

/** The concatenated RLP items of a file. */
function splitItems(file: Uint8Array): readonly Uint8Array[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(file.length);
  const first = length.findIndex((byte) => byte !== 0);
  const prefix = [0xf7 + length.length - first, ...length.subarray(first)];
  const list = decodeRlp(Buffer.concat([Uint8Array.from(prefix), file]));
  return list instanceof Uint8Array ? [] : list.map(encodeRlp);
}
