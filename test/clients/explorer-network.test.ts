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
import { FRIEND, RICH } from "./accounts.js";
import { readArtifact } from "./artifacts.js";
import { type SentReceipt, word } from "./explorer-chain.js";
import { type ExplorerPage, hostsOf, isLong, openExplorer } from "./explorer-page.js";
import { isBrowserMissing } from "./open-page.js";
import { sendSigned, submitSigned } from "./signed-transactions.js";

const STRANGER = `0x${"5e".repeat(20)}`;
/** Stores its argument, and logs it. */
const CONTRACT = "0x6014600c60003960146000f35f35805f555f5260205fa05f5ff3000000000000";

describe.skipIf(isBrowserMissing)("the explorer of a network with privacy", () => {
  let place: TemporaryFolder;
  let up: ProgramProcess;
  let first: ListedNode;
  let marker: string;
  let explorer: ExplorerPage;
  /** Contracts by the standard of their token, and the transaction that transferred all three. */
  const tokens: Record<string, string> = {};
  const transfers: Record<string, SentReceipt> = {};
  const rich = RICH.address.toLowerCase();
  const friend = FRIEND.address.toLowerCase();

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
    const made = makeTokens();
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
    await made;
    explorer = await openExplorer(url);
  });
  afterAll(async () => {
    await explorer[Symbol.asyncDispose]();
    await up[Symbol.asyncDispose]();
    place[Symbol.dispose]();
  });

  it("shows the head, blocks as they come, and block time", async () => {
    const { page } = explorer;
    await explorer.visit("");
    await page.waitForSelector(".state[data-state=live]");
    const head = () => explorer.text().then((text) => Number(/Head\s+(\d+)/.exec(text)?.[1]));
    const before = await head();

    await expect.poll(head, { timeout: 20_000 }).toBeGreaterThan(before);
    expect(await page.locator("figure.chart svg[role=img]").count()).toBe(3);
  });

  it("shows blocks, and the transaction of a transfer with its calls and changes", async () => {
    await explorer.visit("blocks");
    await explorer.shows(/Block[\s\S]*Transactions/);
    await explorer.visit(`tx/${transfers["ERC-1155"]?.transactionHash}`);
    await explorer.page.click("text=State changes");
    await explorer.shows(/nonce\s+\d+\s+\d+/);

    const text = await explorer.text();

    expect(text).toContain("safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)");
    expect(text).toMatch(/Token transfers[\s\S]*5 of #3[\s\S]*6 of #4/);
    expect(text).toMatch(/call 0x[\w…]+\.safeBatchTransferFrom [\d,]+ gas/);
  });

  it("shows the history of an address, and its tokens of all three standards", async () => {
    await explorer.visit(`address/${rich}`);
    expect(await explorer.page.locator("tbody tr").count()).toBeGreaterThanOrEqual(6);
    await explorer.visit(`address/${friend}/tokens`);

    const text = await explorer.page.locator("[aria-label='Token balances']").innerText();

    expect(text).toMatch(/Plinth Test Token\s+ERC-20\s+3$/m);
    expect(text).toMatch(/Plinth Test Art\s+ERC-721\s+1$/m);
    expect(text).toMatch(/ERC-1155\s+(5 of #3, 6 of #4|6 of #4, 5 of #3)/);
  });

  it.each([
    ["ERC-20", /PTT[\s\S]*Decimals\s+18[\s\S]*Transfers[\s\S]*3/],
    ["ERC-721", /PTA[\s\S]*Supply\s+1[\s\S]*Transfers[\s\S]*#7/],
    ["ERC-1155", /Transfers[\s\S]*5 of #3[\s\S]*6 of #4[\s\S]*40 of #3/],
  ])("shows a token of %s with its transfers", async (kind, expected) => {
    await explorer.visit(`token/${tokens[kind]}`);

    await explorer.shows(new RegExp(`Kind\\s+${kind}\\s`));
    await explorer.shows(expected);
  });

  it("reads a contract, and shows its events", async () => {
    const { page } = explorer;
    await explorer.visit(`address/${tokens["ERC-721"]}/contract`);
    await page.click("summary:has-text('ownerOf(uint256)')");
    const form = page.locator("details[open] form").first();
    await form.locator("input").first().fill("7");
    await form.locator("button").click();
    await explorer.shows(new RegExp(`address\\s+${friend}`, "i"));
    await explorer.visit(`address/${tokens["ERC-721"]}/events`);

    await explorer.shows(/Transfer[\s\S]*tokenId 7/);
  });

  it("explains what a transaction of the pool waits for", async () => {
    const hash = await submitSigned(first, { to: FRIEND.address, value: 1n }, 99n);
    await explorer.visit("pool");
    await explorer.shows("waiting-for-nonce");
    await explorer.visit(`tx/${hash}`);

    await explorer.shows(/The missing nonce is \d+\.[\s\S]*What to do: /);
  });

  it("steps through a transaction", async () => {
    await explorer.visit(`debugger/${transfers["ERC-721"]?.transactionHash}`);
    await explorer.shows("Step 0: PUSH1");
    await explorer.page.keyboard.press("End");

    await explorer.shows(/Step \d+: STOP[\s\S]*Storage changes[\s\S]* = 0x/);
  });

  it("has landmarks, and is searched by keyboard, from every view", async () => {
    const { page } = explorer;
    const few = ["", "network", "groups"];
    const more = ["blocks", "block/1", "files", "login", "pool", "doctor"];
    const others = [`tx/${marker}`, `address/${rich}`, `token/${tokens["ERC-20"]}`];
    const views = [...few, ...more, ...others, `private-debugger/${marker}`];
    for (const view of isLong ? views : few) {
      await explorer.visit(view);
      for (const role of ["banner", "navigation", "search", "main", "contentinfo"]) {
        expect(await page.getByRole(role).count(), `${role} of ${view}`).toBe(1);
      }
      expect(await page.locator("h1").count(), view).toBe(1);
      await page.keyboard.press("/");
      await page.keyboard.type("2");
      await page.keyboard.press("Enter");
      const shown = () => page.evaluate("location.hash");
      await expect.poll(shown, { message: view }).toBe("#/block/2");
    }
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

    await explorer.shows(/State root\s+0x[0-9a-f]{64}[\s\S]*equal[\s\S]*No private logs/);
  });

  it("finds nothing wrong with a node that is well", async () => {
    await explorer.visit("doctor");

    await explorer.shows("No problems: all checks of the node are up.");
  });

  it("requests nothing from other hosts", () => {
    expect(hostsOf(explorer)).toEqual([`127.0.0.1:${first.rpcPort}`]);
    expect(explorer.problems).toEqual([]);
  });

  /** A token of each standard, some of which the first account sends to its friend. */
  async function makeTokens(): Promise<void> {
    const creations = await sendSigned(first, [
      { data: readArtifact("Token").bytecode + word(10n ** 24n) },
      { data: readArtifact("Art").bytecode },
      { data: readArtifact("Items").bytecode },
    ]);
    const kinds = ["ERC-20", "ERC-721", "ERC-1155"];
    const addresses = creations.map(({ contractAddress }) => contractAddress);
    kinds.forEach((kind, index) => {
      tokens[kind] = addresses[index] ?? "";
    });
    const [coin = "", art = "", items = ""] = addresses;
    const lists = [160, 256, 352, 2, 3, 4, 2, 5, 6, 0].map(word).join("");
    const sent = await sendSigned(first, [
      { to: coin, data: `0xa9059cbb${word(friend)}${word(3n * 10n ** 18n)}` },
      { to: art, data: `0x23b872dd${word(rich)}${word(friend)}${word(7)}` },
      { to: items, data: `0x2eb2c2d6${word(rich)}${word(friend)}${lists}` },
    ]);
    sent.forEach((receipt, index) => {
      transfers[kinds[index] ?? ""] = receipt;
    });
  }
});
