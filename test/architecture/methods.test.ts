import { describe, expect, it } from "vitest";
import { registerShippedNode } from "../support/shipped-plugins.js";

const node = await registerShippedNode();

describe.each(node.methods().map((entry) => [entry.fullName, entry.method] as const))(
  "the declaration of %s",
  (_, { summary, params, result, example }) => {
    it("describes the method, its parameters and its result", () => {
      expect(summary).toMatch(/^[A-Z].*\.$/);
      expect(Object.keys(params).filter((name) => !/^[a-z][a-zA-Z]*$/.test(name))).toEqual([]);
      expect(result.schema).toBeTypeOf("object");
    });

    it("has a valid example, with a result that matches its codec", () => {
      const codecs = Object.values(params);

      expect(example).toBeDefined();
      expect(example?.params.length).toBeLessThanOrEqual(codecs.length);
      for (const [index, codec] of codecs.entries()) {
        expect(() => codec.decode(example?.params[index])).not.toThrow();
      }
      expect(() => result.decode(example?.result)).not.toThrow();
    });
  },
);
