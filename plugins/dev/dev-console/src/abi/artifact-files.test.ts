import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hexToBytes, loadCrypto } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { ArtifactFiles } from "./artifact-files.js";
import { selectorOf } from "./book.js";

beforeAll(async () => {
  await loadCrypto();
});

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "plinth-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const ABI = [{ type: "function", name: "stop", inputs: [] }];

describe("a folder of artifacts", () => {
  it("is read as far as possible", async () => {
    using folder = temporaryFolder();
    const warnings: string[] = [];
    const nested = `${'{"type":"tuple","components":['.repeat(20_000)}${"]}".repeat(20_000)}`;
    const files = {
      "broken.json": '{"abi":[',
      "wrong.json": '{"abi":[{"type":7}]}',
      "nested.json": `{"abi":[{"type":"function","name":"f","inputs":[${nested}]}]}`,
      "right.json": JSON.stringify({ abi: ABI }),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
    mkdirSync(join(folder.path, "folder.json"));
    symlinkSync(folder.path, join(folder.path, "circle"));
    const artifacts = new ArtifactFiles([folder.path, join(folder.path, "missing")], {
      warn: (message) => void warnings.push(message),
    });

    await artifacts.refresh();

    expect(artifacts.book.describeCall(hexToBytes(selectorOf("stop()")))).toBe("stop()");
    expect(warnings).toHaveLength(3);
  });

  it("with very many entries is read partially, with a warning", async () => {
    using folder = temporaryFolder();
    const warnings: string[] = [];
    for (const name of ["a.json", "b.json", "c.json"]) {
      writeFileSync(join(folder.path, name), JSON.stringify({ abi: ABI }));
    }
    const log = { warn: (message: string) => void warnings.push(message) };
    const artifacts = new ArtifactFiles([folder.path], log, 2);

    await artifacts.refresh();

    expect(warnings).toEqual([expect.stringContaining("more than 2 entries")]);
  });

  it("is read before any concurrent caller continues", async () => {
    using folder = temporaryFolder();
    const padding = " ".repeat(2 ** 20);
    writeFileSync(join(folder.path, "large.json"), `${JSON.stringify({ abi: ABI })}${padding}`);
    const artifacts = new ArtifactFiles([folder.path], { warn: () => undefined });
    const describeAfter = async () => {
      await artifacts.refresh();
      return artifacts.book.describeCall(hexToBytes(selectorOf("stop()")));
    };

    const described = await Promise.all([describeAfter(), describeAfter(), describeAfter()]);

    expect(described).toEqual(["stop()", "stop()", "stop()"]);
  });

  it.each([
    ["a type of very many dimensions", [{ type: `uint256${"[1]".repeat(3000)}` }]],
    ["a list with more items than numbers can count", [{ type: `tuple[${"9".repeat(400)}]` }]],
    ["very many parameters", Array.from({ length: 2000 }, () => ({ type: "bool" }))],
  ])("with %s causes a warning, and is ignored", async (_, inputs) => {
    using folder = temporaryFolder();
    const warnings: string[] = [];
    writeFileSync(
      join(folder.path, "hostile.json"),
      JSON.stringify([{ type: "function", name: "f", inputs }]),
    );
    const log = { warn: (message: string) => void warnings.push(message) };
    const artifacts = new ArtifactFiles([folder.path], log);

    await artifacts.refresh();

    expect(warnings).toEqual([expect.stringMatching(/hostile.json: .*expected/)]);
  });
});
