import { describe, expect, it } from "vitest";
import { analyse, isHead } from "../program/program.js";
import { machineRulesOf } from "../program/rules.js";
import { generate } from "./generator.js";
import { RUN_TIME_NAMES } from "./run-time.js";

/** Everything that generated code names, besides its own constants and numbers. */
const NAMES = new Set([
  ...RUN_TIME_NAMES.split(", "),
  ..."const let if else for switch case default return continue throw new typeof".split(" "),
  ..."frame machine program stack memory targets blocks functions sp gas next".split(" "),
  ..."isWatched maxStackItems ip nextLook size view bytes reserve input returned".split(" "),
  ..."addressWord callerWord value length account transient get number bigint".split(" "),
  ..."Math floor BigInt Error there is no block true false".split(" "),
]);

function textOf(code: Uint8Array): string {
  const program = analyse(code, machineRulesOf("osaka"));
  const heads = Array.from(program.plain.keys()).filter((ip) =>
    isHead(program.plain[ip] as number),
  );
  return generate(
    program,
    heads.map((head, index) => ({ head, number: index + 1 })),
  );
}

describe("generated code", () => {
  it("has nothing of the code but numbers, whatever bytes it has", () => {
    let state = 7;
    const random = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 16;
    };
    for (let round = 0; round < 300; round += 1) {
      const code = Uint8Array.from({ length: 400 }, random);

      const words = textOf(code).match(/[A-Za-z_$][\w$]*|0x[0-9a-f]+n|\d+/g) ?? [];
      const others = words.filter(
        (word) => !NAMES.has(word) && !/^(v?\d+|0n|0x[0-9a-f]{14,64}n|n)$/.test(word),
      );

      expect(others).toEqual([]);
    }
  });

  it("grows with the code, not with its square", () => {
    const accesses = (count: number) =>
      Uint8Array.from([...Array(count).fill(0x58), ...Array(count).fill(0x51)]);

    const [short, long] = [textOf(accesses(100)).length, textOf(accesses(400)).length];

    expect(long).toBeLessThan(6 * short);
  });

  it("computes what is known, and masks without copies", () => {
    // PUSH1 2, PUSH1 3, ADD, CALLDATALOAD, PUSH20 with ones, AND, PUSH0, MSTORE
    const text = textOf(
      Uint8Array.from([
        0x60,
        2,
        0x60,
        3,
        0x01,
        0x35,
        0x73,
        ...Array(20).fill(0xff),
        0x16,
        0x5f,
        0x52,
      ]),
    );

    expect(text).toContain("inputWord(frame, 5)");
    expect(text).toContain(`v1 <= 0x${"f".repeat(40)}n ? v1 : and(`);
  });

  it("subtracts and rounds if a constant stands for a negative number", () => {
    // PUSH0, CALLDATALOAD, PUSH1 31, NOT, ADD, PUSH1 31, NOT, AND, PUSH0, MSTORE
    const text = textOf(
      Uint8Array.from([0x5f, 0x35, 0x60, 31, 0x19, 0x01, 0x60, 31, 0x19, 0x16, 0x5f, 0x52]),
    );

    expect(text).toContain(`typeof v1 === "number" && v1 >= 32 ? v1 - 32 : add(v1, 0x`);
    expect(text).toContain(`typeof v2 === "number" ? v2 - (v2 % 32) : and(v2, 0x`);
  });
});
