import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, createMemoryStorageDriver, loadCrypto } from "@plinth/core";
import { parseGenesis } from "@plinth/core/genesis";
import { readForks } from "@plinth/core/rules";
import { CONFORMANCE, isConformanceMissing } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { buildGenesisBlock } from "./genesis-block.js";

beforeAll(async () => {
  await loadCrypto();
});

describe.skipIf(isConformanceMissing)("genesis files of other projects", () => {
  it("are accepted, or rejected with the unsupported key", async () => {
    const refused: Record<string, string> = {};
    let taken = 0;

    for (const [file, json] of readGenesisFiles()) {
      try {
        await load(json, file);
        taken += 1;
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        refused[file] = String(error.details.key);
      }
    }

    expect({ taken, refused }).toEqual({
      taken: 39,
      refused: {
        "genesis/besu-acceptance/crypto/secp256r1.json": "ecCurve",
        "genesis/besu-config/all_forks.json": "ecip1015Block",
      },
    });
  });
});

async function load(json: { readonly config: object }, origin: string): Promise<void> {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  parseGenesis(json, origin);
  await buildGenesisBlock(json, { forks: readForks(json.config), store, origin });
}

/** Whole genesis files, and some that contain only a configuration. */
function readGenesisFiles(): readonly (readonly [string, { readonly config: object }])[] {
  return readdirSync(CONFORMANCE, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json") && !file.startsWith("ethereum-tests"))
    .sort()
    .flatMap((file) => {
      // Some have a placeholder for the extra data, which their tests fill in.
      const text = readFileSync(join(CONFORMANCE, file), "utf8").replace("%extraData%", "0x");
      const json: unknown = JSON.parse(text);
      return isGenesis(json) ? [[file, json] as const] : [];
    });
}

function isGenesis(json: unknown): json is { readonly config: object } {
  return typeof json === "object" && json !== null && "config" in json;
}
