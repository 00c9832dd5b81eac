import type { Plugin } from "@plinth/core";
import { type Evm, type EvmChain, evmDrivers } from "@plinth/core/evm";
import { createNode } from "@plinth/node";
import evmEthereumJs from "@plinth/plugin-evm-ethereumjs";
import evmPlinth from "@plinth/plugin-evm-plinth";

/** The name of an EVM driver. */
export type EvmName = "plinth" | "ethereumjs";

/** The EVM plugins of test nodes. */
export const evms: readonly Plugin[] = [evmPlinth, evmEthereumJs];

/** The EVM driver of test nodes; `PLINTH_TEST_EVM` selects another. */
export const testEvm = (process.env.PLINTH_TEST_EVM ?? "plinth") as EvmName;

/** The EVM of test nodes, for tests that need nothing else of a node. */
export async function createTestEvm(
  chain: EvmChain,
  name: EvmName = testEvm,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Evm> {
  const node = await createNode({ plugins: evms, options });
  return node.driver(evmDrivers, name).create(chain);
}
