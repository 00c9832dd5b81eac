import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addToBloom, createBloom, isInBloom, mergeIntoBloom } from "./bloom.js";
import { loadCrypto } from "./crypto.js";

const values = fc.array(fc.uint8Array({ minLength: 20, maxLength: 32 }), { maxLength: 20 });

describe("bloom", () => {
  beforeAll(loadCrypto);

  it("sets three bits for a value, or fewer if they coincide", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (value) => {
        const bloom = bloomOf([value]);

        const bits = bloom.reduce(
          (sum, byte) => sum + byte.toString(2).replaceAll("0", "").length,
          0,
        );
        expect(bits).toBeGreaterThan(0);
        expect(bits).toBeLessThanOrEqual(3);
      }),
    );
  });

  it("contains every value that was added", () => {
    fc.assert(
      fc.property(values, (values) => {
        const bloom = bloomOf(values);

        expect(values.every((value) => isInBloom(bloom, value))).toBe(true);
      }),
    );
  });

  it("is initially empty", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (value) => {
        expect(isInBloom(createBloom(), value)).toBe(false);
      }),
    );
  });

  it("is the same whether values are added to one bloom or blooms are merged", () => {
    fc.assert(
      fc.property(values, values, (left, right) => {
        const merged = bloomOf(left);
        mergeIntoBloom(merged, bloomOf(right));

        expect(merged).toEqual(bloomOf([...left, ...right]));
      }),
    );
  });
});

function bloomOf(values: readonly Uint8Array[]): Uint8Array {
  const bloom = createBloom();
  for (const value of values) addToBloom(bloom, value);
  return bloom;
}
