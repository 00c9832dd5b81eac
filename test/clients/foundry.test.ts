import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { FRIEND, RICH } from "./accounts.js";
import { describeLibrary } from "./describe-library.js";
import { clientFolder, isMissing } from "./installed.js";

const FOUNDRY = clientFolder("foundry");

// cast has no names for either; it prints the code of the node, which is that of Besu.
describeLibrary("foundry", {
  installed: ".bin/cast",
  nonceTooLow: "error code -32001",
  insufficientFunds: "error code -32004",
  isProgram: true,
});

describe.skipIf(isMissing("foundry", ".bin/forge"))("forge script --broadcast", () => {
  it("deploys a token and sends some of it", async () => {
    using folder = temporaryFolder();
    await using node = await startNode(["--profile=dev"], { folder: folder.path });
    const project = folder.file("project");
    cpSync(join(FOUNDRY, "project"), project, { recursive: true });
    cpSync(join(clientFolder("contracts"), "src"), join(project, "src"), { recursive: true });

    const words = [
      ["script", "script/Deploy.s.sol", "--broadcast"],
      ["--offline", "--use", join(FOUNDRY, "solc.mjs")],
      ["--rpc-url", node.url, "--private-key", RICH.key],
    ];
    await promisify(execFile)(join(FOUNDRY, "node_modules/.bin/forge"), words.flat(), {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: folder.path },
    });

    const { receipts, returns } = readJson(
      join(project, "broadcast/Deploy.s.sol/1337/run-latest.json"),
    );
    expect(receipts.map(({ status }) => status)).toEqual(["0x1", "0x1"]);
    const to = returns.token.value;
    const data = `0x70a08231${FRIEND.address.slice(2).padStart(64, "0")}`;
    expect(BigInt(String(await node.rpc("eth_call", [{ to, data }, "latest"])))).toBe(25n);
  });
});

interface Broadcast {
  readonly receipts: readonly { readonly status: string }[];
  readonly returns: { readonly token: { readonly value: string } };
}

function readJson(path: string): Broadcast {
  return JSON.parse(readFileSync(path, "utf8"));
}
