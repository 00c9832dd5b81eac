import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FRIEND, RICH } from "./accounts.js";
import { readArtifact } from "./artifacts.js";
import { type DevChain, deployToken, type SentReceipt, startDevChain } from "./explorer-chain.js";
import { addFile, type ExplorerPage, hostsOf, isLong, openExplorer } from "./explorer-page.js";
import { clientFolder } from "./installed.js";
import { isBrowserMissing } from "./open-page.js";

const TRANSFERS = 30;
/** `custom()` of Failures, which reverts with an error that it declares. */
const CUSTOM = "0xc231aa30";
/** `put()` of Vault. */
const PUT = "0x549262ba";

describe.skipIf(isBrowserMissing)("the explorer of a development chain", () => {
  let chain: DevChain;
  let token: { readonly address: string; readonly last: SentReceipt | undefined };
  let failed: SentReceipt;
  let explorer: ExplorerPage;
  const rich = RICH.address.toLowerCase();

  beforeAll(async () => {
    chain = await startDevChain([`--abi=${join(clientFolder("contracts"), "dist/Ledger.json")}`]);
    token = await deployToken(chain, TRANSFERS);
    const { contractAddress } = await chain.send({ data: readArtifact("Failures").bytecode });
    failed = await chain.send({ to: contractAddress, data: CUSTOM, gas: "0x186a0" });
    explorer = await openExplorer(chain.node.url);
  });
  afterAll(async () => {
    await explorer[Symbol.asyncDispose]();
    await chain[Symbol.asyncDispose]();
  });

  it("shows the head, and a new block as it comes", async () => {
    await explorer.visit("");
    await explorer.page.waitForSelector(".state[data-state=live]");

    const { blockNumber } = await chain.send({ to: FRIEND.address, value: "0x1" });

    await explorer.shows(new RegExp(`Head\\s+${Number(blockNumber)}\\s`));
    expect(await explorer.page.locator("figure.chart svg[role=img]").count()).toBe(3);
    expect(explorer.requests.filter((each) => each.startsWith("ws:"))).not.toEqual([]);
  });

  it("pages through blocks, and shows one with its transactions", async () => {
    await explorer.visit("blocks?from=29");
    await explorer.page.click("text=Older");
    await explorer.shows("Block");
    await explorer.visit("block/2");

    expect(await explorer.text()).toMatch(/Block 2[\s\S]*1 transactions[\s\S]*transfer/);
  });

  it("shows a transaction with its input, logs, transfers, calls and changes", async () => {
    await explorer.visit(`tx/${token.last?.transactionHash}`);
    await explorer.page.click("text=State changes");
    await explorer.shows(/nonce\s+\d+\s+\d+/);

    const text = await explorer.text();

    expect(text).toContain("transfer(address,uint256)");
    expect(text).toMatch(/PTT\s+ERC-20/);
    expect(text).toMatch(/Log 0 of[\s\S]*Transfer/);
    expect(text).toMatch(/call 0x[\w…]+\.transfer [\d,]+ gas/);
  });

  it("shows why a transaction failed, by name once the ABI is there", async () => {
    await explorer.visit(`tx/${failed.transactionHash}`);
    const before = await explorer.text();
    await addFile(explorer, "Failures.json", JSON.stringify(readArtifact("Failures")));
    await explorer.visit(`tx/${failed.transactionHash}`);

    expect(before).toContain("Reverted: 0xcf479181");
    expect(await explorer.text()).toContain("InsufficientBalance(available: 1, required: 2)");
  });

  it("knows the contracts of the project that the chain runs for", async () => {
    await explorer.visit("files");

    expect(await explorer.text()).toMatch(/Contracts from files[\s\S]*Ledger\s/);
  });

  it("pages through the history of an address", async () => {
    await explorer.visit(`address/${rich}`);
    const first = await explorer.page.locator("tbody tr").count();
    await explorer.page.click("text=Older");
    await explorer.shows("Newest");
    const second = await explorer.page.locator("tbody tr").count();

    expect(first).toBe(25);
    expect(second).toBeGreaterThan(5);
  });

  it("shows the tokens of an address, and the token", async () => {
    await explorer.visit(`address/${FRIEND.address}/tokens`);
    const sum = (TRANSFERS * (TRANSFERS + 1)) / 2;
    expect(await explorer.text()).toMatch(new RegExp(`Plinth Test Token\\s+ERC-20\\s+${sum}`));

    await explorer.visit(`token/${token.address}`);
    await explorer.page.fill("[aria-label='Address of the account']", FRIEND.address);
    await explorer.page.click("main form button");

    await explorer.page.waitForSelector(`main form:has-text("${sum}")`);
    expect(await explorer.text()).toContain("1,000,000");
  });

  it("reads and writes a contract with an unlocked account, and shows its events", async () => {
    const { page } = explorer;
    await explorer.visit(`address/${token.address}/contract`);
    await page.click("summary:has-text('allowance(address,address)')");
    const read = page.locator("details[open] form").first();
    await read.locator("input").first().fill(rich);
    await read.locator("input").last().fill(FRIEND.address);
    await read.locator("button").click();
    await explorer.shows(/uint256\s+0/);
    await page.click("summary:has-text('approve(address,uint256)')");
    const write = page.locator("details[open] form").last();
    await write.locator("input").first().fill(FRIEND.address);
    await write.locator("input").last().fill("12345");
    await write.locator("button").click();
    await explorer.shows("Sent: ");
    await read.locator("button").click();
    await explorer.shows(/uint256\s+12345/);

    await explorer.visit(`address/${token.address}/events`);

    expect(await explorer.text()).toMatch(/Approval[\s\S]*value 12345/);
  });

  it("sends with a wallet in the browser, which must be on the same chain", async () => {
    const { page } = explorer;
    // A wallet whose keys are those of the node.
    await page.evaluate(`window.ethereum = {
      chain: "0x1",
      async request({ method, params = [] }) {
        if (method === "eth_chainId") return this.chain;
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: method.replace("requestA", "a"), params });
        const { result } = await (await fetch("/", { method: "POST", body })).json();
        return method === "eth_requestAccounts" ? [result[2]] : result;
      },
    }`);
    await explorer.visit(`address/${token.address}/contract`);
    await page.click("text=Connect the wallet");
    await explorer.shows("the wallet is on chain 1; switch it to 1337");
    await page.evaluate("window.ethereum.chain = '0x539'");
    await page.click("text=Connect the wallet");
    await page.waitForSelector("option:has-text('(wallet)')", { state: "attached" });
    await page.selectOption("main select", { index: (await page.locator("option").count()) - 1 });
    await page.click("summary:has-text('approve(address,uint256)')");
    const form = page.locator("details[open] form").last();
    await form.locator("input").first().fill(FRIEND.address);
    await form.locator("input").last().fill("77");
    await form.locator("button").click();
    await explorer.shows("Sent: ");
    await page.click("main .result a");
    await page.waitForSelector("h1:has-text('Transaction')");
    await explorer.shows("0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc");
    await explorer.shows(/amount\s+uint256\s+77/);

    await page.evaluate("delete window.ethereum");
  });

  it("explains what a transaction of the pool waits for", async () => {
    const nonce = Number(
      await chain.node.rpc("eth_getTransactionCount", [FRIEND.address, "pending"]),
    );
    const hash = await chain.node.rpc("eth_sendTransaction", [
      { from: FRIEND.address, to: rich, value: "0x1", nonce: `0x${(nonce + 3).toString(16)}` },
    ]);
    await explorer.visit("pool");
    await explorer.shows("waiting-for-nonce");
    await explorer.visit(`tx/${hash}`);

    expect(await explorer.text()).toMatch(/The missing nonce is 0\.[\s\S]*What to do: /);
  });

  it("steps through a transaction forwards and backwards, with lines of its source", async () => {
    const { page } = explorer;
    const vault = await chain.send({ data: readArtifact("Vault").bytecode });
    const put = await chain.send({ to: vault.contractAddress, data: PUT, value: "0x5" });
    const build = join(clientFolder("contracts"), "dist/build/all.json");
    await addFile(explorer, "all.json", readFileSync(build, "utf8"));
    await explorer.visit(`debugger/${put.transactionHash}`);
    await explorer.shows("Step 0: PUSH1");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await explorer.shows(/Step 2: MSTORE[\s\S]*Stack \(2\)\s+0 0x40\s+1 0x80/);
    await page.keyboard.press("ArrowRight");
    await explorer.shows(/Memory \(96 bytes\)/);
    await page.keyboard.press("ArrowLeft");
    await explorer.shows(/Step 2: MSTORE[\s\S]*Memory \(0 bytes\)/);
    await page.keyboard.press("End");
    await explorer.shows(/Vault\.sol, line \d+/);

    expect(await explorer.text()).toMatch(/Storage changes[\s\S]* = 0x/);
  });

  it("searches by keyboard: numbers, hashes, addresses, senders with a nonce", async () => {
    const { page } = explorer;
    const search = async (query: string) => {
      await page.evaluate("document.activeElement.blur()");
      await page.keyboard.press("/");
      await page.keyboard.type(query);
      await page.keyboard.press("Enter");
    };
    const address = () => page.evaluate("location.hash");
    const cases = [
      ["3", "#/block/3"],
      [String(token.last?.blockHash), `#/block/${token.last?.blockHash}`],
      [String(token.last?.transactionHash), `#/tx/${token.last?.transactionHash}`],
      [RICH.address, `#/address/${rich}`],
      [`${RICH.address} ${TRANSFERS}`, `#/tx/${token.last?.transactionHash}`],
    ];
    for (const [query = "", hash] of cases) {
      await search(query);
      await expect.poll(address, { message: query }).toBe(hash);
    }
    await search("nonsense");

    await page.waitForSelector("#search-result:has-text('Enter a block number')");
  });

  it("says so when the shown block leaves the chain", async () => {
    const { blockNumber } = await chain.send({ to: FRIEND.address, value: "0x2" });
    await explorer.visit(`block/${Number(blockNumber)}`);

    await chain.node.rpc("anvil_reorg", [2, []]);
    await chain.send({ to: FRIEND.address, value: "0x3" });

    await explorer.shows("This block has left the chain");
  });

  it("saves tables as files", async () => {
    await explorer.visit("block/2");
    const [download] = await Promise.all([
      explorer.page.waitForEvent("download"),
      explorer.page.click("button.csv"),
    ]);

    const text = readFileSync(await download.path(), "utf8");

    expect(text).toMatch(/^"Hash","Block"/);
    expect(text).toContain(rich);
  });

  it("has landmarks, one heading of the first level, and moves the focus to it", async () => {
    const { page } = explorer;
    await explorer.visit("doctor");

    for (const role of ["banner", "navigation", "search", "main", "contentinfo"]) {
      expect(await page.getByRole(role).count(), role).toBe(1);
    }
    expect(await page.locator("h1").allInnerTexts()).toEqual(["Doctor"]);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Doctor");
    expect(await page.title()).toBe("Doctor · Plinth explorer");
    expect(await page.locator("nav [aria-current=page]").allInnerTexts()).toEqual(["Doctor"]);
  });

  it("is dark or light, as the reader chooses", async () => {
    const { page } = explorer;
    const background = () =>
      page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    const before = await background();
    await page.click("text=Light / dark");
    const after = await background();
    await page.click("text=Light / dark");

    expect([before, after]).toEqual(["rgb(246, 247, 249)", "rgb(20, 23, 28)"]);
    expect(await background()).toBe(before);
  });

  it.runIf(isLong)("fits a phone", async () => {
    const { page } = explorer;
    await page.setViewportSize({ width: 360, height: 640 });
    const widths: Record<string, number> = {};
    const paths = ["", "blocks", "block/2", `tx/${token.last?.transactionHash}`, `address/${rich}`];
    for (const path of [
      ...paths,
      "pool",
      "doctor",
      "files",
      `debugger/${token.last?.transactionHash}`,
    ]) {
      await explorer.visit(path);
      widths[path] = Number(await page.evaluate("document.documentElement.scrollWidth"));
    }
    await page.setViewportSize({ width: 1280, height: 720 });

    expect(Object.entries(widths).filter(([, width]) => width > 360)).toEqual([]);
  });

  it("has requested nothing from other hosts, and no script has failed", () => {
    expect(hostsOf(explorer)).toEqual([new URL(chain.node.url).host]);
    expect(explorer.problems).toEqual([]);
  });
});

