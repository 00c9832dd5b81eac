import { createHash } from "node:crypto";
import { decodeRlp, encodeRlp, hexToBytes, type Plugin, RejectedTransaction } from "@plinth/core";
import { signTransaction } from "@plinth/core/blocks";
import { ALICE, BOB, createInside, createTestNode, DEV_GENESIS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import blobsKzg from "./index.js";

/** The commitment to a blob of zeros, and its proof. */
const INFINITY = hexToBytes(`c0${"00".repeat(47)}`);
/** The generator: a point of the group that proves nothing here. */
const GENERATOR = hexToBytes(
  "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
);
const GENESIS = { ...DEV_GENESIS, config: { ...DEV_GENESIS.config, pragueTime: 0 } };

/** A signed transaction with a blob of zeros, in its network form. */
function aBlobTransaction(proof: Uint8Array): Uint8Array {
  const raw = signTransaction(
    {
      chainId: 1337n,
      nonce: 0n,
      gasLimit: 21_000n,
      to: BOB,
      value: 1n,
      data: new Uint8Array(),
      maxFeePerGas: 1_000_000_000n,
      maxPriorityFeePerGas: 1n,
      maxFeePerBlobGas: 1_000n,
      blobVersionedHashes: [`0x01${createHash("sha256").update(INFINITY).digest("hex").slice(2)}`],
    },
    hexToBytes(ALICE.key),
  );
  const sidecar = [[new Uint8Array(131_072)], [INFINITY], [proof]];
  return Buffer.concat([raw.subarray(0, 1), encodeRlp([decodeRlp(raw.subarray(1)), ...sidecar])]);
}

async function startNode(...plugins: readonly Plugin[]) {
  const inside = createInside();
  const node = await createTestNode({ plugins: [inside.plugin, ...plugins], genesis: GENESIS });
  const submit = (proof: Uint8Array) => inside.runtime().pool.submit(aBlobTransaction(proof));
  return { submit, [Symbol.asyncDispose]: () => node.stop() };
}

describe("a node with blobs-kzg", () => {
  it("accepts blob transactions with valid proofs", async () => {
    await using node = await startNode(blobsKzg);

    await expect(node.submit(INFINITY)).resolves.toBeDefined();
  }, 30_000);

  it("rejects those with invalid proofs", async () => {
    await using node = await startNode(blobsKzg);

    await expect(node.submit(GENERATOR)).rejects.toThrow("blobs failed kzg validation");
  }, 30_000);
});

describe("a node without it", () => {
  it("rejects every blob transaction with the reason", async () => {
    await using node = await startNode();

    const submitted = node.submit(INFINITY);

    await expect(submitted).rejects.toBeInstanceOf(RejectedTransaction);
    await expect(submitted).rejects.toThrow("no loaded plugin verifies their proofs");
  });
});
