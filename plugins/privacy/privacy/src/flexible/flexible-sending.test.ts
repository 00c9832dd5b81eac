import { decodeRlp, encodeRlp, loadCrypto } from "@plinth/core";
import { EnclaveClient, toBase64 } from "@plinth/kit-enclave";
import { beforeAll, describe, expect, it } from "vitest";
import {
  decodePrivateTransaction,
  signPrivateTransaction,
} from "../transaction/private-transaction.js";
import { PROXY_ADDRESS } from "./contracts.js";
import { FlexibleSending } from "./flexible-sending.js";
import { encodeAddition } from "./participants.js";

const [ALICE, BOB, CAROL] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const VERSION = new Uint8Array(32).fill(8);
const HISTORY = Uint8Array.of(0xc0);
const { signal } = new AbortController();

beforeAll(() => loadCrypto());

describe("the payload sent to a manager for a flexible group", () => {
  it("is the transaction with its version, addressed to parties", async () => {
    const { sending, sent } = open({ members: [ALICE, BOB] });
    const encoded = signed(new Uint8Array(4));
    const transaction = decodePrivateTransaction(encoded);

    const recipients = await sending.findRecipients(transaction, toBase64(ALICE), signal);
    const named = await sending.store(transaction, recipients, signal);

    expect(named).toHaveLength(32);
    expect(sent).toEqual([
      {
        payload: wrapped(encodeRlp([decodeRlp(encoded), VERSION])),
        from: toBase64(ALICE),
        to: [ALICE, BOB].map(toBase64),
      },
    ]);
  });

  it("includes the history for added members, and for no one else", async () => {
    const { sending, sent } = open({ members: [ALICE, BOB], history: HISTORY });
    const transaction = decodePrivateTransaction(signed(encodeAddition([BOB, CAROL])));

    const recipients = await sending.findRecipients(transaction, toBase64(ALICE), signal);
    const named = await sending.store(transaction, recipients, signal);

    expect(named).toHaveLength(64);
    expect(sent.map(({ to }) => to)).toEqual([
      [ALICE, BOB, CAROL].map(toBase64),
      [BOB, CAROL].map(toBase64),
    ]);
    expect(sent[1]).toMatchObject({ payload: wrapped(HISTORY), from: toBase64(ALICE) });
  });

  it("is not sent if the history cannot be written", async () => {
    const { sending, sent } = open({ members: [ALICE], history: new Error("a payload is lost") });
    const transaction = decodePrivateTransaction(signed(encodeAddition([BOB])));
    const recipients = await sending.findRecipients(transaction, toBase64(ALICE), signal);

    await expect(sending.store(transaction, recipients, signal)).rejects.toThrow("is lost");

    expect(sent).toEqual([]);
  });
});

function open({
  members,
  history,
}: {
  readonly members: readonly Uint8Array[];
  readonly history?: Uint8Array | Error;
}) {
  const sent: { readonly to?: unknown }[] = [];
  const client = new EnclaveClient({
    name: "of the test",
    async post(path, body) {
      expect(path).toBe("/send");
      sent.push(body);
      const key = toBase64(new Uint8Array(32).fill(100 + sent.length));
      return { status: 200, body: JSON.stringify({ key }) };
    },
  });
  const sending = new FlexibleSending({
    groups: {
      findMembers: async () => members.map(toBase64),
      versionOf: async () => VERSION,
    } as never,
    past: {
      async write() {
        if (history instanceof Error) throw history;
        return history;
      },
    } as never,
    blocks: { head: () => ({}) } as never,
    enclave: () => client,
    hasTenants: false,
  });
  return { sending, sent };
}

/** The payload as a manager receives it: base64 of the base64 of its bytes. */
function wrapped(payload: Uint8Array): string {
  return toBase64(Buffer.from(toBase64(payload)));
}

function signed(data: Uint8Array): Uint8Array {
  return signPrivateTransaction(
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
}
