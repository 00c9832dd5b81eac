import { type CustomPrecompile, EVMError, type ExecResult } from "@ethereumjs/evm";
import { createAddressFromString } from "@ethereumjs/util";
import { PlinthError } from "@plinth/core";
import { runSteps } from "@plinth/core/async";
import type { Precompile, Precompiles } from "@plinth/core/evm";
import { InvalidInput, type PrecompiledContract } from "@plinth/kit-precompiles";

/** Native contracts in EthereumJS's form. */
export function toCustomPrecompiles(precompiles: Precompiles): CustomPrecompile[] {
  return [...precompiles].map(([address, precompile]) => ({
    address: createAddressFromString(address),
    function: ({ data, gasLimit }) => run(precompile, data, gasLimit),
  }));
}

/**
 * Precompiles of the protocol in EthereumJS's form, replacing its own.
 *
 * An error thrown by `interrupt` ends the run.
 */
export function toProtocolPrecompiles(
  contracts: readonly PrecompiledContract[],
  interrupt: () => void,
): CustomPrecompile[] {
  return contracts.map((contract) => ({
    address: createAddressFromString(contract.address),
    function: ({ data, gasLimit }) => runContract(contract, { data, gasLimit, interrupt }),
  }));
}

async function runContract(
  contract: PrecompiledContract,
  {
    data,
    gasLimit,
    interrupt,
  }: {
    readonly data: Uint8Array;
    readonly gasLimit: bigint;
    readonly interrupt: () => void;
  },
): Promise<ExecResult> {
  const executionGasUsed = contract.gas(data);
  if (executionGasUsed > gasLimit) return failed(gasLimit, EVMError.errorMessages.OUT_OF_GAS);
  const compute = await contract.load();
  try {
    return { executionGasUsed, returnValue: runSteps(compute(data), interrupt) };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return failed(gasLimit, EVMError.errorMessages.INVALID_INPUTS);
  }
}

function run(precompile: Precompile, data: Uint8Array, gasLimit: bigint): ExecResult {
  try {
    const { gasUsed, returnValue } = precompile({ data, gasLimit });
    if (gasUsed > gasLimit) return failed(gasLimit, EVMError.errorMessages.OUT_OF_GAS);
    return { executionGasUsed: gasUsed, returnValue };
  } catch (error) {
    if (error instanceof PlinthError) throw error;
    // By contract: a precompile rejects its input by throwing, on every node alike.
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
