import "../support/flat-states.js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { FRIEND, RICH } from "./accounts.js";
import { startAnvil } from "./anvil.js";
import { readArtifact } from "./artifacts.js";
import { type ForgeProject, openForgeProject } from "./forge-project.js";
import { clientFolder, isMissing } from "./installed.js";
import { runHardhat } from "./run-hardhat.js";

/** `npm run long -- tools` */
const isLong = process.env.PLINTH_TOOLS !== undefined;
const SUPPLY = 1_000_000n;

/** What Hardhat's network cannot do with chains that it does not know. */
const NOT_ON_HARDHAT = ["has the states before the fork"];

const wordOf = (value: bigint | string) => BigInt(value).toString(16).padStart(64, "0");

/** A chain with a token, 25 of which were sent in the block after it. */
async function startNetwork(folder: string) {
  const node = await startNode(["dev"], { folder });
  const send = async (transaction: object) => {
    const hash = await node.rpc("eth_sendTransaction", [{ from: RICH.address, ...transaction }]);
    return Object(await node.rpc("eth_getTransactionReceipt", [hash]));
  };
  const { bytecode } = readArtifact("Token");
  const deployed = await send({ data: `${bytecode}${wordOf(SUPPLY)}` });
  const data = `0xa9059cbb${wordOf(FRIEND.address)}${wordOf(25n)}`;
  const sent = await send({ to: deployed.contractAddress, data });
  const { contractAddress: token, blockNumber } = deployed;
  return { node, token: String(token), at: Number(blockNumber), transfer: sent.transactionHash };
}

type Fork = { readonly url: string } & AsyncDisposable;

/** Hardhat's own node; its command has no option for the chain of the fork, so the settings of the project do. */
async function startHardhatNode(forked: string, folder: string): Promise<Fork> {
  const port = String(await freePort());
  const program = join(clientFolder("hardhat"), "node_modules/.bin/hardhat");
  const child = spawn(program, ["node", "--port", port], {
    cwd: clientFolder("hardhat"),
    env: { PATH: process.env.PATH, HOME: folder, PLINTH_FORKED: forked, PLINTH_FOLDER: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    if (String(piece).includes("Started HTTP")) break;
  }
  child.stdout.resume();
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await closed;
    },
  };
}

const startPlinth =
  (mode: string) =>
  (url: string, folder: string): Promise<Fork> => {
    const words = [`--fork-url=${url}`, `--fork-mode=${mode}`, "--no-storage-caching"];
    return startNode(["dev", ...words], { folder });
  };

const PLINTH = [
  { name: "a clone", start: startPlinth("CLONE"), missing: [] },
  { name: "a lazy fork", start: startPlinth("LAZY"), missing: [] },
];
const ANVIL = {
  name: "a fork by Anvil",
  start: (url: string): Promise<Fork> => startAnvil(["--fork-url", url, "--no-storage-caching"]),
  missing: [],
};
const HARDHAT = {
  name: "a fork by Hardhat's node",
  start: startHardhatNode,
  missing: NOT_ON_HARDHAT,
};

describe.skipIf(!isLong || isMissing("hardhat") || isMissing("foundry", ".bin/forge"))(
  "the tests of a project that forks a network",
  () => {
    let folder: TemporaryFolder;
    const newFolder = (name: string) => {
      mkdirSync(folder.file(name));
      return folder.file(name);
    };
    let network: Awaited<ReturnType<typeof startNetwork>>;
    // One for all tests, so that forge compiles once.
    let project: ForgeProject;
    beforeAll(async () => {
      folder = temporaryFolder();
      network = await startNetwork(newFolder("network"));
      project = openForgeProject(folder);
    });
    afterAll(async () => {
      await network?.node.stop();
      folder[Symbol.dispose]();
    });

    const forge = async (url: string) => {
      const variables = {
        FORK: url,
        TOKEN: network.token,
        AT: String(network.at),
        TRANSFER: network.transfer,
      };
      const words = ["test", "--match-contract", "ForkingTest", "--no-storage-caching"];
      return (await project.forge(words, variables)).stdout;
    };
    const hardhat = (url: string | undefined) => {
      const variables = {
        PLINTH_TESTS: "forked",
        PLINTH_FORKED: network.node.url,
        PLINTH_TOKEN: network.token,
        PLINTH_AT: String(network.at),
      };
      return runHardhat("hardhat", { url, folder: folder.path, variables });
    };

    it("pass with forge, whose forks read from the node", async () => {
      expect(await forge(network.node.url)).toContain("7 tests passed, 0 failed");
    });

    it("pass with Hardhat's own network, which reads from the node", async () => {
      const { passing, failing, output } = await hardhat(undefined);

      expect(failing, output).toEqual(NOT_ON_HARDHAT);
      expect(passing, output).toBe(13);
    });

    describe.each([...PLINTH, ANVIL, HARDHAT])("on $name", ({ name, start, missing }) => {
      let fork: Fork;
      beforeAll(async () => {
        fork = await start(network.node.url, newFolder(name));
      });
      afterAll(() => fork?.[Symbol.asyncDispose]());

      it("pass with forge", async () => {
        expect(await forge(fork.url)).toContain("7 tests passed, 0 failed");
      });

      it("pass with Hardhat", async () => {
        const { passing, failing, output } = await hardhat(fork.url);

        expect(failing, output).toEqual(missing);
        expect(passing, output).toBe(14 - missing.length);
      });
    });
  },
);
