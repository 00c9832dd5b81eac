import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestNode } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import devConsole from "./index.js";

const ABI = [{ type: "function", name: "f", inputs: [] }];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-abi-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("plinth_artifacts", () => {
  it("returns ABI and deployed code of artifacts, without their sources, and of plain ABIs", async () => {
    const code = { object: "0x60", immutableReferences: { 1: [{ start: 0, length: 1 }] } };
    const contracts = await listed("project", {
      "Foundry.json": { abi: ABI, deployedBytecode: { ...code, sourceMap: "1:2:3" }, ast: {} },
      "Hardhat.json": { contractName: "Named", abi: ABI, deployedBytecode: "0x61", bytecode: "0x" },
      "plain.json": ABI,
      "broken.json": undefined,
      "package.json": { name: "project" },
    });

    expect(contracts).toEqual({
      contracts: {
        "Foundry.json": { Foundry: { abi: ABI, deployedBytecode: code } },
        "Hardhat.json": { Named: { abi: ABI, deployedBytecode: "0x61" } },
        "plain.json": { plain: { abi: ABI } },
      },
      omitted: 0,
    });
  });

  it("leaves out what is too much for a page", async () => {
    const many = Array.from({ length: 510 }, (_, index) => [`A${index}.json`, ABI]);
    const large = { abi: ABI, deployedBytecode: "0x".padEnd(12 * 1024 * 1024, "0") };

    const byNumber = await listed("many", Object.fromEntries(many));
    const bySize = await listed("large", { "a.json": large, "b.json": large, "c.json": large });

    expect(Object.keys(byNumber.contracts)).toHaveLength(500);
    expect(byNumber.omitted).toBe(10);
    expect(Object.keys(bySize.contracts)).toEqual(["a.json", "b.json"]);
    expect(bySize.omitted).toBe(1);
  });
});

/** What a node lists of a folder with these files, by their names. */
async function listed(name: string, files: Readonly<Record<string, unknown>>) {
  const place = join(folder, name);
  await mkdir(place);
  for (const [file, json] of Object.entries(files)) {
    await writeFile(join(place, file), JSON.stringify(json) ?? "{");
  }
  await using node = await createTestNode({ plugins: [devConsole], options: { abi: [place] } });
  const { contracts, omitted } = (await node.rpc("plinth_artifacts")) as {
    contracts: Record<string, object>;
    omitted: number;
  };
  const byFile = Object.entries(contracts).sort(([a], [b]) => a.localeCompare(b));
  return {
    contracts: Object.fromEntries(byFile.map(([path, each]) => [path.split("/").at(-1), each])),
    omitted,
  };
}
