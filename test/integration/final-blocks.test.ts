import { type Block, getCrypto, hexToBytes, type SealedBlock } from "@plinth/core";
import { BlockForm } from "@plinth/kit-bft";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { describe, expect, it } from "vitest";
import { ValidatorMesh } from "../support/validator-mesh.js";

/** The key of the first node of a mesh. */
const KEY = hexToBytes(`0x${"1".padStart(64, "0")}`);
const form = new BlockForm(qbftExtraData);

describe("another block beside a final one, sealed by a quorum as well", () => {
  it("is rejected, unless the operator has rewound the head", async () => {
    await using mesh = await ValidatorMesh.start({ validators: 1 });
    await mesh.untilHeight(3);
    const { blocks } = mesh.node(0).node;
    const [second, third] = [blocks.findBlock(2n), blocks.findBlock(3n)];
    if (second === undefined || third === undefined) throw new Error("a block is missing");
    const other = await resealed(second);

    const imported = blocks.import(other, { origin: "peer" });
    await expect(imported).rejects.toMatchObject({ rule: "final" });
    await expect(imported).rejects.toThrow(`${second.header.hash}, which is final here`);
    expect(blocks.findHeader(2n)?.hash).toBe(second.header.hash);

    await blocks.setHead(second.header.parentHash);
    expect(await blocks.import(other, { origin: "peer" })).toMatchObject({ placement: "head" });

    // The abandoned branch is longer, and known; so is a later block on it.
    const abandoned = blocks.import(third, { origin: "sync" });
    await expect(abandoned).rejects.toMatchObject({ rule: "final" });
    expect(blocks.head().number).toBe(2n);
    expect(blocks.badBlocks().map(({ error }) => error.rule)).toEqual(["final", "final"]);
  });
});

/** The block with another vanity, sealed by the only validator. */
async function resealed({ header, body }: SealedBlock): Promise<Block> {
  const { round, ...data } = qbftExtraData.decode(header.extraData);
  const vanity = new Uint8Array(32).fill(7);
  const extraData = qbftExtraData.encode({ ...data, vanity, round, seals: [] });
  const { hash: _, ...fields } = header;
  const unsealed = { header: { ...fields, extraData }, body };
  const { r, s, recovery } = getCrypto().sign(
    hexToBytes(form.sealHashOf(unsealed.header, round)),
    KEY,
  );
  return form.withSeals(unsealed, round, [Uint8Array.of(...r, ...s, recovery)]);
}
