import { type Block, createBlock } from "@ethereumjs/block";
import type { Common } from "@ethereumjs/common";
import type { EVMResult } from "@ethereumjs/evm";
import { createTx, createTxFromRLP } from "@ethereumjs/tx";
import { createAddressFromString } from "@ethereumjs/util";
import { createVM, runTx, type VM } from "@ethereumjs/vm";
import {
  type Address,
  type BlockContext,
  type Crypto,
  type Evm,
  type EvmLog,
  type EvmOutcome,
  type EvmResult,
  type EvmTransaction,
  type Fork,
  findBytes,
  loadCrypto,
  type Message,
  toHex,
  type WorldState,
} from "@plinth/core";
import { createRules, settleRules } from "./common.js";
import { StateAdapter } from "./state-adapter.js";

/** Makes an EVM for a chain. */
export async function createEvm({ chainId }: { readonly chainId: bigint }): Promise<Evm> {
  return new EthereumJsEvm(chainId, await loadCrypto());
}

/** The fork is the core's to know, and so is what fits into a block. */
const UNCHECKED = { skipHardForkValidation: true, skipBlockGasLimitValidation: true };

interface On {
  readonly block: BlockContext;
  readonly state: WorldState;
}

/** One machine per fork; the state and the block are handed to it for each run. */
interface Machine {
  readonly vm: VM;
  readonly rules: Common;
  readonly state: StateAdapter;
  /** The block of the run under way, whose ancestors BLOCKHASH may ask for. */
  block: BlockContext | undefined;
}

class EthereumJsEvm implements Evm {
  readonly #chainId: bigint;
  readonly #crypto: Crypto;
  readonly #machines = new Map<Fork, Promise<Machine>>();

  constructor(chainId: bigint, crypto: Crypto) {
    this.#chainId = chainId;
    this.#crypto = crypto;
  }

  async runTransaction({ raw, sender, isUnsigned }: EvmTransaction, on: On): Promise<EvmResult> {
    const { vm, rules, state } = await this.#prepare(on);
    if (isUnsigned === true) state.takeForPlain(sender);
    const tx = createTxFromRLP(raw, { common: rules, freeze: false });
    // The sender was recovered when the transaction came in; recovering it again is the largest cost.
    const from = createAddressFromString(sender);
    tx.getSenderAddress = () => from;
    const result = await runTx(vm, {
      tx,
      block: toBlock(on.block, rules),
      ...UNCHECKED,
    });
    return toResult(result, result.totalGasSpent);
  }

  async runMessage(message: Message, on: On): Promise<EvmResult> {
    const { vm, rules, state } = await this.#prepare(on);
    const { from, to, ...fields } = message;
    state.takeForPlain(from);
    const tx = createTx(
      {
        ...(rules.isActivatedEIP(1559)
          ? { ...fields, type: 2, chainId: this.#chainId }
          : { ...fields, gasPrice: fields.maxFeePerGas }),
        nonce: on.state.findAccount(from)?.nonce ?? 0n,
        ...(to === undefined ? {} : { to: createAddressFromString(to) }),
      },
      { common: rules, freeze: false },
    );
    const sender = createAddressFromString(from);
    tx.getSenderAddress = () => sender;
    const block = toBlock(on.block, rules);
    const result = await runTx(vm, { tx, block, ...UNCHECKED });
    return toResult(result, result.totalGasSpent);
  }

  async #prepare({ block, state }: On): Promise<Machine> {
    const machine = await this.#machineFor(block.fork);
    machine.state.use(state);
    machine.block = block;
    return machine;
  }

  #machineFor(fork: Fork): Promise<Machine> {
    const known = this.#machines.get(fork);
    if (known !== undefined) return known;
    const made = this.#createMachine(fork);
    this.#machines.set(fork, made);
    return made;
  }

  async #createMachine(fork: Fork): Promise<Machine> {
    const rules = createRules(fork, this.#chainId, this.#crypto);
    const state = new StateAdapter();
    const hashOf = (number: bigint) => machine.block?.hashOf(number);
    const blockchain = {
      async getBlock(id: bigint | number | Uint8Array) {
        const hash = hashOf(BigInt(id as bigint)) ?? "0x";
        return { hash: () => findBytes(hash) ?? new Uint8Array() };
      },
      async putBlock() {},
      shallowCopy: () => blockchain,
    };
    const vm = await createVM({ common: rules, stateManager: state, blockchain });
    settleRules(rules);
    const machine: Machine = { vm, rules, state, block: undefined };
    return machine;
  }
}

function toBlock(context: BlockContext, rules: Common): Block {
  const { number, timestamp, gasLimit, difficulty, mixHash, feeRecipient } = context;
  const { baseFeePerGas, excessBlobGas } = context;
  const header = {
    number,
    timestamp,
    gasLimit,
    difficulty,
    mixHash,
    coinbase: feeRecipient,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas }),
  };
  return createBlock(
    { header },
    { common: rules, skipConsensusFormatValidation: true, freeze: false },
  );
}

function toResult({ execResult, createdAddress }: EVMResult, gasUsed: bigint): EvmResult {
  const { exceptionError, returnValue, logs = [] } = execResult;
  const outcome = outcomeOf(exceptionError?.error);
  return {
    outcome,
    gasUsed,
    returnValue,
    logs: outcome === "success" ? logs.map(toLog) : [],
    ...(outcome === "halted" ? { halt: String(exceptionError?.error) } : {}),
    ...(createdAddress === undefined ? {} : { createdAddress: toHex(createdAddress.bytes) }),
  };
}

function outcomeOf(error: string | undefined): EvmOutcome {
  if (error === undefined) return "success";
  return error === "revert" ? "reverted" : "halted";
}

function toLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): EvmLog {
  return { address: toHex(address) as Address, topics: topics.map(toHex), data };
}
