import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningNode, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { FRIEND, POOR, RICH } from "./accounts.js";
import { startAnvil } from "./anvil.js";
import { describeLibrary } from "./describe-library.js";
import { type ForgeProject, openForgeProject } from "./forge-project.js";
import { isMissing } from "./installed.js";

/** `npm run long -- tools` */
const isLong = process.env.PLINTH_TOOLS !== undefined;

// cast has no names for either; it prints the code of the node, which is that of Besu.
describeLibrary("foundry", {
  installed: ".bin/cast",
  nonceTooLow: "error code -32001",
  insufficientFunds: "error code -32004",
  isProgram: true,
});

const SENDER = ["--unlocked", "--from", RICH.address.toLowerCase()];

/** The nodes of the same tests; Anvil shows that nothing special is required of this node. */
const CHAINS = [
  { name: "plinth dev", start: (folder: string) => startNode(["dev"], { folder }) },
  ...(isLong ? [{ name: "Anvil", start: () => startAnvil(["--chain-id", "1337"]) }] : []),
];

describe.skipIf(isMissing("foundry", ".bin/forge")).each(CHAINS)(
  "forge and cast on $name",
  ({ start }) => {
    let folder: TemporaryFolder;
    let node: { readonly url: string; rpc: RunningNode["rpc"] } & AsyncDisposable;
    // One for all tests, so that forge compiles once.
    let project: ForgeProject;
    beforeAll(async () => {
      folder = temporaryFolder();
      node = await start(folder.path);
      project = openForgeProject(folder);
    });
    afterAll(async () => {
      await node[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    });

    it.runIf(isLong)("deploy with a script, and test on a fork of what it left", async () => {
      await project.forge(
        [
          "script",
          "script/Deploy.s.sol",
          "--broadcast",
          "--rpc-url",
          node.url,
          "--unlocked",
        ].concat("--sender", RICH.address),
      );

      const { receipts, returns } = project.readBroadcast("Deploy.s.sol");
      expect(receipts.map(({ status }) => status)).toEqual(["0x1", "0x1"]);
      const to = returns.token.value;
      const data = `0x70a08231${FRIEND.address.slice(2).padStart(64, "0")}`;
      expect(BigInt(String(await node.rpc("eth_call", [{ to, data }, "latest"])))).toBe(25n);

      const { stdout } = await project.forge(
        ["test", "--match-contract", "ForkedTest", "--fork-url", node.url],
        { TOKEN: to },
      );
      expect(stdout).toContain("3 tests passed, 0 failed");
    });

    it("create a contract, send to it and read it with an account of the node", async () => {
      const at = ["--rpc-url", node.url];

      const created = await project.forge([
        "create",
        "src/Token.sol:Token",
        "--broadcast",
        ...at,
        ...SENDER,
        "--constructor-args",
        "1000",
      ]);
      const token = /Deployed to: (0x[0-9a-fA-F]{40})/.exec(created.stdout)?.[1] ?? "";
      await project.cast([
        "send",
        token,
        "transfer(address,uint256)",
        FRIEND.address,
        "25",
        ...at,
        ...SENDER,
      ]);

      const { stdout } = await project.cast([
        "call",
        token,
        "balanceOf(address)(uint256)",
        FRIEND.address,
        ...at,
      ]);
      expect(stdout.trim()).toBe("25");
    });

    // cast prepares for more than ten seconds of computing.
    it.runIf(isLong)("send blobs", async () => {
      const at = ["--rpc-url", node.url, "--private-key", RICH.key, "--json"];
      writeFileSync(folder.file("blob.txt"), "hello");

      const blob = ["--blob", "--path", folder.file("blob.txt")];
      const sent = await project.cast(["send", FRIEND.address, ...blob, ...at]);

      expect(JSON.parse(sent.stdout)).toMatchObject({ status: "0x1", type: "0x3" });
    });

    // The last one: it leaves code at the account of the sender.
    it("let an account delegate to the code of another", async () => {
      const at = ["--rpc-url", node.url, "--private-key", RICH.key, "--json"];
      const delegated = await project.cast(["send", FRIEND.address, "--auth", POOR.address, ...at]);
      expect(JSON.parse(delegated.stdout)).toMatchObject({ status: "0x1", type: "0x4" });
      const code = await node.rpc("eth_getCode", [RICH.address, "latest"]);
      expect(code).toBe(`0xef0100${POOR.address.slice(2).toLowerCase()}`);
    });
  },
);
