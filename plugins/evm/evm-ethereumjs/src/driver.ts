import { type Block, createBlock } from "@ethereumjs/block";
import type { Common } from "@ethereumjs/common";
import type { EVMResult } from "@ethereumjs/evm";
import { createAddressFromString } from "@ethereumjs/util";
import { createVM, type RunTxResult, runTx, type VM } from "@ethereumjs/vm";
import { type Address, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import type { AccessListEntry } from "@plinth/core/blocks";
import {
  type BareRun,
  type BlockContext,
  describeInvalidOpcode,
  type Evm,
  type EvmChain,
  type EvmLog,
  type EvmResult,
  type EvmTransaction,
  type Fork,
  type Message,
  type MessageWatch,
  type RunContext,
  type SystemCall,
} from "@plinth/core/evm";
import type { Crypto } from "@plinth/core/primitives";
import { precompilesAt } from "@plinth/kit-precompiles";
import { attachTracer } from "./attach-tracer.js";
import { guardBeneficiaries, runBare } from "./bare-run.js";
import { createRules, type RulesSettings, settleRules } from "./common.js";
import { toCustomPrecompiles, toProtocolPrecompiles } from "./custom-precompiles.js";
import { keepJumpAnalyses } from "./jump-analyses.js";
import { createMessageTx } from "./message-tx.js";
import { movePrecompiles } from "./moved-precompiles.js";
import { endedWith } from "./outcome.js";
import { Overflow } from "./overflow.js";
import { StateAdapter } from "./state-adapter.js";
import { TimeLimit } from "./time-limit.js";
import { createTransactionTx } from "./transaction-tx.js";
import { TransferLogs } from "./transfer-logs.js";
import { verifyStackSize } from "./verify-stack-size.js";

/** Creates an EVM for a chain. */
export async function createEvm(chain: EvmChain): Promise<Evm> {
  verifyStackSize(chain);
  return new EthereumJsEvm(chain, await loadCrypto());
}

/** EIP-4788: the system caller and its gas. */
const SYSTEM_ADDRESS = "0xfffffffffffffffffffffffffffffffffffffffe";
const SYSTEM_GAS = 30_000_000n;

/** The core determines the fork, and what fits into a block. */
const UNCHECKED = { skipHardForkValidation: true, skipBlockGasLimitValidation: true };

/** One machine per fork; the state and the block are set for each run. */
interface Machine {
  readonly vm: VM;
  readonly rules: Common;
  readonly state: StateAdapter;
  readonly limit: TimeLimit;
  /** The block of the current run, whose ancestors BLOCKHASH may request. */
  block: BlockContext | undefined;
}

class EthereumJsEvm implements Evm {
  readonly #chain: EvmChain;
  readonly #crypto: Crypto;
  readonly #machines = new Map<Fork, Promise<Machine>>();

  constructor(chain: EvmChain, crypto: Crypto) {
    this.#chain = chain;
    this.#crypto = crypto;
  }

  async runTransaction(transaction: EvmTransaction, on: RunContext): Promise<EvmResult> {
    const { vm, rules, state } = await this.#prepare(on);
    if (transaction.isUnsigned === true) state.takeForPlain(transaction.sender);
    const tx = createTransactionTx(transaction, rules);
    const block = toBlock(on.block, rules);
    const result = await this.#run(vm, on, () => runTx(vm, { tx, block, ...UNCHECKED }));
    return toResult(result, { gasUsed: result.totalGasSpent, fork: on.block.fork });
  }

  async runMessage(
    message: Message,
    {
      watch = {},
      bare,
      ...on
    }: RunContext & { readonly watch?: MessageWatch; readonly bare?: BareRun },
  ): Promise<EvmResult> {
    if (bare !== undefined) return this.#runBare(message, bare, on);
    const { vm, rules, state } = await this.#prepare(on);
    const { from } = message;
    state.takeForPlain(from);
    const nonce = on.state.findAccount(from)?.nonce ?? 0n;
    const tx = createMessageTx(message, { rules, nonce, chainId: this.#chain.chainId });
    const block = toBlock(on.block, rules);
    const { recordsAccess = false } = watch;
    const restore = movePrecompiles(vm, watch.movedPrecompiles);
    const transfers = watch.recordsTransfers === true ? new TransferLogs(vm) : undefined;
    try {
      const settings = { tx, block, reportAccessList: recordsAccess, ...UNCHECKED };
      const result = await this.#run(vm, on, () => runTx(vm, settings));
      return {
        ...toResult(result, { gasUsed: result.totalGasSpent, fork: on.block.fork, transfers }),
        gasBeforeRefund: gasBeforeRefund(result, tx.getIntrinsicGas()),
        ...(recordsAccess ? { accessList: accessListOf(result) } : {}),
      };
    } finally {
      transfers?.stop();
      restore();
    }
  }

  async runSystemCall({ to, data }: SystemCall, on: RunContext): Promise<EvmResult> {
    const { vm, rules } = await this.#prepare(on);
    const { evm } = vm;
    const result = await this.#run(vm, on, async () => {
      await evm.journal.cleanup();
      await evm.journal.checkpoint();
      const called = await evm.runCall({
        caller: createAddressFromString(SYSTEM_ADDRESS),
        to: createAddressFromString(to),
        data,
        gasLimit: SYSTEM_GAS,
        block: toBlock(on.block, rules),
        skipNonceIncrement: true,
      });
      await evm.journal.commit();
      // Removes the caller again, which was touched and is empty.
      await evm.journal.cleanup();
      return called;
    });
    const { executionGasUsed: gasUsed } = result.execResult;
    return toResult(result, { gasUsed, fork: on.block.fork });
  }

  async #runBare(message: Message, bare: BareRun, on: RunContext): Promise<EvmResult> {
    const { vm, rules } = await this.#prepare(on);
    const block = toBlock(on.block, rules);
    const result = await this.#run(vm, on, () => runBare(vm, { message, bare, block }));
    const { executionGasUsed: gasUsed } = result.execResult;
    return toResult(result, { gasUsed, fork: on.block.fork });
  }

  /** Runs something, with a tracer if there is one. */
  async #run<T>(vm: VM, { tracer, block }: RunContext, run: () => Promise<T>): Promise<T> {
    const detach = tracer && attachTracer(vm, tracer);
    try {
      return await run();
    } catch (error) {
      // Aborted in the middle: the machine's memory of the run must not leak into the next one.
      this.#machines.delete(block.fork);
      throw error instanceof Overflow ? error.cause : error;
    } finally {
      detach?.();
    }
  }

  async #prepare({ block, state, maxMs }: RunContext): Promise<Machine> {
    const machine = await this.#machineFor(block);
    machine.state.use(state);
    machine.limit.start(maxMs);
    machine.block = block;
    return machine;
  }

  #machineFor({ fork, maxCodeBytes }: BlockContext): Promise<Machine> {
    const known = this.#machines.get(fork);
    if (known !== undefined) return known;
    const made = this.#createMachine({
      fork,
      maxCodeBytes,
      chainId: this.#chain.chainId,
      crypto: this.#crypto,
    });
    this.#machines.set(fork, made);
    return made;
  }

  async #createMachine(settings: RulesSettings): Promise<Machine> {
    const rules = createRules(settings);
    const state = new StateAdapter();
    const hashOf = (number: bigint) => machine.block?.hashOf(number);
    const blockchain = {
      async getBlock(id: bigint | number | Uint8Array) {
        const hash = hashOf(BigInt(id as bigint)) ?? "0x";
        return { hash: () => hexToBytes(hash) };
      },
      async putBlock() {},
      shallowCopy: () => blockchain,
    };
    const limit = new TimeLimit(this.#chain.maxRunMs, this.#chain.interrupt);
    // Those of the chain come last: EthereumJS keeps the last one at an address.
    const customPrecompiles = [
      ...toProtocolPrecompiles(precompilesAt(settings.fork), limit.verify),
      ...toCustomPrecompiles(this.#chain.precompilesAt?.(settings.fork) ?? new Map()),
    ];
    const vm = await createVM({
      common: rules,
      stateManager: state,
      blockchain,
      evmOpts: { customPrecompiles },
    });
    settleRules(rules, { ...settings, tick: limit.tick });
    keepJumpAnalyses(vm);
    guardBeneficiaries(vm, (address) => state.isReadOnly(address));
    const machine: Machine = { vm, rules, state, limit, block: undefined };
    return machine;
  }
}

