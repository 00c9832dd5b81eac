import { EMPTY_ROOT, type Hash } from "@plinth/core";
import type { JoinedSlot } from "@plinth/core/chain";
import { CloneRefused } from "./clone-refused.js";
import type { CloneSource } from "./clone-source.js";
import { dumpAccounts, dumpStorage } from "./dumped-accounts.js";
import type { KeyRange } from "./key-range.js";
import { listAccounts } from "./listed-accounts.js";
import type { RemoteAccount } from "./remote-account.js";
import { readStorage, readStorageRoot } from "./storage.js";

/** The storage of an account. */
export interface RemoteStorage {
  readonly root: Hash;
  readonly slots: readonly JoinedSlot[];
}

/** How a client delivers a state. */
export interface StateForm {
  accounts(source: CloneSource, range: KeyRange): AsyncGenerator<readonly RemoteAccount[]>;
  storage(source: CloneSource, account: RemoteAccount): Promise<RemoteStorage>;
}

const NO_STORAGE: RemoteStorage = { root: EMPTY_ROOT, slots: [] };

/** That of Besu and Plinth. */
const LISTED: StateForm = {
  accounts: listAccounts,
  async storage(source, { address, code }) {
    if (code.length === 0) return NO_STORAGE;
    const root = await readStorageRoot(source, address);
    return root === EMPTY_ROOT
      ? NO_STORAGE
      : { root, slots: await readStorage(source, { address, root }) };
  },
};

/** That of geth. */
const DUMPED: StateForm = {
  accounts: dumpAccounts,
  async storage(source, account) {
    const { storageRoot: root = EMPTY_ROOT } = account;
    return root === EMPTY_ROOT
      ? NO_STORAGE
      : { root, slots: await dumpStorage(source, { ...account, root }) };
  },
};

const FIRST_KEY = `0x${"00".repeat(32)}`;

/** Finds how a node delivers states: the arguments of `debug_accountRange` differ. */
export async function findForm(source: CloneSource): Promise<StateForm> {
  try {
    await source.ask("debug_accountRange", [source.hash, source.lastIndex, FIRST_KEY, 1]);
    return LISTED;
  } catch (error) {
    if (!(error instanceof CloneRefused) || !error.isOfArguments) throw error;
    await source.ask("debug_accountRange", [source.hash, FIRST_KEY, 1, true, true, true]);
    return DUMPED;
  }
}
