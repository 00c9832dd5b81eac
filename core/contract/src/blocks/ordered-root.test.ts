import { createMPT } from "@ethereumjs/mpt";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { loadCrypto } from "../primitives/crypto.js";
import { toHex } from "../primitives/hex.js";
import { encodeRlp } from "../primitives/rlp.js";
import { scalarBytes } from "./fields.js";
import { orderedRoot } from "./ordered-root.js";

describe("the root of a list", () => {
  beforeAll(loadCrypto);

  it("is the empty trie root for an empty list", async () => {
    expect(orderedRoot([])).toBe(await expectedRoot([]));
  });

  it("equals the root of @ethereumjs/mpt", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { maxLength: 40 }),
        async (values) => {
          expect(orderedRoot(values)).toBe(await expectedRoot(values));
        },
      ),
      { numRuns: 50 },
    );
  });

  // Keys change their length at 128 and 256; short nodes are embedded in their parent.
  it.each([1, 2, 16, 17, 127, 128, 129, 130, 255, 256, 257, 300])(
    "equals the trie root for %d short and long values",
    async (length) => {
      const short = Array.from({ length }, (_, index) => Uint8Array.of(1 + (index % 100)));
      const long = Array.from({ length }, (_, index) => new Uint8Array(40).fill(1 + (index % 250)));

      expect(orderedRoot(short)).toBe(await expectedRoot(short));
      expect(orderedRoot(long)).toBe(await expectedRoot(long));
    },
  );
});

async function expectedRoot(values: readonly Uint8Array[]): Promise<string> {
  const trie = await createMPT();
  for (const [index, value] of values.entries()) {
    await trie.put(encodeRlp(scalarBytes(BigInt(index))), value);
  }
  return toHex(trie.root());
}
