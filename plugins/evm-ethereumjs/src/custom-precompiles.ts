import { type CustomPrecompile, EVMError, type ExecResult } from "@ethereumjs/evm";
import { createAddressFromString } from "@ethereumjs/util";
import type { Precompile, Precompiles } from "@plinth/core";

/** The form of EthereumJS for contracts that are functions of the node. */
export function toCustomPrecompiles(precompiles: Precompiles): CustomPrecompile[] {
  return [...precompiles].map(([address, precompile]) => ({
    address: createAddressFromString(address),
    function: ({ data, gasLimit }) => run(precompile, data, gasLimit),
  }));
}

function run(precompile: Precompile, data: Uint8Array, gasLimit: bigint): ExecResult {
  try {
    const { gasUsed, returnValue } = precompile({ data, gasLimit });
    if (gasUsed > gasLimit) return failed(gasLimit, EVMError.errorMessages.OUT_OF_GAS);
    return { executionGasUsed: gasUsed, returnValue };
  } catch {
    // By contract: a precompile refuses its input by throwing, on every node alike.
    return failed(gasLimit, EVMError.errorMessages.INVALID_INPUT_LENGTH);
  }
}

function failed(gasLimit: bigint, reason: EVMError["error"]): ExecResult {
  return {
    executionGasUsed: gasLimit,
    returnValue: new Uint8Array(),
    exceptionError: new EVMError(reason),
  };
}
