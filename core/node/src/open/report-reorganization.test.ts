import type { HeadChanged, Logger } from "@plinth/core";
import { expect, it } from "vitest";
import { reportReorganization } from "./report-reorganization.js";

it.each([
  [
    "import",
    3,
    ["warn Chain Reorganization +1 new / -3 old: head #7 (0xab), common ancestor 0x01"],
  ],
  [
    "import",
    2,
    ["debug Chain Reorganization +1 new / -2 old: head #7 (0xab), common ancestor 0x01"],
  ],
  ["import", 0, []],
  ["rewind", 9, []],
] as const)("a change by %s that removes %i blocks is logged as %o", (cause, removed, lines) => {
  const logged: string[] = [];
  const log = {
    warn: (text: string) => logged.push(`warn ${text}`),
    debug: (text: string) => logged.push(`debug ${text}`),
  } as unknown as Logger;
  const change = {
    cause,
    head: { number: 7n, hash: "0xab" },
    added: [{ header: { parentHash: "0x01" } }],
    removed: Array.from({ length: removed }),
  } as unknown as HeadChanged;

  reportReorganization(change, { threshold: 2, log });

  expect(logged).toEqual(lines);
});
