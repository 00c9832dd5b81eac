import { describe, expect, it } from "vitest";
import { registerShippedNode } from "../support/shipped-plugins.js";

const node = await registerShippedNode();

describe.each(node.commands().map(({ item }) => [item.id, item] as const))(
  "the command %s",
  (id, { summary, examples = [], flags }) => {
    it("describes itself and each of its flags", () => {
      for (const text of [summary, ...Object.values(flags).map((flag) => flag.summary)]) {
        expect(text).toMatch(/^[A-Z].*\.$/);
      }
    });

    it("has examples with valid flags", () => {
      const known = new Set(Object.keys(flags));

      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        const [, own] = example.split(` ${id}`);
        expect(own).toBeDefined();
        const used = [...(own ?? "").matchAll(/--([\w-]+)/g)].map(([, name = ""]) => toKey(name));
        expect(used.filter((key) => !known.has(key))).toEqual([]);
      }
    });
  },
);

describe("a command that may take long", () => {
  it.each([
    ...["db verify", "db repair", "db backup", "db restore"],
    ...["snapshot create", "snapshot verify"],
    ...["blocks import", "blocks export", "up"],
  ])("states its duration: %s", (id) => {
    const { summary } = node.commands().find(({ item }) => item.id === id)?.item ?? {};

    expect(summary).toMatch(/takes as long as|takes about|after a few seconds/);
  });
});

function toKey(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
