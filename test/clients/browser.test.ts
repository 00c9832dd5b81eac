import { describe, expect, it } from "vitest";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { isBrowserMissing, openPage } from "./open-page.js";

describe.skipIf(isBrowserMissing)("the page for GraphQL in a browser", () => {
  it("runs a query, has the schema, and loads nothing from other hosts", {
    timeout: 120_000,
  }, async () => {
    using folder = temporaryFolder();
    const words = ["--profile=dev", "--graphql-http-enabled", "--graphql-ui-enabled"];
    await using node = await startNode(words, { folder: folder.path });
    await using opened = await openPage(`${node.graphqlUrl}/ui`);
    const { page, requests, problems } = opened;

    await page.click(".execute-button");
    await page.waitForSelector(".result-window .CodeMirror-code:has-text('\"number\": 0')");
    await page.click(".docExplorerShow");
    await page.waitForSelector(".doc-explorer-contents:has-text('Query')");

    const hosts = new Set(requests.map((address) => new URL(address).host));
    expect([...hosts]).toEqual([new URL(node.graphqlUrl).host]);
    expect(requests.length).toBeGreaterThanOrEqual(9);
    expect(problems).toEqual([]);
  });
});
