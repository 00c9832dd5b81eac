import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startAnvil } from "./anvil.js";
import { CLIENTS, deployFailures, FAILURES, type Message } from "./failures.js";
import { clientFolder, isMissing } from "./installed.js";

const PAGE = join(ROOT, "docs/operators/dev-chain-errors.md");
const isLong = process.env.PLINTH_TOOLS !== undefined;
const isAbsent = () =>
  [
    isMissing("foundry", ".bin/anvil"),
    isMissing("viem"),
    isMissing("ethers"),
    isMissing("hardhat"),
    isMissing("hardhat3", "hardhat"),
  ].some(Boolean);

describe.skipIf(!isLong || isAbsent())("the errors of a failing contract", () => {
  it("are those of docs/operators/dev-chain-errors.md, beside Anvil's", async () => {
    using folder = temporaryFolder();
    const abi = join(clientFolder("contracts"), "dist");
    await using node = await startNode(["dev", `--abi=${abi}`], { folder: folder.path });
    await using anvil = await startAnvil(["--chain-id", "1337"]);
    const contract = await deployFailures(node);
    expect((await deployFailures(anvil)).address).toBe(contract.address);

    const tables: string[] = [];
    for (const [client, fail] of Object.entries(CLIENTS)) {
      const theirs = await fail(anvil, contract);
      const ours = await fail(node, contract);
      tables.push(formatClient(client, { theirs, ours }));
    }

    await expect(`${INTRODUCTION}${tables.join("\n")}`).toMatchFileSnapshot(PAGE);
  });
});

const INTRODUCTION = `# Errors of a development chain, beside Anvil's

What a developer reads when a function of a contract fails, by client: on Anvil 1.7 and on \`plinth dev\`. The test
\`test/clients/failures.test.ts\` makes this page (\`npm run long -- tools\`); the contract is \`test/clients/contracts/src/Failures.sol\`, whose ABI both
clients and node have. \`data\` of an error is what the contract returned, on both.

`;

function formatClient(
  client: string,
  { theirs, ours }: { readonly theirs: readonly Message[]; readonly ours: readonly Message[] },
): string {
  const parts = (["call", "send"] as const).map((part) => {
    const rows = FAILURES.map(({ title }, index) => {
      const [their = "", our = ""] = [theirs[index]?.[part], ours[index]?.[part]];
      return `| ${title} | ${cell(their)} | ${our === their ? "the same" : cell(our)} |`;
    });
    return [`| ${PARTS[part]} | on Anvil | here |`, "| --- | --- | --- |", ...rows, ""].join("\n");
  });
  return `## ${client}\n\n${parts.join("\n")}`;
}

const PARTS = { call: "a call", send: "a transaction, whose gas is estimated" };

/** On one line, without non-text bytes, and with long data truncated. */
function cell(text: string): string {
  const line = text
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replaceAll(/(0x[0-9a-f]{8})[0-9a-f]{24,}/g, "$1…")
    .replaceAll("|", "\\|")
    .replaceAll("`", "'");
  return `\`${line.trim()}\``;
}