function toBlock(context: BlockContext, rules: Common): Block {
  const { number, timestamp, gasLimit, difficulty, mixHash, feeRecipient } = context;
  const { baseFeePerGas, blobBaseFee } = context;
  const header = {
    number,
    timestamp,
    gasLimit,
    difficulty,
    mixHash,
    coinbase: feeRecipient,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
  };
  const block = createBlock(
    { header },
    { common: rules, skipConsensusFormatValidation: true, freeze: false },
  );
  // The price follows from a schedule of the core.
  if (blobBaseFee !== undefined) block.header.getBlobGasPrice = () => blobBaseFee;
  return block;
}

function toResult(
  { execResult, createdAddress }: EVMResult,
  {
    gasUsed,
    fork,
    transfers,
  }: {
    readonly gasUsed: bigint;
    readonly fork: Fork;
    readonly transfers?: TransferLogs | undefined;
  },
): EvmResult {
  const { exceptionError, returnValue, logs = [] } = execResult;
  const ended = endedWith(exceptionError?.error);
  const kept = ended.outcome === "success" ? logs : [];
  const own = transfers === undefined ? kept : kept.filter((log) => !transfers.includes(log));
  const haltDetail =
    ended.halt === "INVALID_OPERATION" ? describeInvalid(execResult, fork) : undefined;
  return {
    ...ended,
    ...(haltDetail === undefined ? {} : { haltDetail }),
    gasUsed,
    returnValue,
    logs: own.map(toLog),
    ...(transfers === undefined
      ? {}
      : {
          logsWithTransfers: kept.map((log) => ({ ...toLog(log), index: transfers.indexOf(log) })),
          logsTraced: transfers.count,
        }),
    ...(createdAddress === undefined ? {} : { createdAddress: toHex(createdAddress.bytes) }),
  };
}

/** The floor of EIP-7623 may exceed the gas spent. */
function gasBeforeRefund({ execResult, totalGasSpent }: RunTxResult, intrinsic: bigint): bigint {
  const spent = execResult.executionGasUsed + intrinsic;
  return spent > totalGasSpent ? spent : totalGasSpent;
}

/** Omits contracts that the run created: they did not exist before it. */
function accessListOf({ accessList = [], execResult }: RunTxResult): readonly AccessListEntry[] {
  const { createdAddresses } = execResult;
  return accessList.filter(
    ({ address }) => createdAddresses?.has(address) !== true,
  ) as AccessListEntry[];
}

function toLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): EvmLog {
  return { address: toHex(address) as Address, topics: topics.map(toHex), data };
}

function describeInvalid({ runState }: EVMResult["execResult"], fork: Fork): string | undefined {
  if (runState === undefined) return undefined;
  const address = toHex(runState.env.address.bytes);
  return describeInvalidOpcode({ byte: runState.opCode, address }, fork);
}
