import { describe, expect, it } from "vitest";
import { readArtifacts } from "../abi/artifact.js";
import { followFrames } from "./frames.js";
import { SourceMap } from "./source-map.js";
import type { Step } from "./step.js";

const A = `0x${"aa".repeat(20)}`;
const B = `0x${"bb".repeat(20)}`;
const wordOf = (address: string) => address.slice(2).padStart(64, "0");

describe("frames", () => {
  it("follow calls, delegations and creations, and have what they write", () => {
    const steps = [
      step(1, "CALL", ["0", wordOf(B), "0"]),
      step(2, "SSTORE", ["05", "01"]),
      step(1, "DELEGATECALL", [wordOf(B), "0"]),
      step(2, "SSTORE", ["06", "02"]),
      step(1, "CREATE", ["0", "0", "0"]),
      step(2, "SSTORE", ["07", "03"]),
      step(1, "STOP", [wordOf(B)]),
    ];

    const { frames, writes } = followFrames(steps, A);

    expect(frames.map(({ kind, code }) => [kind, code])).toEqual([
      ["CALL", A],
      ["CALL", B],
      ["CALL", A],
      ["DELEGATECALL", B],
      ["CALL", A],
      ["CREATE", undefined],
      ["CALL", A],
    ]);
    expect(writes.map(({ frame, slot, value }) => [frame.storage, slot, value])).toEqual([
      [B, "01", "05"],
      [A, "02", "06"],
      [B, "03", "07"],
    ]);
  });
});

describe("a source map", () => {
  const content = "// ä\ncontract A {\n  function f() {}\n}\n";
  const output = {
    input: { sources: { "A.sol": { content } } },
    output: {
      sources: { "A.sol": { id: 0 } },
      contracts: {
        "A.sol": {
          A: {
            abi: [{ type: "function", name: "f", inputs: [] }],
            // PUSH2 0x0001 ADD STOP: three instructions at 0, 3 and 4.
            evm: { deployedBytecode: { object: "6100010100", sourceMap: "6:12:0;;-1:-1:-1" } },
          },
        },
      },
    },
  };
  const [artifact] = readArtifacts("build.json", JSON.stringify(output));
  const map = artifact === undefined ? undefined : new SourceMap(artifact);

  it("names the line of an instruction, counting bytes, and repeats empty fields", () => {
    expect(map?.find(0)).toMatchObject({ path: "A.sol", line: 2, endLine: 2 });
    expect(map?.find(3)).toMatchObject({ line: 2 });
  });

  it("has no place for generated code, or for the data of a push", () => {
    expect(map?.find(4)).toBeUndefined();
    expect(map?.find(1)).toBeUndefined();
  });
});

function step(depth: number, op: string, stack: readonly string[]): Step {
  return { pc: 0, gas: 0, gasCost: 0, depth, op, stack, error: undefined };
}
