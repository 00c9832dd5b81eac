import { type Address, type Hash, loadCrypto } from "@plinth/core";
import type {
  BareRun,
  Evm,
  EvmChain,
  EvmResult,
  EvmTransaction,
  Fork,
  Message,
  MessageWatch,
  RunContext,
  SystemCall,
} from "@plinth/core/evm";
import { type Frame, splitGas } from "./interpreter/frame.js";
import { execute } from "./interpreter/interpreter.js";
import { Machine, type MachineResult } from "./interpreter/machine.js";
import { loadLongKeccak } from "./long-keccak.js";
import { moveContracts, type NativeContracts, nativeContractsAt } from "./native-contracts.js";
import type { Compiler } from "./program/compiler.js";
import { programsOf } from "./program/programs.js";
import { machineRulesOf } from "./program/rules.js";
import { toResult } from "./result.js";
import { Substate } from "./substate.js";
import { TimeLimit } from "./time-limit.js";
import {
  cleanUp,
  type Envelope,
  finishTransaction,
  fromMessage,
  fromTransaction,
  prepareTransaction,
  prewarm,
  prewarmBare,
} from "./transaction.js";

/** Creates an EVM for a chain; without a compiler it only interprets. */
export async function createEvm(chain: EvmChain, compiler?: Compiler): Promise<Evm> {
  await Promise.all([loadCrypto(), loadLongKeccak()]);
  return new PlinthEvm(chain, compiler);
}

/** EIP-4788: the system caller and its gas. */
const SYSTEM_ADDRESS = "0xfffffffffffffffffffffffffffffffffffffffe";
const SYSTEM_GAS = 30_000_000n;
/** Yellow Paper, section 9.1. */
const MAX_STACK_ITEMS = 1024;
/** Maximum number of frames, with their stacks and memory, that are reused by the next run. */
const MAX_KEPT_FRAMES = 16;

class PlinthEvm implements Evm {
  readonly #chain: EvmChain;
  readonly #contracts = new Map<Fork, NativeContracts>();
  readonly #limit: TimeLimit;
  readonly #frames: Frame[] = [];
  readonly #compiler: Compiler | undefined;

  constructor(chain: EvmChain, compiler: Compiler | undefined) {
    this.#chain = chain;
    this.#compiler = compiler;
    this.#limit = new TimeLimit(chain.maxRunMs, chain.interrupt);
  }

  async runTransaction(transaction: EvmTransaction, on: RunContext): Promise<EvmResult> {
    return this.#transact(fromTransaction(transaction), on);
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
    return this.#transact(fromMessage(message, machineRulesOf(on.block.fork)), on, watch);
  }

