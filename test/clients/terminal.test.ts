import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, type RunningNode, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { terminalSvg } from "../support/terminal-svg.js";
import { readArtifact } from "./artifacts.js";
import { clientFolder, isMissing } from "./installed.js";

const PAGE = join(ROOT, "docs/operators/dev-chain.md");
const PICTURE = join(ROOT, "docs/pictures/dev-chain.svg");
const RECORDING = /(<!-- recording: .* -->\n\n```text\n)[^`]*(```\n)/;
const FROM = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const VAULT = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const PUT = "0x549262ba";
const TAKE = "0x4fd9efc4";
/** Three zeros and MCOPY. */
const CANCUN_CODE = "0x5f5f5f5e00";
const word = (value: number) => value.toString(16).padStart(64, "0");

async function send(node: RunningNode, transaction: object): Promise<void> {
  await node.rpc("eth_sendTransaction", [{ from: FROM, gas: "0x1e8480", ...transaction }]);
}

/** The output of the terminal, without the columns and with varying parts removed. */
function recordingOf(output: string, folder: string): string {
  const lines = output
    .split("\n")
    .filter((line) => line.includes("| dev-console |"))
    .map((line) => line.replace(/^.*\| dev-console \| /, ""))
    .map((line) => line.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, "2026-11-15T07:20:31Z"))
    .map((line) => line.replace(folder, "/home/ada").replace(/ in \d+ seconds?$/, " in 4 seconds"));
  return `${lines.join("\n")}\n`;
}

describe.skipIf(isMissing("contracts", "solc"))("the terminal of a development chain", () => {
  it("shows the output of docs/operators/dev-chain.md", async () => {
    using folder = temporaryFolder();
    const abi = join(clientFolder("contracts"), "dist");
    const words = ["dev", "--accounts=3", "--trace", `--abi=${abi}`];
    const node = await startNode(words, { folder: folder.path });
    const { bytecode } = readArtifact("Vault");
    await send(node, { data: bytecode });
    await send(node, { to: VAULT, data: PUT, value: "0x7d0" });
    await send(node, { to: VAULT, data: `${TAKE}${word(500)}` });
    await send(node, { to: VAULT, data: `${TAKE}${word(5000)}` });
    await node.rpc("hardhat_mine", ["0x64"]);
    const { stdout } = await node.stop();

    const recording = recordingOf(stdout, folder.path);

    expect(recording).toContain("created Vault at");
    expect(recording).toContain("console.log: take 5000");
    expect(recording).toContain("NotYours(0xf39f…2266, 5000, 1500)");
    const page = readFileSync(PAGE, "utf8");
    expect(page).toMatch(RECORDING);
    const updated = page.replace(RECORDING, (_, before, after) => `${before}${recording}${after}`);
    await expect(updated).toMatchFileSnapshot(PAGE);
    await expect(
      terminalSvg(
        "plinth dev --trace",
        recording.replace(/^(?=Accounts)/, "$ plinth dev --trace\n"),
      ),
    ).toMatchFileSnapshot(PICTURE);
  });

  it("shows selectors and addresses without artifacts, and the console anyway", async () => {
    using folder = temporaryFolder();
    const node = await startNode(["dev"], { folder: folder.path });
    await send(node, { data: readArtifact("Vault").bytecode });
    await send(node, { to: VAULT, data: PUT, value: "0x1" });
    const { stdout } = await node.stop();

    expect(stdout).toContain(`created ${VAULT}`);
    expect(stdout).toContain("0x5fbd…0aa3.0x549262ba(…)");
    expect(stdout).toContain("console.log: put 1");
  });

  it("names an instruction that the hardfork lacks", async () => {
    using folder = temporaryFolder();
    const node = await startNode(["dev", "--hardfork=shanghai"], { folder: folder.path });

    await expect(
      node.rpc("eth_estimateGas", [{ from: FROM, data: CANCUN_CODE }]),
    ).rejects.toMatchObject({
      message: expect.stringMatching(
        /MCOPY \(0x5e\) in 0x[0-9a-f]{40} needs cancun; this chain is shanghai: --hardfork/,
      ),
    });
    await send(node, { data: CANCUN_CODE });
    const { stdout } = await node.stop();

    expect(stdout).toContain("needs cancun; this chain is shanghai: --hardfork");
  });
});
