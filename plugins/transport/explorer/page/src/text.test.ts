import { describe, expect, it } from "vitest";
import { shorten, visible } from "./text.js";

describe("text that is shown", () => {
  it.each([
    ["a direction override", "a\u202eb", "a\\u{202e}b"],
    ["an isolate", "\u2066x\u2069", "\\u{2066}x\\u{2069}"],
    ["an invisible space", "a\u200bb", "a\\u{200b}b"],
    ["a control character", "a\u0000\u001bb", "a\\u{0}\\u{1b}b"],
    ["a byte order mark", "\ufeffa", "\\u{feff}a"],
    ["half of a character", "a\ud800", "a\\u{d800}"],
    ["a tag character", "\u{e0041}", "\\u{e0041}"],
    ["a line separator", "a\u2028b", "a\\u{2028}b"],
  ])("has %s escaped", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it.each(["Größe", "价格", "سعر", "a\nb\tc", "<b>&amp;", "😀"])("has %s as it is", (text) => {
    expect(visible(text)).toBe(text);
  });

  it("is cut", () => {
    const shown = visible("x".repeat(5_000_000));

    expect(shown.length).toBeLessThan(4100);
    expect(shown).toContain("5000000 characters in all");
  });

  it("has no towers of marks", () => {
    expect(visible(`e${"\u0301".repeat(500)}`).length).toBeLessThan(10);
  });
});

it("hex is shortened in its middle", () => {
  expect(shorten("0x1234567890abcdef")).toBe("0x1234…cdef");
  expect(shorten("0x1234")).toBe("0x1234");
});
