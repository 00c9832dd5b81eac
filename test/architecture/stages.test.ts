import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";

interface Frame {
  readonly name: string;
  readonly file: string;
}

const KECCAK = "core/contract/src/primitives/keccak/keccak.ts";
const TRANSACTION = "core/contract/src/blocks/transaction.ts";
const LEVEL_TABLE = "plugins/storage/storage-level/src/store/level-table.ts";
const LEVEL_STORE = "plugins/storage/storage-level/src/store/level-store.ts";
const ADMISSION = frame("verifyForm", "core/chain/src/pool/admission.ts");

const { RULES, stageOf, sumStages } = await import(`${ROOT}/test/performance/stages/stage-of.mjs`);
const { stacksOf } = await import(`${ROOT}/test/performance/stages/cpu-profile.mjs`);

describe("the stages of a profile", () => {
  it.each(RULES as readonly (readonly [string, string])[])("%s: %s exists", (_, path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
  });

  it.each<[string, readonly Frame[]]>([
    ["recover", [frame("keccak256", KECCAK), frame("recoverSender", TRANSACTION), ADMISSION]],
    ["admit", [frame("keccak256", KECCAK), frame("get hash", TRANSACTION), ADMISSION]],
    ["execute", [frame("getSync", LEVEL_TABLE), frame("perform", DRIVER)]],
    ["commit", [frame("LevelStore.#writeNow", LEVEL_STORE)]],
    ["accept", [frame("onread", "node:internal/stream_base_commons")]],
    ["garbage", [frame("(garbage collector)", "")]],
    ["other", [frame("gc", "cli/src/main.ts")]],
  ])("%s is found from the innermost frame on", (stage, frames) => {
    expect(stageOf(frames)).toBe(stage);
  });

  it("have the times until the next sample, without those in which nothing ran", () => {
    const nodes = [
      { id: 1, callFrame: callFrame("(root)"), children: [2, 3] },
      { id: 2, callFrame: callFrame("(idle)") },
      { id: 3, callFrame: callFrame("outer"), children: [4] },
      { id: 4, callFrame: callFrame("inner") },
    ];
    const profile = { nodes, samples: [4, 2, 4, 3], timeDeltas: [9, 100, 7, 30] };

    const stacks = stacksOf(profile, () => DRIVER);

    expect(stacks).toEqual([
      {
        us: 130,
        frames: [frame("inner", DRIVER), frame("outer", DRIVER), frame("(root)", DRIVER)],
      },
      { us: 0, frames: [frame("outer", DRIVER), frame("(root)", DRIVER)] },
    ]);
    expect(sumStages(stacks)).toEqual(new Map([["execute", 130]]));
  });
});

const DRIVER = "plugins/evm/evm-plinth/src/driver.ts";

function frame(name: string, file: string): Frame {
  return { name, file };
}

function callFrame(functionName: string) {
  return { functionName, url: "", lineNumber: 0, columnNumber: 0 };
}
