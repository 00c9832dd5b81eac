import type { Block, ConsensusEngine, SealedBlock, SealedHeader } from "@plinth/core";
import { sealHeader } from "@plinth/core/blocks";
import type { ChainHooks, FollowedBlock } from "@plinth/core/chain";
import type { Evm } from "@plinth/core/evm";
import type { ForkSchedule } from "@plinth/core/rules";
import { verifyBodyInTurns, verifyHeader } from "@plinth/core/rules";
import type { StateStore } from "../state/state-store.js";
import type { JournaledState } from "../state/world-state.js";
import type { ChainStore } from "../store/chain-store.js";
import { verifyExcessBlobGas } from "./blob-gas.js";
import type { BlockContexts } from "./block-contexts.js";
import { type Execution, executeBlock, verifyExecution } from "./execute-block.js";
import { reportedExecution } from "./reported-execution.js";
import { verifyBlockSize } from "./verify-block-size.js";
import { verifyForkFields } from "./verify-fork-fields.js";
import { verifySenders } from "./verify-senders.js";

/** The dependencies of block verification. */
export interface VerifierSettings {
  readonly states: StateStore;
  readonly evm: Evm;
  readonly engine: ConsensusEngine;
  readonly forks: ForkSchedule;
  /** The hooks where plugins inspect blocks, and may reject them. */
  readonly hooks?: ChainHooks;
}

/** Verifies and executes blocks; nothing is written. */
export class BlockVerifier {
  readonly #settings: VerifierSettings;
  readonly #chain: ChainStore;
  readonly #contexts: BlockContexts;

  constructor(settings: VerifierSettings, chain: ChainStore, contexts: BlockContexts) {
    this.#settings = settings;
    this.#chain = chain;
    this.#contexts = contexts;
  }

  /** The block with its hash as computed by the engine. */
  seal({ header, body }: Block): SealedBlock {
    return { header: sealHeader(header, this.#settings.engine.hashHeader(header)), body };
  }

  /**
   * Verifies a block on its parent by every rule and executes it; throws `InvalidBlock`.
   *
   * A proposal has no seal yet: the requesting engine then applies its own rules.
   */
  async verify(
    block: SealedBlock,
    parent: SealedHeader,
    { isProposal = false }: { readonly isProposal?: boolean } = {},
  ): Promise<Execution> {
    const { states, engine, hooks } = this.#settings;
    const { header } = block;
    if (isProposal) this.#verifyRules(header, parent);
    else await this.verifyHeader(header, parent);
    await hooks?.verifyHeader.call({ header, parent });
    await this.#verifyBody(block, parent);
    if (!isProposal) await engine.verifyBlock?.(block, parent, this.#chain);
    await hooks?.verifyBlock.call({ block, parent });
    const state = states.open(parent);
    await hooks?.beforeExecution.call({ block, parent, state });
    const execution = await this.execute(block, state);
    const { receipts, results } = execution;
    await hooks?.executed.call({ block, receipts, results });
    return execution;
  }

  /** Verifies a block that another node executed by every rule, except that its transactions are not run; throws `InvalidBlock`. */
  async verifyFollowed(
    { block, receipts, accounts }: FollowedBlock & { readonly block: SealedBlock },
    parent: SealedHeader,
  ): Promise<Execution> {
    const { states, engine, hooks } = this.#settings;
    const { header } = block;
    await this.verifyHeader(header, parent);
    await hooks?.verifyHeader.call({ header, parent });
    await this.#verifyBody(block, parent);
    await engine.verifyBlock?.(block, parent, this.#chain);
    await hooks?.verifyBlock.call({ block, parent });
    // Those who sealed a header have recovered the senders; who made up a block may not.
    if (engine.lacksSeal?.(header) === true) await verifySenders(block);
    const execution = reportedExecution(block, receipts, await states.updateAs(parent, accounts));
    verifyExecution(header, execution);
    return execution;
  }

  /** Verifies a header on its parent by the rules of the chain and the engine; throws `InvalidBlock`. */
  async verifyHeader(header: SealedHeader, parent: SealedHeader): Promise<void> {
    this.#verifyRules(header, parent);
    await this.#settings.engine.verifyHeader(header, parent, this.#chain);
  }

  /**
   * The checks that need no parent: that the header commits to the body, and that the size is
   * allowed.
   */
  async verifyAlone(block: Block): Promise<void> {
    await verifyBodyInTurns(block, "chain");
    verifyBlockSize(block, this.#settings.forks);
  }

  /** Lets plugins validate a block that this node built; it has already run. */
  async verifyByPlugins(
    block: SealedBlock,
    parent: SealedHeader,
    { receipts, results }: Pick<Execution, "receipts" | "results">,
  ): Promise<void> {
    const { hooks } = this.#settings;
    await hooks?.verifyHeader.call({ header: block.header, parent });
    await hooks?.verifyBlock.call({ block, parent });
    await hooks?.executed.call({ block, receipts, results });
  }

  /** Verifies a block of this node by the rules of the chain and the engine. */
  async verifyOwn(block: SealedBlock, parent: SealedHeader): Promise<void> {
    const { states, engine } = this.#settings;
    await this.verifyHeader(block.header, parent);
    await this.#verifyBody(block, parent);
    await engine.verifyBlock?.(block, parent, this.#chain);
    await this.execute(block, states.open(parent));
  }

  /**
   * Executes a block on the state after its parent; throws `InvalidBlock` unless the result matches
   * its header.
   */
  async execute(block: SealedBlock, state: JournaledState): Promise<Execution> {
    const { evm, states, engine, forks } = this.#settings;
    const { header } = block;
    const fork = forks.at(header);
    const context = { evm, states, state, block: this.#contexts.of(header), forks, engine };
    const execution = await executeBlock(context, block, () =>
      engine.finalize?.({ block, fork, state }),
    );
    verifyExecution(header, execution);
    return execution;
  }

  #verifyRules(header: SealedHeader, parent: SealedHeader): void {
    const { engine, forks } = this.#settings;
    verifyHeader(header, parent, {
      hasBaseFee: forks.rulesAt(header).hasBaseFee,
      firstBaseFee: forks.rulesAt(parent).hasBaseFee ? undefined : forks.rules.initialBaseFee,
      // Allows importing history with other values if the genesis file fixes the fee.
      takesAnyBaseFee:
        forks.rules.baseFee !== "market" || engine.takesAnyBaseFee?.(header) === true,
      takesAnyGasLimit: engine.takesAnyGasLimit?.(header) === true,
    });
    verifyForkFields(header, forks, engine);
  }

  async #verifyBody(block: SealedBlock, parent: SealedHeader): Promise<void> {
    await this.verifyAlone(block);
    verifyExcessBlobGas(block.header, parent, this.#settings.forks);
  }
}
