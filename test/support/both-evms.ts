import type { Evm } from "@plinth/core/evm";
import { createTestEvm, createTestNode, type TestNode } from "@plinth/testing";
import { CHAIN_ID } from "./evm-cases.js";

/** The two EVMs, and a node whose states they run on. */
export interface BothEvms {
  readonly node: TestNode;
  readonly own: Evm;
  /** Ours, which compiles all code. */
  readonly compiling: Evm;
  readonly stock: Evm;
}

/** Opens both for the chain of the cases; the caller stops the node. */
export async function openBothEvms(): Promise<BothEvms> {
  return {
    node: await createTestNode(),
    own: await createTestEvm({ chainId: CHAIN_ID }, "plinth", { evmCompile: "NEVER" }),
    compiling: await createTestEvm({ chainId: CHAIN_ID }, "plinth", { evmCompile: "ALWAYS" }),
    stock: await createTestEvm({ chainId: CHAIN_ID }, "ethereumjs"),
  };
}

/** Maximum number of reported differences. */
const MOST_REPORTED = 5;

/** Compares the results of two EVMs for each of some seeds; returns the first differences. */
export async function findDifferences<T extends object>(
  seeds: Iterable<number>,
  compare: (seed: number) => Promise<T | undefined>,
): Promise<readonly T[]> {
  const differences: T[] = [];
  for (const seed of seeds) {
    const difference = await compare(seed);
    if (difference !== undefined) differences.push(difference);
    if (differences.length >= MOST_REPORTED) break;
  }
  return differences;
}

/** This many seeds from a first one on. */
export function* seedsFrom(first: number, count: number): Iterable<number> {
  for (let seed = first; seed < first + count; seed += 1) yield seed;
}
