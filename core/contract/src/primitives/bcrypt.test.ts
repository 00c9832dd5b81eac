import { bcryptVerify } from "hash-wasm";
import { describe, expect, it } from "vitest";
import { hashPassword } from "./bcrypt.js";

describe("hashPassword", () => {
  it("creates a hash that matches only this password", async () => {
    const hash = await hashPassword("pässword", 4);

    expect(await bcryptVerify({ password: "pässword", hash })).toBe(true);
    expect(await bcryptVerify({ password: "password", hash })).toBe(false);
  });

  it("has a new salt each time", async () => {
    expect(await hashPassword("same", 4)).not.toBe(await hashPassword("same", 4));
  });
});
