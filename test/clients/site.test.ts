import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { buildSite, findBrokenLinks, serveFolder } from "../support/site.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { isBrowserMissing, openPage } from "./open-page.js";

/** Queries, and the page that one of the results must lead to. */
const SEARCHES = [
  ["rpc-http-port", "reference/options"],
  ["eth_getLogs", "reference/methods"],
  ["privacy group", "operators/privacy"],
  ["definePlugin", "plugins/first-plugin"],
  ["round change", "operators/qbft"],
] as const;

const DIAGRAMS = [
  ["architecture", 4],
  ["operators/qbft", 1],
  ["operators/privacy", 1],
] as const;

/** `npm run long -- site`: the build takes as long as a hundred other tests. */
const isLong = process.env.PLINTH_SITE !== undefined;

describe.skipIf(!isLong)("the documentation site", () => {
  let folder: TemporaryFolder;
  afterAll(() => folder[Symbol.dispose]());

  beforeAll(async () => {
    folder = temporaryFolder();
    mkdirSync(folder.file("v0.0"));
    writeFileSync(folder.file("v0.0", "index.html"), "");
    await buildSite(folder.path);
  });

  it("has every page of docs/ and no broken link", () => {
    const missing = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .map((path) => path.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html"))
      .filter((page) => !existsSync(folder.file("v0.1", page)));

    expect(missing).toEqual([]);
    expect(findBrokenLinks(folder.path)).toEqual([]);
  });

  it("lists the releases, the latest first", () => {
    expect(readFileSync(folder.file("index.html"), "utf8")).toMatch(/v0\.1\/.*v0\.0\//);
  });

  it.skipIf(isBrowserMissing)(
    "searches, draws its diagrams, and loads nothing from other hosts",
    async () => {
      await using server = await serveFolder(folder.path);
      await using opened = await openPage(`${server.url}/`);
      const { page, requests, problems } = opened;

      await page.click("text=v0.1");
      await page.waitForSelector("text=Run a network");
      for (const [query, target] of SEARCHES) {
        await page.click(".DocSearch-Button");
        await page.fill("#localsearch-input", query);
        await page.waitForSelector(`.results a.result[href*="${target}"]`);
        await page.keyboard.press("Escape");
      }

      for (const [path, count] of DIAGRAMS) {
        await page.goto(`${server.url}/v0.1/${path}.html`);
        await page.waitForFunction(
          `document.querySelectorAll("figure.diagram svg").length >= ${count}`,
        );
      }

      const hosts = new Set(requests.map((address) => new URL(address).host));
      expect([...hosts]).toEqual([new URL(server.url).host]);
      expect(problems).toEqual([]);
    },
  );
});

it("a link to a missing page or heading is found", () => {
  using folder = temporaryFolder();
  const page = '<a href="b.html">b</a> <a href="b.html#there">b</a> <a href="#here">a</a>';
  writeFileSync(
    folder.file("a.html"),
    `${page} <a href="b.html#gone">b</a> <a href="/c.html">c</a>`,
  );
  writeFileSync(
    folder.file("b.html"),
    '<h2 id="there"></h2> <a href="https://example.org/x">x</a>',
  );

  expect(findBrokenLinks(folder.path)).toEqual([
    "a.html: #here",
    "a.html: b.html#gone",
    "a.html: /c.html",
  ]);
});
