import { describe, expect, it } from "vitest";
import { isConformanceMissing } from "./conformance.js";
import { readPaper } from "./papers.js";

/** Tests of items of the contract, by their text in the product description. */
export type ContractRows<C> = Readonly<Record<string, (context: C) => Promise<void> | void>>;

/** A test for every item, and one that the description lists exactly these items. */
export function describeRows<C>(
  title: string,
  {
    rows,
    context,
    listed,
  }: {
    readonly rows: ContractRows<C>;
    /** The argument of each test. */
    readonly context: () => C;
    /** The items in the text of the description. */
    readonly listed: (seed: string) => readonly string[];
  },
): void {
  describe(title, () => {
    it.skipIf(isConformanceMissing)("match the description", () => {
      expect(Object.keys(rows).sort()).toEqual([...listed(readPaper("seed.md"))].sort());
    });

    it.each(Object.entries(rows))("%s", async (_, test) => {
      await test(context());
    });
  });
}
