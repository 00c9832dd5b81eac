import { createTestNode, type TestNode } from "@plinth/testing";
import { afterAll, describe, expect, it } from "vitest";
import { isConformanceMissing } from "../support/conformance.js";
import { readDocumentedCodes } from "../support/documented-codes.js";
import { loadShippedPlugins } from "../support/shipped-plugins.js";

/** Those that hold the chain of a test in their hands are for tests; subscriptions need a connection. */
const NAMESPACES = ["eth", "miner", "net", "plinth", "rpc", "trace", "txpool", "web3"];

/** Values that no parameter is meant to be, by what is wrong with them. */
const BAD: Readonly<Record<string, readonly unknown[]>> = {
  null: [null],
  "of a wrong type": [true, 1.5, {}, [], [[]], ""],
  huge: [`0x${"f".repeat(5000)}`, 2 ** 80, "9".repeat(100), "x".repeat(100_000)],
  negative: [-1, "-1", "-0x1", "0x-1"],
  "of a wrong length": ["0x", "0x0", `0x${"0".repeat(63)}`, `0x${"0".repeat(65)}`],
  "not hex": ["0xzz", "latest!", "0x1 ", " 0x1", "0x1\u0000"],
  unicode: ["ｌａｔｅｓｔ", "𝟎𝐱𝟏", "\ud800", "0x١"],
  nested: [
    { blockHash: { blockHash: "0x" } },
    [[[[["0x1"]]]]],
    { address: [{}], topics: [[[]]] },
    { __proto__: null, constructor: {} },
    { blockStateCalls: [{ calls: [{}], stateOverrides: { x: 1 } }] },
  ],
};

const node: TestNode = await createTestNode({
  plugins: (await loadShippedPlugins()).filter(({ name }) => !/^(storage|transport)/.test(name)),
});
const methods = node.node
  .methods()
  .filter(({ namespace, method }) => NAMESPACES.includes(namespace) && method.caller === "any");
const documented = isConformanceMissing ? undefined : readDocumentedCodes();

afterAll(() => node.stop());

/** Calls a method; fails when it did not end as the specification says it may. */
async function ask(name: string, params: readonly unknown[]): Promise<number | undefined> {
  const code = await node.rpc(name, params).then(
    () => undefined,
    (error) => error.code,
  );
  const said = `${name} ${JSON.stringify(params).slice(0, 300)}`;
  expect(code, said).not.toBe(-32603);
  if (code !== undefined) expect(documented?.has(code) ?? true, `${code}: ${said}`).toBe(true);
  return code;
}

describe.each(methods.map((entry) => [entry.fullName, entry.method] as const))(
  "%s",
  (name, { params, exactParams, example }) => {
    const count = Object.keys(params).length;
    const required = Object.values(params).filter(({ missing }) => missing === undefined).length;
    const given = example?.params ?? [];

    it("says so when parameters are missing", async () => {
      for (let length = 0; length < required; length++) {
        expect([-32602, -32600, -32604]).toContain(await ask(name, given.slice(0, length)));
      }
    });

    it("takes no notice of more parameters than it has, or says that they are too many", async () => {
      const padded = Array.from({ length: count }, (_, index) => given[index] ?? null);
      const code = await ask(name, [...padded, "more", {}]);
      if (exactParams) expect(code).toBe(-32602);
    });

    const cases = Object.keys(BAD).flatMap((kind) =>
      Object.keys(params).map((param, index) => ({ kind, param, index })),
    );

    it.each(cases)("answers when $param is $kind", async ({ kind, index }) => {
      for (const value of BAD[kind] ?? []) {
        const mutated = Array.from({ length: Math.max(given.length, index + 1) }, (_, place) =>
          place === index ? value : (given[place] ?? null),
        );
        await ask(name, mutated);
      }
    });
  },
);

describe("a node that was asked all of that", () => {
  it("answers as if nothing had been", async () => {
    expect(await node.rpc("eth_chainId")).toBe("0x539");
    expect(await node.rpc("eth_blockNumber")).toMatch(/^0x/);
  });
});
