import {
  type Address,
  type BareRun,
  type Evm,
  type EvmChain,
  type EvmResult,
  type EvmTransaction,
  type Fork,
  type Hash,
  loadCrypto,
  type Message,
  type MessageWatch,
  type RunContext,
  type SystemCall,
} from "@plinth/core";
import { type Frame, splitGas } from "./frame.js";
import { execute } from "./interpreter.js";
import { Machine, type MachineResult } from "./machine.js";
import { moveContracts, type NativeContracts, nativeContractsAt } from "./native-contracts.js";
import { Programs } from "./programs.js";
import { toResult } from "./result.js";
import { rulesOf } from "./rules.js";
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

/** Makes an EVM for a chain. */
export async function createEvm(chain: EvmChain): Promise<Evm> {
  await loadCrypto();
  return new PlinthEvm(chain);
}

/** EIP-4788: who calls in the name of the chain, and with how much gas. */
const SYSTEM_ADDRESS = "0xfffffffffffffffffffffffffffffffffffffffe";
const SYSTEM_GAS = 30_000_000n;
/** Frames with their stacks and memory that are kept from one run to the next. */
const MAX_KEPT_FRAMES = 16;

/** What all runs of a fork share. */
interface ForkContext {
  readonly contracts: NativeContracts;
  readonly programs: Programs;
}

class PlinthEvm implements Evm {
  readonly #chain: EvmChain;
  readonly #forks = new Map<Fork, ForkContext>();
  readonly #limit: TimeLimit;
  readonly #frames: Frame[] = [];

  constructor(chain: EvmChain) {
    this.#chain = chain;
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
    return this.#transact(fromMessage(message, rulesOf(on.block.fork)), on, watch);
  }

  async runSystemCall({ to, data }: SystemCall, on: RunContext): Promise<EvmResult> {
    const substate = new Substate();
    const machine = this.#createMachine(on, { substate, origin: SYSTEM_ADDRESS, gasPrice: 0n });
    prewarm(machine, to);
    enter(machine, { sender: SYSTEM_ADDRESS, to, data, value: 0n }, SYSTEM_GAS);
    const result = await this.#run(machine);
    cleanUp(machine);
    return toResult(result, { gasUsed: result.gasUsed, substate, fork: on.block.fork });
  }

  async #runBare(message: Message, bare: BareRun, on: RunContext): Promise<EvmResult> {
    const { from, to, data, value, gasLimit, maxFeePerGas: gasPrice } = message;
    const substate = new Substate();
    const machine = this.#createMachine(on, { substate, origin: from, gasPrice, keepsEmpty: true });
    prewarmBare(machine, from, to);
    await loadTargets(machine, to);
    enter(machine, { sender: from, to, data, value }, gasLimit, bare.contractAddress);
    const result = await this.#run(machine);
    return toResult(result, { gasUsed: result.gasUsed, substate, fork: on.block.fork });
  }

  async #transact(envelope: Envelope, on: RunContext, watch?: MessageWatch): Promise<EvmResult> {
    const { fork } = on.block;
    const substate = new Substate(watch);
    const rules = rulesOf(fork);
    const { chainId } = this.#chain;
    const prepared = prepareTransaction(envelope, { on, rules, substate, chainId });
    const machine = this.#createMachine(on, {
      substate,
      origin: envelope.sender,
      gasPrice: prepared.gasPrice,
      blobHashes: envelope.blobVersionedHashes,
      watch,
    });
    prewarm(machine, envelope.to, watch?.movedPrecompiles?.keys());
    await loadTargets(machine, envelope.to, watch);
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
    { block, state, tracer, maxMs }: RunContext,
    {
      substate,
      origin,
      gasPrice,
      blobHashes = [],
      watch = {},
      keepsEmpty = false,
    }: {
      readonly substate: Substate;
      readonly origin: Address;
      readonly gasPrice: bigint;
      readonly blobHashes?: readonly Hash[];
      readonly watch?: MessageWatch | undefined;
      readonly keepsEmpty?: boolean;
    },
  ): Machine {
    this.#limit.start(maxMs);
    if (this.#frames.length > MAX_KEPT_FRAMES) this.#frames.length = MAX_KEPT_FRAMES;
    const { contracts, programs } = this.#forkOf(block.fork);
    return new Machine({
      rules: rulesOf(block.fork),
      chainId: this.#chain.chainId,
      block,
      state,
      substate,
      contracts: moveContracts(contracts, watch.movedPrecompiles),
      programs,
      frames: this.#frames,
      limit: this.#limit,
      origin,
      gasPrice,
      blobHashes,
      tracer,
      recordsTransfers: watch.recordsTransfers === true,
      keepsEmpty,
    });
  }

  /** Runs to the end; waits where a tracer or a contract that is loaded asks for it. */
  async #run(machine: Machine): Promise<MachineResult> {
    while (!execute(machine)) {
      const { pending } = machine;
      machine.pending = undefined;
      await pending;
    }
    if (machine.result === undefined) throw new Error("the machine stopped without a result");
    return machine.result;
  }

  #forkOf(fork: Fork): ForkContext {
    let context = this.#forks.get(fork);
    if (context === undefined) {
      const contracts = nativeContractsAt(fork, this.#chain.precompilesAt?.(fork));
      context = { contracts, programs: new Programs(rulesOf(fork)) };
      this.#forks.set(fork, context);
    }
    return context;
  }
}

/** Enters the first frame. */
function enter(
  machine: Machine,
  { sender, to, data, value }: Pick<Envelope, "sender" | "to" | "data" | "value">,
  limit: bigint,
  contract?: Address,
): void {
  const start = { depth: 1, caller: sender, value, ...splitGas(limit) };
  if (to === undefined) {
    // The nonce was counted already.
    const nonce = (machine.state.findAccount(sender)?.nonce ?? 1n) - 1n;
    const address = contract ?? machine.nextAddress(sender, nonce);
    machine.enterCreation({ ...start, kind: "create", address, initCode: data });
    return;
  }
  machine.enterCall({
    ...start,
    kind: "call",
    to,
    codeAddress: to,
    input: data,
    isStatic: false,
    outOffset: 0,
    outLength: 0,
  });
}

/** Loads contracts that the interpreter does not look for: the target, and those that stand elsewhere. */
async function loadTargets(
  { contracts }: Machine,
  to: Address | undefined,
  watch: MessageWatch = {},
): Promise<void> {
  const moved = [...(watch.movedPrecompiles ?? [])].map(([, target]) => target);
  for (const address of [to, ...moved]) {
    if (address !== undefined) await contracts.get(address)?.load?.();
  }
}
