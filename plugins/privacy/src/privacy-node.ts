import type { Address, Hash, Logger, RuntimeWith, SealedHeader } from "@plinth/core";
import { EnclaveClient } from "@plinth/kit-enclave";
import type { dependencies } from "./dependencies.js";
import type { executeQuery } from "./execute-query.js";
import { PrivateExecutor } from "./executor.js";
import { PrivateStore, type PrivateTables } from "./private-store.js";
import type { PrivateRules } from "./run-private-transaction.js";

/** What private transactions of a node are set up with. */
export interface PrivacySettings {
  readonly runtime: RuntimeWith<typeof dependencies>;
  readonly log: Logger;
  readonly tables: PrivateTables;
  readonly queries: { readonly execute: ReturnType<typeof executeQuery> };
  readonly rules: PrivateRules;
  /** The key of this node at its manager, in base64; `undefined` where callers bring their own. */
  readonly nodeKey: string | undefined;
}

/** Private transactions of a node: what is asked of them, and what runs them. */
export class PrivacyNode {
  readonly store: PrivateStore;
  readonly executor: PrivateExecutor;
  readonly #settings: PrivacySettings;
  #enclave: EnclaveClient | undefined;

  constructor(settings: PrivacySettings) {
    const { runtime, log, tables, queries, rules } = settings;
    this.#settings = settings;
    this.store = new PrivateStore(tables, runtime.chain.blocks);
    this.executor = new PrivateExecutor({
      runtime,
      log,
      store: this.store,
      enclave: () => this.enclave,
      query: queries.execute,
      rules,
    });
  }

  /** The manager inside this node where there is one, else the one outside. */
  get enclave(): EnclaveClient {
    const { enclave, tessera } = this.#settings.runtime;
    this.#enclave ??= new EnclaveClient(enclave?.link ?? tessera);
    return this.#enclave;
  }

  /** The state of a group after a block of the chain. */
  async rootAt(group: Uint8Array, header: SealedHeader, signal: AbortSignal): Promise<Hash> {
    await this.executor.waitFor(header.number, group, signal);
    return this.store.rootAt(group, header.number);
  }

  /** The next private nonce of an account. */
  async nonceOf(group: Uint8Array, address: Address, signal: AbortSignal): Promise<bigint> {
    const state = await this.#openAt(group, this.#settings.runtime.chain.blocks.head(), signal);
    return state.own.findAccount(address)?.nonce ?? 0n;
  }

  async #openAt(group: Uint8Array, header: SealedHeader, signal: AbortSignal) {
    const { runtime, tables } = this.#settings;
    const root = await this.rootAt(group, header, signal);
    return runtime.state.open({ table: tables.state, root });
  }
}
