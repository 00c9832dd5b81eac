import { type Hash, loadCrypto } from "@plinth/core";
import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { expect, it } from "vitest";
import { signPrivateTransaction } from "../transaction/private-transaction.js";
import { encodeHistory } from "./history.js";
import { PastTransactions } from "./past-transactions.js";

const MARKER: Hash = `0x${"ab".repeat(32)}`;
const [OTHERS, OWN] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
];

it("a past transaction comes from the history for the key of the caller, even if others claim its marker", async () => {
  await loadCrypto();
  const past = new PastTransactions({
    store: {
      groups: async () => [OTHERS, OWN],
      // Any key will do: it belongs to the group here.
      findHistoryKey: (group: Uint8Array) => group,
      findGroupBlock: () => ({ root: MARKER, markers: [MARKER], roots: [MARKER] }),
    } as never,
    enclave: () =>
      ({
        async receive(historyKey: Uint8Array) {
          if (toBase64(historyKey) === toBase64(OTHERS)) throw new EnclaveError(404, "not for it");
          return { payload: historyOf(historyKey), senderKey: OWN };
        },
      }) as never,
    blocks: {} as never,
  });

  const found = await past.find(MARKER, { number: 1n, hash: MARKER } as never, "a key");

  expect(found?.transaction.privacyGroupId).toEqual(OWN);
});

function historyOf(group: Uint8Array): Uint8Array {
  const encoded = signPrivateTransaction(
    {
      nonce: 0n,
      gasPrice: 0n,
      gasLimit: 1n,
      value: 0n,
      data: new Uint8Array(),
      privateFrom: OWN,
      privacyGroupId: group,
      restriction: "restricted",
    },
    new Uint8Array(32).fill(7),
  );
  return encodeHistory([{ encoded, marker: MARKER, root: MARKER }]);
}
