import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Configuration } from "@plinth/core/kernel";
import { coreOptions } from "@plinth/node";
import { afterAll, describe, expect, it } from "vitest";
import { GenesisFile } from "./genesis-names.js";

const folder = mkdtempSync(join(tmpdir(), "plinth-genesis-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "genesis.json");

function open(text: string): GenesisFile {
  writeFileSync(path, text);
  const values: Readonly<Record<string, unknown>> = {
    genesisFile: path,
    overrideGenesisConfig: coreOptions.overrideGenesisConfig.default,
  };
  return new GenesisFile({ get: (key: string) => values[key] } as unknown as Configuration);
}

describe("the engines that a genesis file names", () => {
  it("are keys with a value, in any case, except for transitions", async () => {
    const text = '{"Config":{"CLIQUE":{},"qbft":null,"Transitions":{"ibft2":[]}}}';

    expect(await open(text).names()).toEqual({
      keys: new Set(["clique", "transitions"]),
      transitions: new Set(["ibft2"]),
    });
  });

  it.each(["", "{", "[]", "5"])(
    "are unknown or none if it is not a genesis file: %j",
    async (text) => {
      const names = await open(text).names();

      expect(names?.keys.size ?? 0).toBe(0);
    },
  );

  it("come with the content, which is returned once and for its own path", async () => {
    const file = open('{"config":{}}');
    await file.names();

    expect(file.take(path)).toEqual({ json: { config: {} }, alloc: undefined });
    expect(file.take(path)).toBeUndefined();
  });
});
