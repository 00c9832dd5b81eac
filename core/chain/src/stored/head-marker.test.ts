import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { HEAD_MARKER_FILE, HeadMarker } from "./head-marker.js";

const folder = mkdtempSync(join(tmpdir(), "plinth-marker-"));
afterAll(() => rmSync(folder, { recursive: true }));

const head = {
  number: 5n,
  hash: "0x01",
  genesisHash: "0x02",
  chainId: 2n ** 60n,
  storage: "leveldb",
  format: 2,
} as const;

describe("the head marker", () => {
  it("contains what was written last", async () => {
    const marker = new HeadMarker(folder);
    await marker.write({ ...head, number: 4n });
    await marker.write(head);

    expect(await new HeadMarker(folder).read()).toEqual(head);
  });

  it("is reported as missing", async () => {
    expect(await new HeadMarker(join(folder, "none")).read()).toBe("missing");
  });

  it.each(["", "{", '{"number":"5"}'])("is reported as damaged: %s", async (text) => {
    writeFileSync(join(folder, HEAD_MARKER_FILE), text);

    expect(await new HeadMarker(folder).read()).toBe("damaged");
  });

  it("is reported as damaged if a digit was changed", async () => {
    const marker = new HeadMarker(folder);
    await marker.write(head);
    const text = readFileSync(marker.path, "utf8");
    writeFileSync(marker.path, text.replace('"5"', '"4"'));

    expect(await marker.read()).toBe("damaged");
  });
});
