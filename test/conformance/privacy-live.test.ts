import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "@plinth/core";
import { definePlugin } from "@plinth/core";
import { CONFORMANCE, isConformanceMissing } from "@plinth/core/testing";
import consensusClique from "@plinth/plugin-consensus-clique";
import enclave from "@plinth/plugin-enclave";
import enclaveTessera from "@plinth/plugin-enclave-tessera";
import privacyPlugin from "@plinth/plugin-privacy";
import { privacy } from "@plinth/plugin-privacy/api";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import {
  type RecordedGroup,
  RecordedManager,
  type RecordedPayload,
} from "../support/recorded-manager.js";

const FOLDER = join(CONFORMANCE, "privacy-live");
const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, name), "utf8"));

describe.skipIf(isConformanceMissing).each([1, 2, 3])("node %d of a recorded network", (number) => {
  it("comes to every private state root and result", { timeout: 120_000 }, async () => {
    const payloads: readonly RecordedPayload[] = read("payloads.json").cases;
    const groups: readonly RecordedGroup[] = read("roots.json").groups;
    await using manager = new RecordedManager(number, payloads, groups);
    await using site = await openNode(number, await manager.listen());
    const failures: unknown[] = [];
    let compared = 0;
    for (const block of readBlocks(join(FOLDER, "chain.blocks"))) {
      if (block.header.number === 0n) continue;
      await site.node.node.blocks.import(block, { origin: "peer" });
      const header = site.node.node.blocks.head();
      for (const { privacyGroupId, roots, memberNodes } of groups) {
        const group = Buffer.from(privacyGroupId, "base64");
        const root = await site.opened().rootAt(group, header, new AbortController().signal);
        const isMember = memberNodes.includes(number);
        const expected = (isMember ? roots : roots.slice(0, 1))
          .filter(({ block: at }) => BigInt(at) <= header.number)
          .at(-1)?.root;
        compared += 1;
        if (root !== expected)
          failures.push({ block: header.number, privacyGroupId, root, expected });
      }
    }
    expect(failures).toEqual([]);
    expect(compared).toBe(60 * 15);
  });
});

async function openNode(number: number, privacyUrl: string) {
  const keys = read("keys.json");
  let opened: unknown;
  const inside = definePlugin({
    name: "inside-privacy",
    dependencies: { privacy },
    setup(node) {
      node.onStart(({ privacy }) => {
        opened = privacy.node;
      });
    },
  });
  const node = await createTestNode({
    plugins: [consensusClique, enclave, enclaveTessera, privacyPlugin, inside],
    genesis: read("genesis.json"),
    options: { privacyEnabled: true, privacyUrl, minGasPrice: 0n },
    key: keys.nodes[0].nodeKey as Hex,
  });
  return {
    node,
    opened: () => opened as never as { rootAt(...a: unknown[]): Promise<string> },
    async [Symbol.asyncDispose]() {
      await node.stop();
    },
  };
}
