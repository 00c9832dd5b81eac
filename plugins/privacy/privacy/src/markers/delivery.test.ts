import { loadCrypto } from "@plinth/core";
import { silentLogs } from "@plinth/core/kernel";
import { FakeClock } from "@plinth/testing";
import { expect, it } from "vitest";
import type { PendingEntry } from "../store/private-store.js";
import { groupOfParties, signPrivateTransaction } from "../transaction/private-transaction.js";
import { Delivery } from "./delivery.js";
import { MARKER_ADDRESS } from "./marker.js";
import { ORDINARY } from "./marker-form.js";

const MARKERS = 100;
const ALICE = new Uint8Array(32).fill(1);

it("a payload named by many markers of a block is requested once", async () => {
  await loadCrypto();
  const payload = signPrivateTransaction(
    {
      nonce: 0n,
      gasPrice: 0n,
      gasLimit: 1n,
      value: 0n,
      data: new Uint8Array(),
      privateFrom: ALICE,
      privateFor: [],
      restriction: "restricted",
    },
    new Uint8Array(32).fill(7),
  );
  const [genesis, header] = [0n, 1n].map((number) => ({ number, hash: hashOf(Number(number)) }));
  const transactions = Array.from({ length: MARKERS }, (_, index) => ({
    hash: hashOf(index),
    to: MARKER_ADDRESS,
    data: new Uint8Array(32),
  }));
  let asked = 0;
  const enclave = {
    async receive() {
      asked += 1;
      return { payload, senderKey: ALICE, privacyGroupId: groupOfParties([ALICE]) };
    },
  };
  const stop = new AbortController();
  const delivered: PendingEntry[] = [];
  const delivery = new Delivery({
    blocks: {
      head: () => header,
      findHeader: (at: bigint) => (at === 0n ? genesis : header),
      findBlock: () => ({ header, body: { transactions } }),
    },
    store: {
      findCursor: () => undefined,
      findRerun: () => undefined,
      findReceipt: () => undefined,
      keep: async () => {},
    },
    enclave: () => enclave,
    form: ORDINARY,
    clock: new FakeClock(0),
    log: silentLogs.for("privacy"),
    delivered: (entries: readonly PendingEntry[]) => delivered.push(...entries),
    moved: () => stop.abort(),
    forget: async () => {},
    notesAbsent: () => false,
  } as never);

  await delivery.run(stop.signal);

  expect(delivered.map(({ index }) => index)).toEqual(transactions.map((_, index) => index));
  expect(asked).toBe(1);
});

function hashOf(value: number): `0x${string}` {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
