import { type Address, type Hash, loadCrypto, toHex, toQuantity } from "@plinth/core";
import {
  decodeTransaction,
  signAuthorization,
  signTransaction,
  type UnsignedTransaction,
} from "@plinth/core/blocks";
import { beforeAll, describe, expect, it } from "vitest";
import { toTransaction, transactionForm } from "./transaction-json.js";

beforeAll(loadCrypto);

const KEY = new Uint8Array(32).fill(7);
const TO: Address = `0x${"ab".repeat(20)}`;
const HASH: Hash = `0x${"01".repeat(32)}`;
const usual = {
  nonce: 3n,
  gasLimit: 90_000n,
  to: TO,
  value: 10n ** 20n,
  data: Uint8Array.of(1, 2),
};
const priced = { ...usual, gasPrice: 9n };
const market = { ...usual, maxFeePerGas: 9n, maxPriorityFeePerGas: 0n };
const accessList = [{ address: TO, storageKeys: [HASH] }];
const blob = { maxFeePerBlobGas: 1n, blobVersionedHashes: [HASH] };

/** The JSON of a transaction; numbers in hex. */
function toJson(raw: Uint8Array): object {
  const { accessList, authorizationList, blobVersionedHashes, ...fields } = decodeTransaction(raw);
  const { type, gasLimit, data, v, r, s, ...amounts } = fields;
  const quantities = Object.entries({ ...amounts, type: BigInt(type), gas: gasLimit, v, r, s });
  const members = quantities.flatMap(([name, value]) =>
    typeof value === "bigint" ? [[name, toQuantity(value)]] : [],
  );
  return {
    ...Object.fromEntries(members),
    hash: decodeTransaction(raw).hash,
    to: fields.to ?? null,
    input: toHex(data),
    ...(type > 0 && { accessList }),
    ...(type === 3 && { blobVersionedHashes }),
    authorizationList: authorizationList.map((each) => ({
      ...each,
      chainId: toQuantity(each.chainId),
      nonce: toQuantity(each.nonce),
      yParity: toQuantity(each.yParity),
      r: toQuantity(each.r),
      s: toQuantity(each.s),
    })),
  };
}

describe("a transaction in JSON", () => {
  it.each<[string, () => UnsignedTransaction]>([
    ["valid on any chain", () => ({ ...priced, chainId: undefined })],
    ["with replay protection", () => ({ ...priced, chainId: 1337n })],
    ["that creates a contract", () => ({ ...priced, chainId: 1337n, to: undefined })],
    ["with an access list", () => ({ ...priced, chainId: 1n, accessList })],
    ["with a maximum fee", () => ({ ...market, chainId: 1n, accessList })],
    ["with blobs", () => ({ ...market, ...blob, chainId: 1n })],
    [
      "that delegates",
      () => ({
        ...market,
        chainId: 1n,
        authorizationList: [signAuthorization({ chainId: 0n, address: TO, nonce: 1n }, KEY)],
      }),
    ],
  ])("is decoded: one %s", (_, create) => {
    const raw = signTransaction(create(), KEY);

    const decoded = toTransaction(transactionForm.decode(toJson(raw)));

    expect(toHex(decoded.raw)).toBe(toHex(raw));
  });
});
