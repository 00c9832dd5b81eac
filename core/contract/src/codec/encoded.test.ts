import { describe, expect, it } from "vitest";
import { DecodeError } from "./codec.js";
import { t } from "./ethereum.js";

describe("a result that is already encoded", () => {
  const shape = t.object({ number: t.quantity });
  const codec = t.encoded(shape);

  it("is unchanged, and described by its shape", () => {
    const json = { number: "0x5", more: true };

    expect(codec.encode(json)).toBe(json);
    expect(codec.decode(json)).toBe(json);
    expect(codec.schema).toBe(shape.schema);
  });

  it("does not compile with another shape", () => {
    expect(() => codec.decode({ number: 5 })).toThrowError(DecodeError);
  });

  it("may be missing if its shape may", () => {
    expect(t.encoded(t.optional(shape)).decode(null)).toBeNull();
    expect(() => codec.decode(null)).toThrowError(DecodeError);
  });
});
