import { createNode, type Evm, evmDrivers } from "@plinth/core";
import evmEthereumJs from "@plinth/plugin-evm-ethereumjs";

/** The EVM that test nodes run on, for tests that need nothing else of a node. */
export async function createTestEvm(chain: { readonly chainId: bigint }): Promise<Evm> {
  const node = await createNode({ plugins: [evmEthereumJs] });
  return node.driver(evmDrivers, "ethereumjs").create(chain);
}
