import {
  applyOverrides,
  applyWithdrawals,
  blobFeeOf,
  blobGasOf,
  callSystem,
  collectRequests,
  keepHistory,
  requestsHash,
} from "@plinth/chain";
import {
  type BlockReader,
  EMPTY_ROOT,
  type Hash,
  type Header,
  keccakHeader,
  type Receipt,
  type SealedBlock,
  type SealedHeader,
  type Transaction,
  ZERO_ADDRESS,
  ZERO_HASH,
} from "@plinth/core";
import {
  bloomOfLogs,
  receiptsRoot,
  transactionsRoot,
  unclesHash,
  withdrawalsRoot,
} from "@plinth/core/blocks";
import type { ScratchState } from "@plinth/core/chain";
import {
  type BlockContext,
  type EvmLog,
  type EvmResult,
  type Fork,
  type MessageWatch,
  rulesOf,
} from "@plinth/core/evm";
import { createBloom, mergeIntoBloom } from "@plinth/core/primitives";
import { baseFeeOn, nextExcessBlobGas } from "@plinth/core/rules";
import { type PlannedBlock, planBlocks, type SimulatedBlock, type SimulatedCall } from "./plan.js";
import { SimulationProblem } from "./problem.js";
import { runSimulated } from "./run-call.js";
import { toUnsignedTransaction } from "./unsigned-transaction.js";

/** The base of a simulation, and its strictness. */
export interface SimulationSettings {
  readonly base: SealedHeader;
  readonly chainId: bigint;
  /** Enforces all rules of a transaction, except for its signature. */
  readonly isValidated: boolean;
  readonly tracesTransfers: boolean;
  /** Whether two precompiles may be moved to one address. */
  readonly sharesMoves: boolean;
  /** Gas limit for all calls of all blocks together; 0 for no limit. */
  readonly gasCap: bigint;
  readonly signal: AbortSignal;
}

/** The outcome of a call of a simulated block. */
export interface SimulatedOutcome {
  readonly result: EvmResult;
  /** Its logs; with its transfers if they are traced. */
  readonly logs: readonly (EvmLog & { readonly index: number })[];
}

/** A simulated block. */
export interface SimulatedResult {
  readonly block: SealedBlock;
  readonly outcomes: readonly SimulatedOutcome[];
}

/** The executed calls of a block. */
interface RanCalls {
  readonly transactions: Transaction[];
  readonly outcomes: SimulatedOutcome[];
  readonly receipts: Receipt[];
}

/** Simulates blocks on top of an existing one, each on the state after the previous one. */
export async function simulateBlocks(
  blocks: BlockReader,
  given: readonly SimulatedBlock[],
  settings: SimulationSettings,
): Promise<readonly SimulatedResult[]> {
  const planned = planBlocks(settings.base, given);
  const state = blocks.simulation.states.open(settings.base);
  using _tries = await blocks.prepareTries(settings.base);
  const simulation = new Simulation(blocks, state, settings);
  const results: SimulatedResult[] = [];
  for (const block of planned) results.push(await simulation.run(block));
  return results;
}

function placeLogs(result: EvmResult, first: number): SimulatedOutcome["logs"] {
  const logs = result.logsWithTransfers ?? result.logs.map((log, index) => ({ ...log, index }));
  return logs.map((log) => ({ ...log, index: first + log.index }));
}

class Simulation {
  readonly #blocks: BlockReader;
  readonly #state: ScratchState;
  readonly #settings: SimulationSettings;
  readonly #hashes = new Map<bigint, Hash>();
  #parent: SealedHeader;
  /** Gas left for all further calls. */
  #gas: bigint;

  constructor(blocks: BlockReader, state: ScratchState, settings: SimulationSettings) {
    this.#blocks = blocks;
    this.#state = state;
    this.#settings = settings;
    this.#parent = settings.base;
    this.#gas = settings.gasCap > 0n ? settings.gasCap : 2n ** 63n - 1n;
  }

