import { describe, expect, it } from "vitest";
import { fromAnvil } from "./anvil-words.js";

describe("the options of Anvil", () => {
  it.each([
    ["-p 1 -b 2 -a 3", "--port 1 --block-time 2 --accounts 3"],
    ["-p1 -a=3", "--port=1 --accounts=3"],
    ["--port=1 --trace", "--port=1 --trace"],
    ["--silent", "--logging=OFF"],
    ["--silent=false --trace", "--trace"],
    ["--steps-tracing --port 1", "--port 1"],
    ["--disable-code-size-limit", "--code-size-limit=49152"],
    ["--order fees", "--tx-pool=LAYERED"],
    ["--order=fifo", "--tx-pool=SEQUENCED --tx-pool-limit-by-account-percentage=1"],
    ["--mnemonic=a=b", "--mnemonic=a=b"],
  ])("'%s' means '%s'", (typed, own) => {
    expect(fromAnvil(typed.split(" ")).join(" ")).toBe(own);
  });

  it.each([
    ["--order=random", "--order=random: expected fees or fifo"],
    ["--order", "--order=: expected fees or fifo"],
    ["--silent=perhaps", "--silent=perhaps: expected true or false"],
    ["--mixed-mining", "--mixed-mining is not supported: --block-time produces blocks by time"],
  ])("%s is rejected by name", (typed, text) => {
    expect(() => fromAnvil(typed.split(" "))).toThrow(text);
  });
});
