import { createHash } from "node:crypto";
import {
  decodeRlp,
  encodeRlp,
  type Hash,
  hexToBytes,
  loadCrypto,
  type Rlp,
  toHex,
} from "@plinth/core";
import { signAuthorization, signTransaction, type UnsignedTransaction } from "@plinth/core/blocks";
import rpcEth from "@plinth/plugin-rpc-eth";
import { ALICE, BOB, createTestNode, DEV_GENESIS, type TestNode } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { createDice, type Dice, mutate } from "../support/mutate.js";

/** `npm run long -- pool` sends a hundred thousand. */
const MUTATIONS = Number(process.env.PLINTH_POOL_MUTATIONS ?? 700);
const KEY = hexToBytes(ALICE.key);
/** The error codes that a caller may get: no internal errors. */
const CODES = [-32602, -32000, -32001, -32002, -32003, -32004, -32005, -32007, -32009];
/**
 * These have the code of an internal error by specification, and their message distinguishes them.
 */
const NAMED = /^(blobs failed kzg validation|transaction\.(data|authorizationList): .*)$/;
const INFINITY = Buffer.from(`c0${"00".repeat(47)}`, "hex");
const BLOB_HASH: Hash = `0x01${createHash("sha256").update(INFINITY).digest("hex").slice(2)}`;

beforeAll(async () => void (await loadCrypto()));

/** One of every type, and with fields of every size. */
function originals(): readonly Uint8Array[] {
  const base: UnsignedTransaction = {
    chainId: 1337n,
    nonce: 0n,
    gasLimit: 100_000n,
    to: BOB,
    value: 1n,
    data: Uint8Array.of(1, 2, 3),
  };
  const accessList = [{ address: BOB, storageKeys: [`0x${"11".repeat(32)}` as Hash] }];
  const market = { maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1n };
  const authorization = { chainId: 1337n, address: BOB, nonce: 0n };
  const blob = { ...market, maxFeePerBlobGas: 1_000n, blobVersionedHashes: [BLOB_HASH] };
  const blobTransaction = signTransaction({ ...base, ...blob }, KEY);
  return [
    signTransaction({ ...base, gasPrice: 1_000_000_000n }, KEY),
    signTransaction({ ...base, chainId: undefined, gasPrice: 1_000_000_000n }, KEY),
    signTransaction({ ...base, gasPrice: 1_000_000_000n, accessList }, KEY),
    signTransaction({ ...base, ...market }, KEY),
    signTransaction({ ...base, ...market, to: undefined, data: new Uint8Array(600) }, KEY),
    signTransaction(
      { ...base, ...market, authorizationList: [signAuthorization(authorization, KEY)] },
      KEY,
    ),
    blobTransaction,
    withSmallSidecar(blobTransaction),
  ];
}

/** With blobs that are too short: a whole one would only make the test slow. */
function withSmallSidecar(raw: Uint8Array): Uint8Array {
  const sidecar: Rlp[] = [[new Uint8Array(32)], [INFINITY], [INFINITY]];
  return Buffer.concat([raw.subarray(0, 1), encodeRlp([decodeRlp(raw.subarray(1)), ...sidecar])]);
}

/** Another type, changed fields, or random bytes. */
function mangle(raw: Uint8Array, dice: Dice): Uint8Array {
  if (dice(20) === 0) return Uint8Array.from({ length: dice(300) }, () => dice(256));
  if ((raw[0] ?? 0) >= 0xc0) return mutate(raw, dice);
  if (dice(20) === 0) return raw.with(0, dice(8));
  return Buffer.concat([raw.subarray(0, 1), mutate(raw.subarray(1), dice)]);
}

async function send(node: TestNode, raw: Uint8Array): Promise<string> {
  try {
    return String(await node.rpc("eth_sendRawTransaction", [toHex(raw)]));
  } catch (error) {
    const { code, message } = Object(error);
    const isNamed = code === -32603 && NAMED.test(message);
    if (!isNamed) expect(CODES, `${message}: ${toHex(raw)}`).toContain(code);
    return String(code);
  }
}

describe("transactions whose bytes were changed", () => {
  it(
    `are rejected with a code or accepted as what they are, ${MUTATIONS} times`,
    async () => {
      const genesis = { ...DEV_GENESIS, config: { ...DEV_GENESIS.config, pragueTime: 0 } };
      await using node = await createTestNode({
        plugins: [rpcEth],
        genesis,
        options: { devPeriodSeconds: 3600 },
      });
      const dice = createDice(Number(process.env.PLINTH_POOL_SEED ?? 7));
      const kinds = originals();
      const answers = new Map<string, number>();
      for (let sent = 0; sent < MUTATIONS; sent++) {
        const raw = mangle(kinds[dice(kinds.length)] ?? new Uint8Array(), dice);
        const answer = await send(node, raw);
        const kind = answer.startsWith("0x") ? "taken" : answer;
        answers.set(kind, (answers.get(kind) ?? 0) + 1);
        if (kind === "taken") {
          expect(await node.rpc("eth_getTransactionByHash", [answer])).toMatchObject({
            hash: answer,
          });
        }
      }

      expect(answers.get("-32602")).toBeGreaterThan(MUTATIONS / 4);
      expect(answers.size).toBeGreaterThan(4);
      // Honest senders are served as usual.
      const good = await send(
        node,
        signTransaction(
          {
            chainId: 1337n,
            nonce: 0n,
            gasLimit: 21_000n,
            to: BOB,
            value: 5n,
            data: new Uint8Array(),
            gasPrice: 10n ** 12n,
          },
          KEY,
        ),
      );
      await node.mine([]);
      expect(await node.rpc("eth_getTransactionReceipt", [good])).toMatchObject({ status: "0x1" });
    },
    60_000 + MUTATIONS * 5,
  );
});
