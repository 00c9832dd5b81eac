import { definePlugin } from "@plinth/core";
import { genesisChecks } from "@plinth/core/consensus";
import { createTestNode, DEV_GENESIS, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";

const cautious = definePlugin({
  name: "cautious",
  setup: ({ contribute }) =>
    contribute(genesisChecks, {
      name: "of cautious",
      check: ({ chainId, engineKeys }) => [
        { severity: "note", key: "config", problem: `is of ${chainId} and ${engineKeys}` },
        { severity: "warning", key: "config.chainId", problem: "is dull", fix: "choose another" },
      ],
    }),
});

describe("a genesis file at the start of a node", () => {
  it("is checked by plugins: warnings are logged, with the fix, and notes are not", async () => {
    const logs = recordLogs();
    await using _ = await createTestNode({ plugins: [cautious], logs });

    const warnings = logs.entries.filter(({ level }) => level === "warn");

    expect(warnings.map(({ message }) => message)).toEqual([
      "genesis: config.chainId is dull; choose another",
    ]);
  });

  it("keeps the node from starting if it has errors, which are all reported", async () => {
    const genesis = {
      ...DEV_GENESIS,
      gasLimit: `0x8${"0".repeat(15)}`,
      config: { chainId: 1, berlinBlock: 7, londonBlock: 0, dev: {} },
    };

    await expect(createTestNode({ genesis })).rejects.toMatchObject({
      code: "GENESIS_INVALID",
      message: expect.stringMatching(
        /config\.londonBlock is 0, but berlin.*gasLimit is 9223372036854775808/,
      ),
    });
  });

  it("can be checked without a start", async () => {
    await using node = await createTestNode({ plugins: [cautious] });

    const findings = await node.node.checkGenesis({ ...DEV_GENESIS, alloc: { bob: {} } }, "file");

    expect(findings).toMatchObject([{ severity: "error", key: "alloc.bob" }]);
    expect(await node.node.checkGenesis(DEV_GENESIS, "file")).toMatchObject([
      { severity: "warning", key: "config.chainId" },
      { severity: "note", problem: "is of 1337 and dev" },
    ]);
  });
});
