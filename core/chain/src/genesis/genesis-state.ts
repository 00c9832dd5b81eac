import { createHash } from "node:crypto";
import type { Hash, KeyValueStore, Logger } from "@plinth/core";
import type { Genesis } from "@plinth/core/genesis";
import { findMember } from "@plinth/core/rules";
import { removeFlatState } from "../flat/remove-flat-state.js";
import type { StateFormat } from "../flat/state-format.js";
import { AccountsInFile } from "./accounts-in-file.js";
import { AccountsInMemory, type AllocFacts, type GenesisAccounts } from "./genesis-accounts.js";
import { GenesisProgress } from "./genesis-progress.js";
import {
  AccountNotRecorded,
  findGenesisRecord,
  type GenesisRecord,
  putGenesisRecord,
  RecordingFacts,
  removeGenesisRecord,
  replayFacts,
} from "./genesis-record.js";
import { createStateWriter, type GenesisStateWriter } from "./genesis-state-writer.js";

/** The inputs to create the state of block 0. */
export interface GenesisStateSettings {
  readonly genesis: Pick<Genesis, "json" | "origin"> & Partial<Pick<Genesis, "alloc">>;
  readonly store: KeyValueStore;
  /** The layout to write; that of nodes by hash if it is omitted. */
  readonly format?: StateFormat | undefined;
  readonly log?: Pick<Logger, "info"> | undefined;
  /** Ends the work on the accounts; a later start begins again. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The state of block 0.
 *
 * A database records the accounts that it was created from: with the same accounts, later starts
 * neither read them nor build the state.
 */
export class GenesisState implements AsyncDisposable {
  readonly #settings: GenesisStateSettings;
  readonly #digest: string;
  readonly #progress: GenesisProgress | undefined;
  readonly #known: GenesisRecord | undefined;
  #isRecorded: boolean;
  #accounts: GenesisAccounts | undefined;
  #facts: RecordingFacts | undefined;

  constructor(settings: GenesisStateSettings) {
    const { genesis, store, log } = settings;
    this.#settings = settings;
    this.#digest = digestOf(genesis);
    this.#progress = log && new GenesisProgress(log);
    this.#known = findGenesisRecord(store, this.#digest);
    this.#isRecorded = this.#known !== undefined;
  }

  /** Runs checks on the accounts: on what an earlier start recorded, if that suffices. */
  async check<T>(run: (facts: AllocFacts) => T): Promise<T> {
    const recorded = this.#known?.facts;
    if (recorded !== undefined) {
      try {
        return run(replayFacts(recorded));
      } catch (error) {
        if (!(error instanceof AccountNotRecorded)) throw error;
      }
    }
    const accounts = await this.#open();
    if (this.#settings.genesis.alloc === undefined) return run(accounts);
    this.#isRecorded = false;
    this.#facts = new RecordingFacts(accounts);
    return run(this.#facts);
  }

  /** The root of the state; nothing is written. */
  async findRoot(): Promise<Hash> {
    return this.#known?.root ?? (await this.#build(createStateWriter(undefined, "FOREST")));
  }

  /** Writes the state, unless an interrupted start completed it; returns its root. */
  async create(): Promise<Hash> {
    return this.#known?.root ?? (await this.write());
  }

  /** Writes the state, in pieces; returns its root. */
  async write(): Promise<Hash> {
    const { store, format = "FOREST" } = this.#settings;
    // An interrupted start may have left values of other accounts.
    if (format === "BONSAI") {
      await removeGenesisRecord(store);
      await removeFlatState(store);
    }
    const root = await this.#build(createStateWriter(store, format));
    this.#isRecorded = true;
    return root;
  }

  /** Writes the state again, and releases the accounts. */
  async rewrite(): Promise<void> {
    await using state = new GenesisState(this.#settings);
    await state.write();
  }

  /** Records the accounts of a verified block 0 for later starts. */
  async record(root: Hash): Promise<void> {
    if (this.#isRecorded) return;
    const batch = this.#settings.store.batch();
    putGenesisRecord(batch, this.#recordOf(root));
    await batch.commit();
  }

  /** Releases the accounts; they are read again if necessary. */
  async [Symbol.asyncDispose](): Promise<void> {
    const accounts = this.#accounts;
    this.#accounts = undefined;
    this.#facts = undefined;
    await accounts?.close();
  }

  async #build(writer: GenesisStateWriter): Promise<Hash> {
    const accounts = await this.#open();
    let done = 0;
    for (const account of accounts.sorted()) {
      this.#settings.signal?.throwIfAborted();
      const written = writer.addAccount(account);
      if (written !== undefined) await written;
      this.#progress?.writing(++done, accounts.count);
    }
    // Before the record: what is recorded was read from one version of the file.
    await accounts.verifyUnchanged();
    return writer.finish((batch, root) => putGenesisRecord(batch, this.#recordOf(root)));
  }

  #recordOf(root: Hash): GenesisRecord {
    return { digest: this.#digest, root, facts: this.#facts?.record() };
  }

  async #open(): Promise<GenesisAccounts> {
    this.#accounts ??= await openAccounts(this.#settings, this.#progress);
    return this.#accounts;
  }
}

async function openAccounts(
  { genesis: { json, alloc, origin }, signal }: GenesisStateSettings,
  progress: GenesisProgress | undefined,
): Promise<GenesisAccounts> {
  const added = findMember(json, "alloc");
  if (alloc === undefined) return new AccountsInMemory(added, origin);
  return AccountsInFile.open({ alloc, added, origin, progress, signal });
}

function digestOf({ json, alloc }: GenesisStateSettings["genesis"]): string {
  const accounts = JSON.stringify([alloc?.sha256 ?? null, findMember(json, "alloc") ?? null]);
  return createHash("sha256").update(accounts).digest("hex");
}