  async run(planned: PlannedBlock): Promise<SimulatedResult> {
    const { evm, forks } = this.#blocks.simulation;
    const { withdrawals = [], blobBaseFee } = planned.blockOverrides;
    const draft = this.#draft(planned);
    const fork = forks.at(draft);
    const { hasRequests, hasWithdrawals } = rulesOf(fork);
    const block = this.#contextOf(draft, fork, blobBaseFee);
    const { sharesMoves } = this.#settings;
    const rules = { fork, sharesMoves };
    const movedPrecompiles = applyOverrides(this.#state, planned.stateOverrides, rules);
    const context = { evm, state: this.#state, block };
    await keepHistory(context, draft);
    const ran = await this.#runCalls(planned.calls, block, movedPrecompiles);
    applyWithdrawals(this.#state, withdrawals);
    this.#payReward(draft);
    const logs = ran.receipts.flatMap((receipt) => receipt.logs);
    const requests = hasRequests
      ? await collectRequests({
          contracts: forks.rules.contracts,
          logs,
          call: (call) => callSystem(context, call),
          // A simulated block is never part of the chain.
          needsContracts: false,
        })
      : undefined;
    const header = this.#seal(draft, ran, requests);
    const paid = hasWithdrawals ? { withdrawals } : {};
    const body = { transactions: ran.transactions, uncles: [], ...paid };
    return { block: { header, body }, outcomes: ran.outcomes };
  }

  /**
   * The engine's reward for a block without uncles; if it is zero, the recipient is not determined.
   */
  #payReward(header: Header): void {
    if (this.#blocks.rewardOf(header) === 0n) return;
    const block = { header, body: { transactions: [], uncles: [] } };
    for (const { beneficiary, amount } of this.#blocks.rewardsOf(block)) {
      const balance = this.#state.findAccount(beneficiary)?.balance ?? 0n;
      this.#state.setAccount(beneficiary, { balance: balance + amount });
    }
  }

  async #runCalls(
    calls: readonly SimulatedCall[],
    block: BlockContext,
    movedPrecompiles: NonNullable<MessageWatch["movedPrecompiles"]>,
  ): Promise<RanCalls> {
    const { evm, states } = this.#blocks.simulation;
    const { signal, isValidated, tracesTransfers: recordsTransfers } = this.#settings;
    const watch = { movedPrecompiles, recordsTransfers };
    const context = { evm, state: this.#state, block, watch, isValidated };
    const ran: RanCalls = { transactions: [], outcomes: [], receipts: [] };
    let gasUsed = 0n;
    let logsTraced = 0;
    for (const call of calls) {
      signal.throwIfAborted();
      const transaction = this.#transactionOf(call, block.gasLimit - gasUsed);
      const result = await runSimulated(transaction, context);
      this.#gas -= result.gasUsed;
      gasUsed += result.gasUsed;
      ran.transactions.push(transaction);
      ran.outcomes.push({ result, logs: placeLogs(result, logsTraced) });
      logsTraced += result.logsTraced ?? result.logs.length;
      ran.receipts.push({
        type: transaction.type,
        ...(rulesOf(block.fork).hasReceiptStatus
          ? { status: result.outcome === "success" ? 1 : 0 }
          : { postState: states.update(this.#state).root }),
        cumulativeGasUsed: gasUsed,
        gasUsed: result.gasUsed,
        logsBloom: bloomOfLogs(result.logs),
        logs: result.logs,
      });
    }
    return ran;
  }

  /** Completes a block with its roots and hash; it becomes the parent of the next one. */
  #seal(
    draft: Header,
    { transactions, receipts }: RanCalls,
    requests: Parameters<typeof requestsHash>[0] | undefined,
  ): SealedHeader {
    const logsBloom = createBloom();
    for (const receipt of receipts) mergeIntoBloom(logsBloom, receipt.logsBloom);
    const blobGasUsed = transactions.reduce((sum, each) => sum + blobGasOf(each), 0n);
    const header: Header = {
      ...draft,
      transactionsRoot: transactionsRoot(transactions),
      receiptsRoot: receiptsRoot(receipts),
      stateRoot: this.#blocks.simulation.states.update(this.#state).root,
      logsBloom,
      gasUsed: receipts.at(-1)?.cumulativeGasUsed ?? 0n,
      ...(draft.blobGasUsed === undefined ? {} : { blobGasUsed }),
      ...(requests === undefined ? {} : { requestsHash: requestsHash(requests) }),
    };
    this.#parent = { ...header, hash: keccakHeader(header) };
    this.#hashes.set(header.number, this.#parent.hash);
    return this.#parent;
  }

  #draft({ number, time: timestamp, blockOverrides }: PlannedBlock): Header {
    const { forks } = this.#blocks.simulation;
    const parent = this.#parent;
    const point = { number, timestamp, difficulty: parent.difficulty };
    const rules = forks.rulesAt(point);
    const { withdrawals = [] } = blockOverrides;
    return {
      ...point,
      parentHash: parent.hash,
      unclesHash: unclesHash([]),
      coinbase: blockOverrides.feeRecipient ?? parent.coinbase,
      stateRoot: ZERO_HASH,
      transactionsRoot: EMPTY_ROOT,
      receiptsRoot: EMPTY_ROOT,
      logsBloom: createBloom(),
      difficulty: blockOverrides.difficulty ?? parent.difficulty,
      gasLimit: blockOverrides.gasLimit ?? parent.gasLimit,
      gasUsed: 0n,
      extraData: new Uint8Array(),
      mixHash: blockOverrides.prevRandao ?? ZERO_HASH,
      nonce: new Uint8Array(8),
      ...(rules.hasBaseFee && {
        baseFeePerGas: blockOverrides.baseFeePerGas ?? this.#usualBaseFee(),
      }),
      ...(rules.hasWithdrawals && { withdrawalsRoot: withdrawalsRoot(withdrawals) }),
      ...(rules.blobs !== undefined && {
        blobGasUsed: 0n,
        excessBlobGas: nextExcessBlobGas(parent, forks.blobsAt(point)),
      }),
      ...(rules.keepsBeaconRoots && {
        parentBeaconBlockRoot: blockOverrides.parentBeaconBlockRoot ?? ZERO_HASH,
      }),
      ...(rules.hasRequests && { requestsHash: ZERO_HASH }),
    };
  }

  /** Without validation prices do not matter, so there is none. */
  #usualBaseFee(): bigint {
    const { forks } = this.#blocks.simulation;
    return this.#settings.isValidated ? baseFeeOn(this.#parent, forks) : 0n;
  }

  #contextOf(header: Header, fork: Fork, blobFee: bigint | undefined): BlockContext {
    const { forks } = this.#blocks.simulation;
    const { number, timestamp, gasLimit, difficulty, mixHash, baseFeePerGas } = header;
    const { maxCodeBytes } = forks.rules;
    const usual = blobFeeOf(header, forks);
    // Without validation there is no blob base fee either.
    const blobBaseFee = blobFee ?? (usual === undefined || this.#settings.isValidated ? usual : 0n);
    return {
      fork,
      number,
      timestamp,
      gasLimit,
      difficulty,
      mixHash,
      feeRecipient: header.coinbase,
      ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
      ...(blobBaseFee === undefined ? {} : { blobBaseFee }),
      ...(maxCodeBytes === undefined ? {} : { maxCodeBytes }),
      hashOf: (wanted) => this.#hashOf(wanted),
    };
  }

  /** One of the simulated blocks, or an earlier one of the chain. */
  #hashOf(number: bigint): Hash {
    const { base } = this.#settings;
    if (number > base.number) return this.#hashes.get(number) ?? ZERO_HASH;
    if (number === base.number) return base.hash;
    return this.#blocks.simulation.contextOf(base).hashOf(number);
  }

  #transactionOf(call: SimulatedCall, gasLeft: bigint): Transaction {
    const { from = ZERO_ADDRESS } = call;
    if (call.gas !== undefined && call.gas > gasLeft) {
      throw new SimulationProblem("block-gas", `block gas limit reached: ${gasLeft} gas is left`);
    }
    const wanted = call.gas ?? gasLeft;
    return toUnsignedTransaction(call, {
      from,
      chainId: this.#settings.chainId,
      nonce: call.nonce ?? this.#state.findAccount(from)?.nonce ?? 0n,
      gasLimit: wanted < this.#gas ? wanted : this.#gas,
    });
  }
}
