import { loadCrypto } from "@plinth/core";
import { keccakHash } from "@plinth/core/primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DevChain, startDevChain, word } from "./explorer-chain.js";
import { addFile, type ExplorerPage, hostsOf, isLong, openExplorer } from "./explorer-page.js";
import { HOSTILE_TEXTS, hostileAbi, revertingCode, tokenCode } from "./hostile-texts.js";
import { isBrowserMissing } from "./open-page.js";

/** Those that tokens have. */
const TEXTS = isLong ? HOSTILE_TEXTS : HOSTILE_TEXTS.filter((_, index) => index % 8 === 0);
/** Of the texts, how many are visited one by one in several views. */
const VISITED = isLong ? 12 : 2;
/** Tokens that one page shows. */
const PER_PAGE = 50;
/** Creates a contract that reverts with two megabytes. */
const MEGABYTES = "0x65622000005ffd5f526006601af3";
/** The address whose page shows the tokens of a part of the texts. */
const owner = (page: number) => `0x${(0xbeef00 + page).toString(16).padStart(40, "0")}`;

describe.skipIf(isBrowserMissing)("hostile texts in the explorer", () => {
  let chain: DevChain;
  let explorer: ExplorerPage;
  const tokens: string[] = [];
  const reverted: string[] = [];

  beforeAll(async () => {
    await loadCrypto();
    chain = await startDevChain();
    const creations = TEXTS.map((text, index) => ({
      data: tokenCode(text, owner(Math.floor(index / PER_PAGE))),
      gas: "0xf42400",
    }));
    for (const { contractAddress } of await chain.sendAll(creations)) tokens.push(contractAddress);
    const reasons = [
      ...HOSTILE_TEXTS.slice(0, VISITED),
      ...HOSTILE_TEXTS.slice(isLong ? -5 : -3, -1),
    ];
    const codes = reasons.map(revertingCode);
    for (const data of isLong ? [...codes, MEGABYTES] : codes) {
      const { contractAddress } = await chain.send({ data, gas: "0xf42400" });
      const { transactionHash } = await chain.send({ to: contractAddress, gas: "0xf42400" });
      reverted.push(transactionHash);
    }
    explorer = await openExplorer(chain.node.url);
  });
  afterAll(async () => {
    await explorer[Symbol.asyncDispose]();
    await chain[Symbol.asyncDispose]();
  });

  it("there are 200 of them", () => {
    expect(new Set(HOSTILE_TEXTS).size).toBe(200);
  });

  it("are names and symbols of tokens, shown as text", async () => {
    let shown = "";
    for (let page = 0; page * PER_PAGE < TEXTS.length; page++) {
      await explorer.visit(`address/${owner(page)}/tokens`);
      const shownTokens = explorer.page.locator("[aria-label='Token balances'] tbody tr");
      const texts = TEXTS.slice(page * PER_PAGE, (page + 1) * PER_PAGE);
      expect(await shownTokens.count()).toBe(texts.length);
      shown += await explorer.page.textContent("main");
      await verifyHarmless();
    }

    expect(shown).toContain("<script>window.pwned=1</script>");
    expect(shown).toContain("\\u{202e}");
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
  });

  it("are shown on the pages of tokens and contracts", async () => {
    for (const address of tokens.slice(0, VISITED)) {
      for (const path of [`token/${address}`, `address/${address}/contract`]) {
        await explorer.visit(path);
        await verifyHarmless();
      }
    }
    expect(await explorer.page.textContent("main")).toContain("ERC-20");
  });

  it("are reasons of reverts, long and in markup", async () => {
    for (const hash of reverted) {
      await explorer.visit(`tx/${hash}`);
      await explorer.shows("Reverted:");
      await verifyHarmless();
      expect(String(await explorer.page.textContent("main")).length).toBeLessThan(200_000);
    }
  });

  it("are names in ABIs and of files", async () => {
    await addFile(explorer, "<img src=x onerror=pwned=1>.json", JSON.stringify(hostileAbi()));
    await verifyHarmless();
    const selector = keccakHash(Buffer.from("f0(uint256)")).slice(0, 10);
    const call = { to: tokens[0], data: `${selector}${word(1)}` };
    const { transactionHash } = await chain.send(call);
    await explorer.visit(`tx/${transactionHash}`);
    await explorer.shows("f0");
    await verifyHarmless();
    await explorer.visit("files");
    await verifyHarmless();

    expect(await explorer.page.locator("tbody tr").count()).toBe(HOSTILE_TEXTS.length);
  });

  it("are places in the address of the page", async () => {
    for (const text of HOSTILE_TEXTS.slice(0, VISITED)) {
      for (const view of ["block", "tx", "address", "token", "group", "debugger", ""]) {
        await explorer.visit(`${view}/${encodeURIComponent(text.slice(0, 2000))}`);
        await verifyHarmless();
      }
    }
  });

  it("make the page request nothing from other hosts", () => {
    expect(hostsOf(explorer)).toEqual([new URL(chain.node.url).host]);
    expect(explorer.problems).toEqual([]);
  });

  /** No script has run, and the view has no element that could load or run anything. */
  async function verifyHarmless(): Promise<void> {
    const found = await explorer.page.evaluate(`({
      pwned: window.pwned,
      elements: document.querySelectorAll(
        "main script, main iframe, main img, main object, main embed, main base, main link, main style, main [style], main [srcdoc]"
      ).length,
      scripts: document.scripts.length,
      links: [...document.querySelectorAll("a")].filter((each) => !each.getAttribute("href").startsWith("#")).length,
      handlers: [...document.querySelectorAll("main *")].filter((each) =>
        each.getAttributeNames().some((name) => name.startsWith("on"))
      ).length,
    })`);
    expect(found).toEqual({ pwned: undefined, elements: 0, scripts: 1, links: 0, handlers: 0 });
  }
});