describe.skipIf(isBrowserMissing || !isLong)("the explorer of another node", () => {
  it("names the option that enables what it misses", async () => {
    await using chain = await startDevChain(["--rpc-http-api=ETH", "--rpc-ws-enabled=false"]);
    const { transactionHash } = await chain.send({ to: FRIEND.address, value: "0x1" });
    await using explorer = await openExplorer(chain.node.url, { path: `tx/${transactionHash}` });

    await explorer.shows("add TRACE to --rpc-http-api");
    await explorer.visit(`address/${RICH.address}`);
    await explorer.shows("add OTS to --rpc-http-api");
    await explorer.visit("doctor");
    await explorer.shows("add PLINTH to --rpc-http-api");
    await explorer.page.waitForSelector(".state[data-state=polling]");
    expect(explorer.problems).toEqual([]);
  });

  it("is served on a separate port, and says when the node is gone", async () => {
    await using chain = await startDevChain(["--explorer-port=0", "--rpc-http-cors-origins=none"]);
    const [, url = ""] = /Explorer: (http:\S+)\/explorer/.exec(chain.node.output()) ?? [];
    await using explorer = await openExplorer(url, { path: "doctor" });
    await explorer.shows("No problems");
    expect(new URL(url).host).not.toBe(new URL(chain.node.url).host);

    await chain.node.stop();

    await explorer.page.waitForSelector(".state[data-state=unreachable]");
    await explorer.shows("The node does not respond.");
  });
});
