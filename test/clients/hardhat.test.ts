import { describe, expect, it } from "vitest";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startAnvil } from "./anvil.js";
import { isMissing } from "./installed.js";
import { runHardhat } from "./run-hardhat.js";

/** Anvil's trace has steps only with `--steps-tracing`. */
const NOT_ON_ANVIL = ["can be traced"];

/** `npm run long -- tools` */
const isLong = process.env.PLINTH_TOOLS !== undefined;

describe.skipIf(!isLong || isMissing("hardhat"))("hardhat test --network plinth", () => {
  it("passes suites with fixtures, time travel, set balances, impersonation and OpenZeppelin's contracts", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(["dev"], { folder: folder.path });

    const { passing, failing, output } = await runHardhat("hardhat", {
      url: node.url,
      folder: folder.path,
    });

    expect(failing, output).toEqual([]);
    expect(passing, output).toBe(86);
  });
});

describe.skipIf(!isLong || isMissing("hardhat3", "hardhat"))(
  "hardhat 3 test --network plinth",
  () => {
    it("passes a suite over OpenZeppelin's contracts", async () => {
      using folder = temporaryFolder();
      await using node = await startNode(["dev"], { folder: folder.path });

      const { passing, failing, output } = await runHardhat("hardhat3", {
        url: node.url,
        folder: folder.path,
      });

      expect(failing, output).toEqual([]);
      expect(passing, output).toBe(70);
    });
  },
);

const isAnvilMissing = isMissing("foundry", ".bin/anvil");

describe.skipIf(!isLong || isAnvilMissing).each(["hardhat", "hardhat3"] as const)(
  "the suite of %s over OpenZeppelin's contracts",
  (version) => {
    it.skipIf(isMissing(version, "hardhat"))(
      "ends on Anvil like on this node, except for known differences",
      async () => {
        using folder = temporaryFolder();
        await using node = await startNode(["dev"], { folder: folder.path });
        await using anvil = await startAnvil();
        const words = ["--grep", "OpenZeppelin"];

        const here = await runHardhat(version, { url: node.url, folder: folder.path, words });
        const there = await runHardhat(version, { url: anvil.url, folder: folder.path, words });

        expect(here.failing, here.output).toEqual([]);
        // Anvil responds to a send before its block is produced; a matcher that queries at once
        // finds no receipt.
        const races = there.output.split("receipt should not be null").length - 1;
        expect(there.failing, there.output).toEqual(expect.arrayContaining(NOT_ON_ANVIL));
        expect(there.failing.length - races, there.output).toBe(NOT_ON_ANVIL.length);
        expect(there.passing + there.failing.length).toBe(here.passing);
      },
    );
  },
);
