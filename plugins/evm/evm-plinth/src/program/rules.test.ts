import { NEWEST_FORK, rulesOf } from "@plinth/core/evm";
import { expect, it } from "vitest";
import { BEGIN, ISZERO_PUSH_JUMPI, PUSH_ADD, PUSH_JUMP, PUSH_JUMPI } from "./program.js";

it("no fork has an instruction on an opcode that the interpreter uses internally", () => {
  const own = [BEGIN, PUSH_JUMP, PUSH_JUMPI, PUSH_ADD, ISZERO_PUSH_JUMPI];

  const names = Object.entries(rulesOf(NEWEST_FORK).opcodes)
    .filter(([, [byte]]) => own.includes(byte))
    .map(([name]) => name);

  expect(names).toEqual([]);
});
