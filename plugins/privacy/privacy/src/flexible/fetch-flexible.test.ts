import { loadCrypto } from "@plinth/core";
import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { beforeAll, describe, expect, it } from "vitest";
import { fetchMarked, type MarkedTransaction } from "../markers/fetch-marked.js";
import type { Marker } from "../markers/marker.js";
import { type AskedManager, FLEXIBLE } from "../markers/marker-form.js";
import { signPrivateTransaction } from "../transaction/private-transaction.js";
import { PROXY_ADDRESS } from "./contracts.js";
import { encodeAddition } from "./participants.js";
import { encodeVersionedTransaction } from "./versioned-transaction.js";

const ALICE = new Uint8Array(32).fill(1);
const BOB = new Uint8Array(32).fill(2);
const PAYLOAD_KEY = new Uint8Array(32).fill(3);
const HISTORY_KEY = new Uint8Array(32).fill(4);

beforeAll(() => loadCrypto());

describe("private transactions of flexible groups", () => {
  it("are requested once, regardless of what else their markers name", async () => {
    const { enclave, asked } = managerOf({ historySender: ALICE });
    const keys = Array.from({ length: 50 }, (_, index) =>
      new Uint8Array(32).fill(100 + (index % 5)),
    );

    const { found } = await fetchAll(enclave, keys.map(markerWith));

    expect(found).toHaveLength(50);
    expect(asked.filter((key) => key === toBase64(PAYLOAD_KEY))).toHaveLength(1);
    expect(asked).toHaveLength(6);
  });

  it("accept a history from their sender only", async () => {
    for (const [historySender, expected] of [
      [ALICE, HISTORY_KEY],
      [BOB, undefined],
    ] as const) {
      const { enclave } = managerOf({ historySender });

      const { found } = await fetchAll(enclave, [markerWith(HISTORY_KEY, 0)]);

      expect(found.map(({ history }) => history?.key)).toEqual([expected]);
    }
  });

  it("have no history if they add no members", async () => {
    const { enclave, asked } = managerOf({ historySender: ALICE, data: new Uint8Array(4) });

    const { found } = await fetchAll(enclave, [markerWith(HISTORY_KEY, 0)]);

    expect(found.map(({ history }) => history)).toEqual([undefined]);
    expect(asked).toEqual([toBase64(PAYLOAD_KEY)]);
  });

  it.each([
    ["without a version", (encoded: Uint8Array) => encoded],
    ["that are not a list", () => new Uint8Array(40)],
    [
      "with a short version",
      (encoded: Uint8Array) => encodeVersionedTransaction(encoded, ALICE.subarray(1)),
    ],
  ])("%s are not executed", async (_, write) => {
    const { enclave } = managerOf({ historySender: ALICE, write });

    expect(await fetchAll(enclave, [markerWith(HISTORY_KEY, 0)])).toEqual({
      found: [],
      unresolved: [],
    });
  });
});

async function fetchAll(enclave: AskedManager, markers: readonly Marker[]) {
  const found: MarkedTransaction[] = [];
  const unresolved: Marker[] = [];
  for await (const part of fetchMarked(enclave, markers, FLEXIBLE)) {
    found.push(...part.found);
    unresolved.push(...part.unresolved);
  }
  return { found, unresolved };
}

function markerWith(historyKey: Uint8Array, index: number) {
  return { hash: `0x${"ab".repeat(32)}` as const, index, payloadKey: PAYLOAD_KEY, historyKey };
}

/** A manager with a payload of Alice, and a history. */
function managerOf({
  historySender,
  data = encodeAddition([BOB]),
  write = (encoded: Uint8Array) => encodeVersionedTransaction(encoded, new Uint8Array(32)),
}: {
  readonly historySender: Uint8Array;
  readonly data?: Uint8Array;
  readonly write?: (encoded: Uint8Array) => Uint8Array;
}) {
  const encoded = signPrivateTransaction(
    {
      nonce: 0n,
      gasPrice: 0n,
      gasLimit: 1n,
      to: PROXY_ADDRESS,
      value: 0n,
      data,
      privateFrom: ALICE,
      privacyGroupId: new Uint8Array(32).fill(9),
      restriction: "restricted",
    },
    new Uint8Array(32).fill(7),
  );
  const payload = write(encoded);
  const asked: string[] = [];
  const enclave = {
    async receive(key: Uint8Array) {
      asked.push(toBase64(key));
      if (Buffer.compare(key, PAYLOAD_KEY) === 0) return { payload, senderKey: ALICE };
      if (Buffer.compare(key, HISTORY_KEY) !== 0) throw new EnclaveError(404, "absent");
      return { payload: new Uint8Array(), senderKey: historySender };
    },
  };
  return { enclave: enclave as never, asked };
}
