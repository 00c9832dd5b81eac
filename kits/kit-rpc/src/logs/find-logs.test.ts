import { hexToBytes, loadCrypto, RlpError } from "@plinth/core";
import {
  bloomOfLogs,
  decodeTransaction,
  encodeBody,
  encodeReceipts,
  signTransaction,
} from "@plinth/core/blocks";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { findLogs } from "./find-logs.js";
import type { LogTest } from "./receipt-logs.js";

const ADDRESS = `0x${"a1".repeat(20)}` as const;
const FIELDS = {
  chainId: 1n,
  gasPrice: 7n,
  gasLimit: 21_000n,
  to: ADDRESS,
  value: 1n,
  data: new Uint8Array(),
};
const KEY = hexToBytes("11".repeat(32));
const SOURCE = {
  header: { hash: `0x${"b1".repeat(32)}`, number: 1n, timestamp: 1n },
  isRemoved: false,
} as const;
const EVERYTHING: LogTest = { mayMatch: () => true, matchesAt: () => true };
const NOTHING: LogTest = { mayMatch: () => true, matchesAt: () => false };

describe("the logs of a stored block", () => {
  beforeAll(loadCrypto);

  it("are found with the hashes of their transactions, for which the body is read once", () => {
    const { blocks, findBody, hashes } = chainOf();

    for (const _ of [1, 2]) {
      const found = findLogs(blocks, SOURCE, EVERYTHING);
      expect(found.map(({ transactionHash }) => transactionHash)).toEqual(hashes);
      expect(found.map(({ transactionIndex }) => transactionIndex)).toEqual([0, 1, 2]);
    }
    expect(findBody).toHaveBeenCalledTimes(1);
  });

  it("are searched without the body if none match", () => {
    const { blocks, findBody } = chainOf();

    expect(findLogs(blocks, SOURCE, NOTHING)).toEqual([]);
    expect(findBody).not.toHaveBeenCalled();
  });

  it("are none of an unknown block", () => {
    const blocks = { ...chainOf().blocks, findEncoded: () => undefined };

    expect(findLogs(blocks, SOURCE, EVERYTHING)).toEqual([]);
  });

  it("give the error of decoding damaged receipts", () => {
    const { blocks } = chainOf({ receipts: Uint8Array.of(0xc1) });
    const damaged = new Error("receipt.status: missing");
    const findReceipts = () => {
      throw damaged;
    };

    expect(() => findLogs({ ...blocks, findReceipts }, SOURCE, NOTHING)).toThrow(damaged);
    expect(() => findLogs(blocks, SOURCE, NOTHING)).toThrow(RlpError);
  });

  it("are damaged if their transactions are missing", () => {
    const { blocks, findBody } = chainOf();
    findBody.mockReturnValue(undefined);

    expect(() => findLogs(blocks, SOURCE, EVERYTHING)).toThrow(
      expect.objectContaining({ code: "STORAGE_DAMAGED" }),
    );
  });
});

/** A block of three transactions, each of which logs. */
function chainOf(changes: { readonly receipts?: Uint8Array } = {}) {
  const transactions = [0n, 1n, 2n].map((nonce) =>
    decodeTransaction(signTransaction({ ...FIELDS, nonce }, KEY)),
  );
  const logs = [{ address: ADDRESS, topics: [], data: new Uint8Array() }];
  const receipt = {
    type: 0,
    status: 1,
    cumulativeGasUsed: 1n,
    logsBloom: bloomOfLogs(logs),
    logs,
  } as const;
  const body = encodeBody({ transactions, uncles: [] });
  const findBody = vi.fn<() => Uint8Array | undefined>(() => body);
  const receipts = encodeReceipts(transactions.map(() => receipt));
  const block = { receipts, findBody, ...changes };
  const blocks = { findEncoded: () => block, findReceipts: () => [] };
  return { blocks, findBody, hashes: transactions.map(({ hash }) => hash) };
}
