import type { Block, SealedHeader } from "@plinth/core";
import { expect, it } from "vitest";
import { sealSent } from "./seal-sent.js";

it("names the record whose header the engine cannot read", () => {
  const seal = (): SealedHeader => {
    throw new RangeError("extraData: 3 bytes, expected 32 or more");
  };

  const sealing = () =>
    sealSent({ seal }, { header: {} } as Block, { name: "http://a", sequence: 7n });

  expect(sealing).toThrow("http://a: record 7: its header cannot be read: extraData: 3 bytes");
});
