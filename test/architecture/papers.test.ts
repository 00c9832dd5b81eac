import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { checkPapers } from "./check-papers.js";
import { fixture, repository } from "./source-tree.js";

describe("the documents of the repository", () => {
  it("serve newcomers and machines alike", () => {
    expect(checkPapers(repository)).toEqual([]);
  });

  it("do not include build output or copies", () => {
    const words = ["ls-files", "--cached", "--ignored", "--exclude-standard"];

    expect(execFileSync("git", words, { cwd: ROOT, encoding: "utf8" })).toBe("");
  });
});

describe("the check of documents", () => {
  it("accepts documents that are in order", () => {
    expect(checkPapers(fixture("papers-clean"))).toEqual([]);
  });

  it("reports addresses, ranges, missing commands and repeated entries", () => {
    expect(checkPapers(fixture("papers-loose"))).toEqual([
      "package-lock.json: node_modules/fastify has a download address",
      "package-lock.json: node_modules/forked has a download address",
      "test/clients/one/package-lock.json: node_modules/viem has a download address",
      "core/package.json: tapable ^2.3.3 is not one version",
      "core/package.json: vitest latest is not one version",
      "core/package.json: secp256k1 ~5.0.2 is not one version",
      'README.md: does not mention "npm ci && npm start"',
      '.ci/run: does not mention "npm test"',
      'CHANGELOG.md: lists "Commands" twice in one release',
    ]);
  });

  it("reports missing documents", () => {
    expect(checkPapers(fixture("papers-none"))).toEqual([
      "package-lock.json: is missing",
      "README.md: is missing",
      ".ci/run: is missing",
    ]);
  });
});
