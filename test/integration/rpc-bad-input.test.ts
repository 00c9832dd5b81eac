import { createTestNode, type TestNode } from "@plinth/testing";
import { afterAll, describe, expect, it } from "vitest";
import { isConformanceMissing } from "../support/conformance.js";
import { readDocumentedCodes } from "../support/documented-codes.js";
import { loadShippedPlugins } from "../support/shipped-plugins.js";

/** Invalid values for every parameter, by what is wrong with them. */
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

/** Against hanging only. */
const TIMEOUT_MS = 300_000;

const node: TestNode = await createTestNode({
  plugins: (await loadShippedPlugins()).filter(
    ({ name }) => !/^(storage|transport|network-devp2p)/.test(name),
  ),
});
/** Subscriptions need a connection. */
const methods = node.node.methods().filter(({ method }) => method.caller === "any");
/** Namespaces whose codes the specification lists; those of test chains have their own. */
const DOCUMENTED = ["eth", "miner", "net", "plinth", "rpc", "trace", "txpool", "web3"];
const documented = isConformanceMissing ? undefined : readDocumentedCodes();

afterAll(() => node.stop());

/** Calls a method; fails if the outcome is not allowed by the specification. */
async function ask(name: string, params: readonly unknown[]): Promise<number | undefined> {
  const error = await node.rpc(name, params).then(
    () => undefined,
    (thrown) => thrown,
  );
  const said = `${name} ${JSON.stringify(params).slice(0, 300)}`;
  const isUnexplained = error?.message === "Internal error" && error.data === undefined;
  expect(isUnexplained, said).toBe(false);
  const isListed = DOCUMENTED.includes(name.split("_")[0] ?? "");
  if (error !== undefined && isListed) {
    expect(documented?.has(error.code) ?? true, `${error.code}: ${said}`).toBe(true);
  }
  return error?.code;
}

/** The parameters of the example with one of them replaced. */
function replaced(given: readonly unknown[], index: number, value: unknown): readonly unknown[] {
  return Array.from({ length: Math.max(given.length, index + 1) }, (_, place) =>
    place === index ? value : (given[place] ?? null),
  );
}

describe("bad parameters", () => {
  it.each(methods.map((entry) => [entry.fullName, entry.method] as const))(
    "of %s get a response",
    async (name, { params, exactParams, takesRest, example }) => {
      const declared = Object.values(params);
      const given = example?.params ?? [];
      const needed = declared.filter(({ missing }) => missing === undefined).length;
      const required = takesRest ? needed - 1 : needed;
      for (let length = 0; length < required; length++) {
        expect([-32602, -32600, -32604]).toContain(await ask(name, given.slice(0, length)));
      }
      const padded = declared.map((_, index) => given[index] ?? null);
      const code = await ask(name, [...padded, "more", {}]);
      if (exactParams) expect(code).toBe(-32602);
      for (const index of declared.keys()) {
        for (const value of Object.values(BAD).flat())
          await ask(name, replaced(given, index, value));
      }
    },
    TIMEOUT_MS,
  );
});

describe("a node after all of these requests", () => {
  it("responds as if nothing had happened", async () => {
    expect(await node.rpc("eth_chainId")).toBe("0x539");
    expect(await node.rpc("eth_blockNumber")).toMatch(/^0x/);
  });
});
