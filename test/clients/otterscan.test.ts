import { realpathSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { until } from "../network/network-node.js";
import {
  callNode,
  type ListedNode,
  listNodes,
  ProgramProcess,
} from "../network/program-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { isBrowserMissing, openPage } from "./open-page.js";
import { makeScript, type Script } from "./ots-transactions.js";
import { serveOtterscan } from "./serve-otterscan.js";

/** A folder with the static files of Otterscan, as its own build writes them. */
const FILES = process.env.PLINTH_OTTERSCAN;
if (FILES === undefined) process.stderr.write("PLINTH_OTTERSCAN names no folder with Otterscan\n");

const BLOCK_LIMIT_MS = 60_000;
/** It asks every contract for the name of a token; those of the script that are none fail. */
const MAY_FAIL = "eth_call";

describe.skipIf(isBrowserMissing || FILES === undefined)("Otterscan in a browser", () => {
  it("shows a network that plinth up runs", async () => {
    using place = temporaryFolder();
    const folder = `${realpathSync(place.path)}/network`;
    const flags = ["--nodes=1", "--period=1", "--base-port=0"];
    await using up = ProgramProcess.start(["up", `--data-path=${folder}`, ...flags], place.path);
    await up.printed("block 1 ");
    const [node] = listNodes(folder);
    if (node === undefined) throw new Error("the network has no nodes");
    const script = await makeScript({ hasDelegations: false });
    const hashes = await play(node, script);
    const nodeUrl = `http://127.0.0.1:${node.rpcPort}`;
    await using otterscan = await serveOtterscan(FILES ?? "", nodeUrl);
    await using opened = await openPage("about:blank");
    const { page, problems } = opened;
    const failures = await failuresOf(page, nodeUrl);
    const shows = async (path: string, ...selectors: readonly string[]) => {
      await page.goto(otterscan.url + path);
      for (const selector of selectors) await page.waitForSelector(selector);
    };
    const { rich = "", bob = "", token = "", vault = "" } = script.addresses;
    const { failures: failing = "" } = script.addresses;
    const hashOf = (name: string) => hashes.get(name) ?? "";
    const receipt = await callNode(node, "eth_getTransactionReceipt", [hashOf("two levels")]);
    const block = Number(Object(receipt).blockNumber);
    const count = (text: string) => `:text("${text} on this page")`;
    const link = (to: string) => `a[href*="${to}" i]`;

    await shows("/", ':text("Latest block:")');
    await shows(`/block/${block}`, ':text("Block Reward:")');
    await shows(`/block/${block}/txs`, ':text("transactions found")', link(hashOf("two levels")));
    await shows(`/tx/${hashOf("two levels")}`, ':text("Success")', ':text("TRANSFER")', link(bob));
    await shows(`/tx/${hashOf("two levels")}/trace`, link(bob));
    await shows(`/tx/${hashOf("CREATE of a contract that creates")}/trace`, ':text("CREATE")');
    await shows(`/tx/${hashOf("CREATE2")}`, ':text("CREATE")');
    await shows(`/tx/${hashOf("self-destruct in a call")}`, ':text("SELF DESTRUCT")', link(bob));
    await shows(`/tx/${hashOf("revert with a reason")}`, ':text("not today")');
    await page.click('button:text("Show Revert Trace")');
    await page.waitForSelector(`div:has(> div:text("Revert trace:")) ${link(failing)}`);
    await shows(`/tx/${hashOf("token transfer")}/logs`, link(token));
    await shows(`/tx/${hashOf("deposit")}/statediff`, link(vault));
    await shows(`/address/${rich}`, count("25 transactions"));
    await page.click("a:text-is('>')");
    await page.waitForURL("**/txs/next**");
    await page.waitForSelector(link(hashOf("self-destruct")));
    await page.click("a:text-is('Last')");
    await page.waitForSelector(link(hashOf("deployment of caller")));
    await shows(`/address/${bob}`, count("transactions"));
    await shows(`/address/${rich}?nonce=3`, `:text("${hashOf("deployment of reader")}")`);
    await shows(`/address/${token}`, ':text("Contract creator:")', ':text("Plinth Test Token")');

    expect(problems).toEqual([]);
    expect(failures).not.toEqual([]);
    expect(failures.filter(({ method }) => method !== MAY_FAIL)).toEqual([]);
  });
});

/** Sends all transactions; resolves with their hashes by name when they are in blocks. */
async function play(node: ListedNode, { blocks }: Script): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const block of blocks) {
    let last: unknown;
    for (const { name, raw } of block) {
      last = await callNode(node, "eth_sendRawTransaction", [raw]);
      hashes.set(name, String(last));
    }
    const isMined = async () =>
      last === undefined || (await callNode(node, "eth_getTransactionReceipt", [last])) !== null;
    await until(isMined, BLOCK_LIMIT_MS);
  }
  return hashes;
}

interface Failure {
  readonly method: string;
  readonly error: unknown;
}

/** In the page: reports calls of the node that fail, before the page gets their responses. */
const REPORTING = `
  const ask = window.fetch;
  window.fetch = async (...words) => {
    const request = new Request(...words);
    if (!request.url.startsWith(NODE_URL)) return ask(request);
    const calls = [JSON.parse(await request.clone().text())].flat();
    const response = await ask(request).catch(async (error) => {
      await reportFailure({ method: calls.map(({ method }) => method).join(), error: String(error) });
      throw error;
    });
    for (const { id, error } of [await response.clone().json()].flat()) {
      const method = calls.find((call) => call.id === id)?.method;
      if (error !== undefined) await reportFailure({ method, error });
    }
    return response;
  };
`;

/** The calls of the node by a page that fail, as they come. */
// biome-ignore lint/suspicious/noExplicitAny: Playwright is installed apart, and has its own types.
async function failuresOf(page: any, nodeUrl: string): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  await page.exposeFunction("reportFailure", (failure: Failure) => failures.push(failure));
  const content = `{ const NODE_URL = ${JSON.stringify(nodeUrl)}; ${REPORTING} }`;
  await page.addInitScript({ content });
  return failures;
}
