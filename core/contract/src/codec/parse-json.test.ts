import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonTooComplex, MAX_JSON_DEPTH, parseJson } from "./parse-json.js";

/** Disables the shortcuts for texts that cannot be nested too deeply. */
const PADDING = `"${"[".repeat(2 * MAX_JSON_DEPTH)}"`;

/** Characters relevant to the scan, also in escapes and in pairs. */
const hostileText = fc.string({
  unit: fc.constantFrom("[", "]", "{", "}", '"', "\\", '\\"', "\\\\", "a", "é", "中", "😀", "\n"),
});

/** The nesting depth of a value, by walking it. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function nest(depth: number, inner: string, { open = "[", close = "]" } = {}): string {
  return open.repeat(depth) + inner + close.repeat(depth);
}

function isRefused(text: string): boolean {
  try {
    parseJson(text);
  } catch (error) {
    return error instanceof JsonTooComplex;
  }
  return false;
}

describe("JSON of untrusted senders", () => {
  it("may contain an object with at most 65,536 members", () => {
    const object = (count: number) =>
      `{${Array.from({ length: count }, (_, n) => `"k${n}":"a:b"`).join()}}`;

    expect(isRefused(object(65_536))).toBe(false);
    expect(isRefused(object(65_537))).toBe(true);
    expect(isRefused(`[${object(1)},${object(65_537)}]`)).toBe(true);
    // Many small ones are harmless.
    const small = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`;
    expect(isRefused(`[${Array.from({ length: 40_000 }, () => small).join()}]`)).toBe(false);
  });

  it("is parsed like JSON.parse", () => {
    const wrapped = fc.oneof(
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(wrapped, hostileText, (json, text) => {
        const body = `[${PADDING},${JSON.stringify(text)},${json}]`;

        expect(parseJson(body)).toEqual(JSON.parse(body));
      }),
    );
  });

  it("is rejected exactly above the limit, whatever its strings contain", () => {
    const value = fc.object({ key: hostileText, values: [hostileText, fc.integer()], maxDepth: 6 });
    fc.assert(
      fc.property(value, hostileText, fc.integer({ min: -8, max: 1 }), (inner, text, more) => {
        const depth = MAX_JSON_DEPTH + more;
        const around = nest(depth - 1, `${JSON.stringify(text)},${JSON.stringify(inner)}`);
        const body = `[${PADDING},${around}]`;

        expect(isRefused(body)).toBe(depth + depthOf(inner) > MAX_JSON_DEPTH);
      }),
    );
  });

  it.each([
    ["lists", nest(MAX_JSON_DEPTH, "")],
    ["objects", nest(MAX_JSON_DEPTH, "1", { open: '{"a":', close: "}" })],
    [
      "objects with brackets in their keys",
      nest(MAX_JSON_DEPTH, "1", { open: '{"[\\"{":', close: "}" }),
    ],
  ])("is accepted at the limit and rejected above it: %s", (_, atLimit) => {
    expect(isRefused(atLimit)).toBe(false);
    expect(() => parseJson(`[${atLimit}]`)).toThrow(JsonTooComplex);
  });

  it("is rejected like JSON.parse when it is truncated", () => {
    const body = `[${PADDING},${nest(900, '"\\\\\\"[[\\u005b"')},${nest(200, "{}")}]`;
    fc.assert(
      fc.property(fc.nat(body.length - 1), (length) => {
        expect(() => parseJson(body.slice(0, length))).toThrow(SyntaxError);
      }),
    );
  });

  it.each([
    ["that is not closed", "[".repeat(5_000_000)],
    ["with many short lists", `[${"[],".repeat(1_000_000)}0]`],
    ["with many lists of low depth", `[${`${nest(64, "")},`.repeat(40_000)}0]`],
    ["with many objects", `[${'{"a":0},'.repeat(500_000)}0]`],
  ])("is rejected before parsing: a large text %s", (_, body) => {
    expect(() => parseJson(body)).toThrow(JsonTooComplex);
  });

  it.each([
    ["16,000 calls", { id: 1, method: "eth_blockNumber", params: [] }],
    ["16,000 short calls", { id: 1, method: "eth_chainId" }],
    ["16,000 traced calls", [{ to: `0x${"00".repeat(20)}` }, ["trace"]]],
  ])("may be a large batch: %s", (_, call) => {
    const batch = Array(16_000).fill(call);

    expect(parseJson(JSON.stringify(batch))).toEqual(batch);
  });

  it("takes linear time, whatever the escapes", () => {
    const many = `[${"{},".repeat(MAX_JSON_DEPTH)}"`;
    const start = performance.now();

    for (const text of ["\\", '\\"', "\\\\"])
      expect(isRefused(many + text.repeat(1_000_000))).toBe(false);

    expect(performance.now() - start).toBeLessThan(2000);
  });
});
