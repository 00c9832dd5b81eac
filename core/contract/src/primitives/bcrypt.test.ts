import { bcryptVerify } from "hash-wasm";
import { describe, expect, it } from "vitest";
import { hashPassword } from "./bcrypt.js";

describe("hashPassword", () => {
  it("makes a hash that verifies this password and no other", async () => {
    const hash = await hashPassword("pässword", 4);

    expect(await bcryptVerify({ password: "pässword", hash })).toBe(true);
    expect(await bcryptVerify({ password: "password", hash })).toBe(false);
  });

  it("has a salt of its own each time", async () => {
    expect(await hashPassword("same", 4)).not.toBe(await hashPassword("same", 4));
  });
});
