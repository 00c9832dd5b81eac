import type { Evm } from "@plinth/core/evm";
import { describe, expect, it } from "vitest";
import { EvmPool } from "./evm-pool.js";

describe("a pool of EVMs", () => {
  it("creates as many as are in use at once, and reuses them", async () => {
    const { pool, made } = createPool(2);
    const first = await pool.take();
    const second = await pool.take();
    first[Symbol.dispose]();
    const third = await pool.take();

    expect(made).toHaveLength(2);
    expect(third.evm).toBe(first.evm);
    expect(third.evm).not.toBe(second.evm);
  });

  it("makes callers wait in order while all are in use", async () => {
    const { pool } = createPool(1);
    const first = await pool.take();
    const served: string[] = [];
    const later = ["second", "third"].map(async (name) => {
      using _ = await pool.take();
      served.push(name);
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(served).toEqual([]);

    first[Symbol.dispose]();
    await Promise.all(later);

    expect(served).toEqual(["second", "third"]);
  });

  it("frees the slot when one could not be created", async () => {
    let fails = true;
    const pool = new EvmPool(async () => {
      if (fails) throw new Error("no EVM");
      return {} as Evm;
    }, 1);

    await expect(pool.take()).rejects.toThrow("no EVM");
    fails = false;

    await expect(pool.take()).resolves.toMatchObject({ evm: {} });
  });
});

function createPool(most: number) {
  const made: Evm[] = [];
  const pool = new EvmPool(async () => {
    const evm = {} as Evm;
    made.push(evm);
    return evm;
  }, most);
  return { pool, made };
}
