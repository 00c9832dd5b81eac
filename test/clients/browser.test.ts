import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { clientFolder, isMissing } from "./installed.js";

/** Debian's. */
const CHROMIUM = "/usr/bin/chromium";
const isChromiumMissing = !existsSync(CHROMIUM);
if (isChromiumMissing) process.stderr.write(`${CHROMIUM} is not installed\n`);
const isSkipped = isMissing("browser", "playwright-core") || isChromiumMissing;

describe.skipIf(isSkipped)("the page for GraphQL in a browser", () => {
  it("runs a query, has the schema, and loads nothing from other hosts", {
    timeout: 120_000,
  }, async () => {
    using folder = temporaryFolder();
    const words = ["--profile=dev", "--graphql-http-enabled", "--graphql-ui-enabled"];
    await using node = await startNode(words, { folder: folder.path });
    const { openPage } = await import(join(clientFolder("browser"), "client.mjs"));
    await using opened = await openPage(`${node.graphqlUrl}/ui`, CHROMIUM);
    const { page, requests, problems } = opened;

    await page.click(".execute-button");
    await page.waitForSelector(".result-window .CodeMirror-code:has-text('\"number\": 0')");
    await page.click(".docExplorerShow");
    await page.waitForSelector(".doc-explorer-contents:has-text('Query')");

    const hosts = new Set(requests.map((address: string) => new URL(address).host));
    expect([...hosts]).toEqual([new URL(node.graphqlUrl).host]);
    expect(requests.length).toBeGreaterThanOrEqual(9);
    expect(problems).toEqual([]);
  });
});
