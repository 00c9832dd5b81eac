import { realpathSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  callNode,
  type ListedNode,
  listNodes,
  ProgramProcess,
} from "../network/program-process.js";
import { runProgram } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { RICH } from "./accounts.js";
import { type ExplorerPage, hostsOf, openExplorer } from "./explorer-page.js";
import { isBrowserMissing } from "./open-page.js";

const STRANGER = `0x${"5e".repeat(20)}`;
/** Stores its argument, and logs it. */
const CONTRACT = "0x6014600c60003960146000f35f35805f555f5260205fa05f5ff3000000000000";

describe.skipIf(isBrowserMissing)("the explorer of a network with privacy", () => {
  let place: TemporaryFolder;
  let up: ProgramProcess;
  let first: ListedNode;
  let marker: string;
  let explorer: ExplorerPage;

  beforeAll(async () => {
    place = temporaryFolder();
    const folder = `${realpathSync(place.path)}/network`;
    const flags = ["--privacy", "--nodes=2", "--period=1", "--base-port=0"];
    up = ProgramProcess.start(["up", `--data-path=${folder}`, ...flags], place.path);
    await up.printed("block 1 ");
    const [one, two] = listNodes(folder);
    if (one === undefined || two?.manager === undefined) throw new Error("expected two nodes");
    first = one;
    const [, url = ""] = /explorer: (http:\S+)\/explorer/.exec(up.output()) ?? [];
    writeFileSync(place.file("account.key"), RICH.key);
    const words = [`--data-path=${folder}/${one.name}/data`, "privacy", "send", "--wait"];
    const { stdout, stderr } = await runProgram(
      [
        ...words,
        `--key-file=${place.file("account.key")}`,
        `--private-for=${two.manager.publicKey}`,
        `--data=${CONTRACT}`,
      ],
      { folder: place.path },
    );
    marker = /0x[0-9a-f]{64}/.exec(stdout)?.[0] ?? stderr;
    explorer = await openExplorer(url);
  });
  afterAll(async () => {
    await explorer[Symbol.asyncDispose]();
    await up[Symbol.asyncDispose]();
    place[Symbol.dispose]();
  });

  it("shows validators, who proposed what, rounds and peers", async () => {
    await explorer.visit("network");

    await explorer.shows(/QBFT: 2 validators[\s\S]*this node[\s\S]*proposes/);
    await explorer.shows(/None in the last \d+ blocks?: every first proposer was in time/);
    await explorer.shows(/Peers\s+Program[\s\S]*eth\/68/);
    await explorer.shows("add PERM to --rpc-http-api");
  });

  it("proposes a validator, and discards the vote", async () => {
    const { page } = explorer;
    await explorer.visit("network");
    await page.fill("[aria-label='Address to vote about']", STRANGER);
    await page.click("form.line button");
    await explorer.shows(`This node votes to add ${STRANGER}.`);
    const standing = await callNode(first, "qbft_getPendingVotes");
    await explorer.shows(/Votes that stand[\s\S]*2 of 2 must vote alike[\s\S]*to add\s+1 of 2/);
    await page.click("text=Discard");
    await explorer.shows("is discarded");

    expect(standing).toEqual({ [STRANGER]: true });
    expect(await callNode(first, "qbft_getPendingVotes")).toEqual({});
  });

  it("shows the validators, the round and the seals of a block", async () => {
    await explorer.visit("block/1");

    expect(await explorer.text()).toMatch(/Round\s+0: the first proposer[\s\S]*Commit seals\s+2/);
  });

  it("shows the private transaction behind a marker", async () => {
    await explorer.visit(`tx/${marker}`);

    await explorer.shows(/Private transaction\s+Stage\s+executed\s+Outcome\s+success\s+Group/);
    await explorer.shows(/Private calls[\s\S]*create/);
  });

  it("steps through a private transaction", async () => {
    const { page } = explorer;
    await explorer.visit(`tx/${marker}`);
    await page.click("text=Step through its code in the debugger");
    await explorer.shows("Step 0: PUSH1");
    await page.keyboard.press("End");

    await explorer.shows(/Step \d+: RETURN[\s\S]*Memory \(32 bytes\)/);
  });

  it("shows groups, members, their states side by side, and private logs", async () => {
    await explorer.visit("groups");
    await explorer.shows(/Latest private transactions[\s\S]*success/);
    await explorer.page.click("text=List groups");
    await explorer.shows(/up to block \d+[\s\S]*equal/);
    await explorer.page.click(".part a");
    await explorer.page.waitForSelector("h1:has-text('Private group')");
    await explorer.settled();

    expect(await explorer.text()).toMatch(
      /State root\s+0x[0-9a-f]{64}[\s\S]*equal[\s\S]*No private logs/,
    );
  });

  it("finds nothing wrong with a node that is well", async () => {
    await explorer.visit("doctor");

    await explorer.shows("No problems: all checks of the node are up.");
  });

  it("requests nothing from other hosts", () => {
    expect(hostsOf(explorer)).toEqual([`127.0.0.1:${first.rpcPort}`]);
    expect(explorer.problems).toEqual([]);
  });
});
