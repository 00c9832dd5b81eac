import { readdirSync } from "node:fs";
import { join } from "node:path";
import { loadCrypto } from "@plinth/core";
import { findHeaderForm } from "@plinth/plugin-consensus-dev/api";
import { beforeAll, describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import { VECTORS } from "../support/conformance.js";

const NETWORKS = join(VECTORS, "besu-networks");
const FORMS = { qbft: "qbft", ibft2: "ibft2", clique: "keccak" } as const;

beforeAll(async () => {
  await loadCrypto();
});

describe("the form of the headers of another network", () => {
  it.each(Object.entries(FORMS))("of Besu is found for %s", (engine, form) => {
    const folder = readdirSync(NETWORKS).find((name) => name.startsWith(`${engine}-`));
    const [, first, second] = readBlocks(join(NETWORKS, folder ?? "", "chain.blocks"));

    expect(first && second && findHeaderForm(first.header, second.header.parentHash)).toBe(form);
  });

  it("is unknown for another hash", () => {
    const [block] = readBlocks(join(NETWORKS, "qbft-votes", "chain.blocks"));

    expect(block && findHeaderForm(block.header, `0x${"11".repeat(32)}`)).toBeUndefined();
  });
});
