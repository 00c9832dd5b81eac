import { hexToBytes } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { analyse, BEGIN, ISZERO_PUSH_JUMPI, PUSH_ADD, PUSH_JUMP, PUSH_JUMPI } from "./program.js";
import { Programs } from "./programs.js";
import { machineRulesOf } from "./rules.js";

const rules = machineRulesOf("cancun");
const programOf = (hex: string) => analyse(hexToBytes(hex), rules);

describe("the analysis of code", () => {
  it("has an operation per instruction, a BEGIN per region and a STOP at the end", () => {
    const { plain, positions, operands } = programOf("60055b620102035af1");

    expect([...plain]).toEqual([BEGIN, 0x60, 0x5b, 0x60, 0x5a, BEGIN, 0xf1, BEGIN, 0x00]);
    expect([...positions]).toEqual([0, 0, 2, 3, 7, 8, 8, 9, 9]);
    expect([operands[1], operands[3]]).toEqual([5, 0x010203]);
  });

  it("charges a region at its start", () => {
    // 3 + 3 + 3 + 2 for PUSH1, PUSH1, ADD, GAS.
    const { regionGas, regionNeeds, regionGrowth, rest } = programOf("60016002015a");

    expect(regionGas[0]).toBe(11);
    expect(regionNeeds[0]).toBe(0);
    expect(regionGrowth[0]).toBe(2);
    expect([...rest.subarray(1, 5)]).toEqual([8, 5, 2, 0]);
  });

  it("computes how deep a region reaches into the stack", () => {
    const { regionNeeds, regionGrowth } = programOf("50508182");

    expect([regionNeeds[0], regionGrowth[0]]).toEqual([4, 0]);
  });

  it("ignores a JUMPDEST in push data", () => {
    const { targets } = programOf("605b5b615b5b5b");

    expect([...targets].map((target) => target >= 0)).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it("pads a truncated PUSH with zeros", () => {
    expect(programOf("62ab").operands[1]).toBe(0xab0000);
  });

  it("treats instructions that the fork lacks as invalid", () => {
    expect(analyse(hexToBytes("5f"), machineRulesOf("paris")).plain[1]).toBe(0xfe);
    expect(programOf("5f").plain[1]).toBe(0x60);
  });

  it("fuses pushes with the next operation, if a jump has a valid target", () => {
    const { fused } = programOf("6001016009565b156006575b600157");

    expect([...fused].filter((op) => op >= BEGIN && op <= PUSH_ADD)).toContain(PUSH_ADD);
    expect([...fused]).not.toContain(PUSH_JUMP);
    expect([...programOf("600456005b").fused]).not.toContain(PUSH_JUMPI);
    expect([...programOf("6003565b").fused]).toContain(PUSH_JUMP);
    expect([...programOf("346004575b").fused]).not.toContain(ISZERO_PUSH_JUMPI);
    expect([...programOf("3415600557005b").fused]).not.toContain(PUSH_JUMPI);
    expect([...programOf("34156006575b5b").fused]).toContain(ISZERO_PUSH_JUMPI);
  });
});

describe("kept analyses", () => {
  it("are computed once", () => {
    const programs = new Programs(rules);
    let reads = 0;
    const read = () => {
      reads += 1;
      return hexToBytes("00");
    };

    expect(programs.of("0x01", read)).toBe(programs.of("0x01", read));
    expect(reads).toBe(1);
  });

  it("stay within their limit, and the least recently used are evicted", () => {
    const programs = new Programs(rules, 20_000);
    const read = () => new Uint8Array(100).fill(0x5b);
    for (let index = 0; index < 100; index += 1) {
      programs.of("0xaa", read);
      programs.of(`0x${index}`, read);
    }
    let isRead = false;
    programs.of("0xaa", () => {
      isRead = true;
      return read();
    });

    expect(isRead).toBe(false);
    expect(programs.bytes).toBeLessThanOrEqual(20_000);
  });
});