  async runSystemCall({ to, data }: SystemCall, on: RunContext): Promise<EvmResult> {
    const substate = new Substate(this.#contractsAt(on.block.fork));
    const machine = this.#createMachine(on, {
      substate,
      origin: SYSTEM_ADDRESS,
      gasPrice: 0n,
      maxStackItems: MAX_STACK_ITEMS,
    });
    prewarm(machine, to);
    enter(machine, { sender: SYSTEM_ADDRESS, to, data, value: 0n }, SYSTEM_GAS);
    const result = await this.#run(machine);
    cleanUp(machine);
    return toResult(result, { gasUsed: result.gasUsed, substate, fork: on.block.fork });
  }

  async #runBare(message: Message, bare: BareRun, on: RunContext): Promise<EvmResult> {
    const { from, to, data, value, gasLimit, maxFeePerGas: gasPrice } = message;
    const substate = new Substate(this.#contractsAt(on.block.fork));
    const machine = this.#createMachine(on, { substate, origin: from, gasPrice, keepsEmpty: true });
    prewarmBare(machine, from, to);
    await loadTargets(machine, to);
    enter(machine, { sender: from, to, data, value }, gasLimit, bare.contractAddress);
    const result = await this.#run(machine);
    return toResult(result, { gasUsed: result.gasUsed, substate, fork: on.block.fork });
  }

  async #transact(envelope: Envelope, on: RunContext, watch?: MessageWatch): Promise<EvmResult> {
    const { fork } = on.block;
    const substate = new Substate(this.#contractsAt(fork), watch);
    const rules = machineRulesOf(fork);
    const { chainId } = this.#chain;
    const prepared = prepareTransaction(envelope, { on, rules, substate, chainId });
    const machine = this.#createMachine(on, {
      substate,
      origin: envelope.sender,
      gasPrice: prepared.gasPrice,
      blobHashes: envelope.blobVersionedHashes,
      watch,
    });
    prewarm(machine, envelope.to);
    const loading = loadTargets(machine, envelope.to, watch);
    if (loading !== undefined) await loading;
    enter(machine, envelope, prepared.gas);
    const result = await this.#run(machine);
    const { gasUsed, gasBeforeRefund } = finishTransaction(machine, { envelope, prepared, result });
    cleanUp(machine);
    return {
      ...toResult(result, { gasUsed, substate, fork, watch }),
      ...(watch === undefined ? {} : { gasBeforeRefund }),
    };
  }

  #createMachine(
    { block, state, tracer, maxMs, yields }: RunContext,
    {
      substate,
      origin,
      gasPrice,
      blobHashes = [],
      watch = {},
      keepsEmpty = false,
      maxStackItems = this.#chain.maxStackItems ?? MAX_STACK_ITEMS,
    }: {
      readonly substate: Substate;
      readonly origin: Address;
      readonly gasPrice: bigint;
      readonly blobHashes?: readonly Hash[];
      readonly watch?: MessageWatch | undefined;
      readonly keepsEmpty?: boolean;
      readonly maxStackItems?: number;
    },
  ): Machine {
    this.#limit.start({ maxMs, yields });
    return new Machine({
      rules: machineRulesOf(block.fork),
      maxStackItems,
      chainId: this.#chain.chainId,
      block,
      state,
      substate,
      contracts: moveContracts(this.#contractsAt(block.fork), watch.movedPrecompiles),
      programs: programsOf(block.fork),
      frames: this.#frames,
      limit: this.#limit,
      compiler: this.#compiler,
      origin,
      gasPrice,
      blobHashes,
      tracer,
      recordsTransfers: watch.recordsTransfers === true,
      keepsEmpty,
    });
  }

  /**
   * Runs to the end, and waits on the way for a tracer, for others, or for a native contract that
   * is loading or running.
   */
  async #run(machine: Machine): Promise<MachineResult> {
    try {
      while (!execute(machine)) {
        const { pending } = machine;
        machine.pending = undefined;
        await pending;
      }
    } catch (error) {
      // Aborted frames still hold their memory.
      this.#frames.length = 0;
      throw error;
    }
    if (this.#frames.length > MAX_KEPT_FRAMES) this.#frames.length = MAX_KEPT_FRAMES;
    return resultOf(machine);
  }

  /** The precompiles of a fork and of the chain; created once. */
  #contractsAt(fork: Fork): NativeContracts {
    let contracts = this.#contracts.get(fork);
    if (contracts === undefined) {
      contracts = nativeContractsAt(fork, this.#chain.precompilesAt?.(fork));
      this.#contracts.set(fork, contracts);
    }
    return contracts;
  }
}

/** Enters the first frame. */
function enter(
  machine: Machine,
  { sender, to, data, value }: Pick<Envelope, "sender" | "to" | "data" | "value">,
  limit: bigint,
  contract?: Address,
): void {
  const { gas, reserve } = splitGas(limit);
  if (to === undefined) {
    // The nonce was already incremented.
    const nonce = (machine.state.findAccount(sender)?.nonce ?? 1n) - 1n;
    const address = contract ?? machine.nextAddress(sender, nonce);
    machine.enterCreation({
      kind: "create",
      depth: 1,
      caller: sender,
      address,
      value,
      initCode: data,
      gas,
      reserve,
    });
    return;
  }
  machine.enterCall({
    kind: "call",
    depth: 1,
    caller: sender,
    to,
    codeAddress: to,
    value,
    input: data,
    isStatic: false,
    gas,
    reserve,
    outOffset: 0,
    outLength: 0,
  });
}

function resultOf({ result }: Machine): MachineResult {
  if (result === undefined) throw new Error("the machine stopped without a result");
  return result;
}

/** Loads contracts that the interpreter does not look up: the target, and moved ones. */
function loadTargets(
  { contracts }: Machine,
  to: Address | undefined,
  { movedPrecompiles: moved }: MessageWatch = {},
): Promise<unknown> | undefined {
  const loading = to === undefined ? undefined : contracts.get(to)?.load?.();
  if (moved === undefined || moved.size === 0) return loading;
  const targets = [...moved.values()].map((target) => target && contracts.get(target)?.load?.());
  return Promise.all([loading, ...targets]);
}
