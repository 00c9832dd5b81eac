import { method, t } from "@plinth/core";
import type { RegisteredMethod } from "@plinth/core/rpc";
import { describe, expect, it } from "vitest";
import { describeMethods } from "./open-rpc.js";

const about = { title: "Plinth JSON-RPC", version: "1.2.3" };

describe("the OpenRPC document", () => {
  it("has an info object", () => {
    expect(describeMethods([], about)).toEqual({ openrpc: "1.2.6", info: about, methods: [] });
  });

  it("describes a method by its declaration", () => {
    const gasUsed = method({
      summary: "Sums the gas used by the latest blocks.",
      params: { to: t.quantity, blocks: t.optional(t.quantity, 10n) },
      result: t.object({ gasUsed: t.quantity }),
      handle: () => ({ gasUsed: 0n }),
    });

    const { methods } = describeMethods([registered("gasUsed", gasUsed)], about);

    expect(methods).toEqual([
      {
        name: "chainstats_gasUsed",
        summary: "Sums the gas used by the latest blocks.",
        paramStructure: "by-position",
        params: [
          { name: "to", required: true, schema: t.quantity.schema },
          { name: "blocks", required: false, schema: t.quantity.schema },
        ],
        result: {
          name: "result",
          schema: {
            type: "object",
            properties: { gasUsed: t.quantity.schema },
            required: ["gasUsed"],
          },
        },
      },
    ]);
  });

  it("keeps the order of the methods and can be serialized as JSON", () => {
    const made = method({ summary: "A method.", result: t.text, handle: () => "" });

    const document = describeMethods([registered("b", made), registered("a", made)], about);

    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    expect(document).toMatchObject({
      methods: [{ name: "chainstats_b" }, { name: "chainstats_a" }],
    });
  });
});

function registered(name: string, made: RegisteredMethod["method"]): RegisteredMethod {
  return {
    fullName: `chainstats_${name}`,
    namespace: "chainstats",
    name,
    plugin: "rpc-chainstats",
    exposure: "listed",
    isRewritten: false,
    method: made,
  };
}
