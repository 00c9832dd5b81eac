import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEV_METHODS, type DevMethod } from "../support/dev-methods.js";
import { ROOT, type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const PAGE = join(ROOT, "docs/reference/dev-methods.md");
const NOTE =
  "<!-- Made by test/integration/dev-methods.test.ts: `npm run reference`. Do not edit. -->";

/** The response of `plinth dev` to a method: that it works, or why it is missing. */
async function outcomeOf({ name, params }: DevMethod, node: RunningNode): Promise<string> {
  try {
    await node.rpc(name, params);
    return "works";
  } catch (error) {
    const { code, message } = Object(error);
    if (code !== -32004) throw new Error(`${name}: ${code} ${message}`);
    return String(message).replace("not supported: ", "refused: ");
  }
}

describe("the methods of other development chains", () => {
  it("work on plinth dev, or are rejected with a reason", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(["dev"], { folder: folder.path });

    const rows: string[] = [];
    for (const method of DEV_METHODS) {
      const outcome = await outcomeOf(method, node);
      rows.push(`| \`${method.name}\` | ${method.of.join(", ")} | ${outcome} |`);
    }

    const head = ["| Method | Of | On `plinth dev` |", "| --- | --- | --- |"];
    const works = rows.filter((row) => row.includes("| works |")).length;
    const intro = `Every method of Anvil 1.7.1 and Hardhat 3.18.0 that begins with \`anvil_\`, \`hardhat_\` or \`evm_\`: ${works} of ${rows.length} work. The rest of what \`plinth dev\` has under these names is in [methods.md](methods.md).`;
    const page = [
      NOTE,
      "# Methods of Anvil and Hardhat",
      intro,
      [...head, ...rows.sort()].join("\n"),
    ];
    await expect(`${page.join("\n\n")}\n`).toMatchFileSnapshot(PAGE);
  });
});
