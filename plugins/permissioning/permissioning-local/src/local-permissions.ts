import { join } from "node:path";
import { type Logger, messageOf, type Runtime } from "@plinth/core";
import { Mutex } from "@plinth/core/async";
import { formatEnode } from "@plinth/core/network";
import { accountRules } from "./account-rules.js";
import { Allowlist, type Change } from "./allowlist.js";
import { AllowlistError } from "./allowlist-error.js";
import { isWritable, refused } from "./allowlist-file.js";
import type { Permissions } from "./api.js";
import { NodePermissions } from "./node-permissions.js";
import { nodeRules } from "./node-rules.js";

const USUAL_FILE = "permissions_config.toml";
const RELOAD_FAILED =
  "Error reloading permissions file. Please use perm_getAccountsAllowlist and perm_getNodesAllowlist to review the current state of the allowlists";
const NOTHING_ENABLED = "Node/Account allowlist has not been enabled";

/** Which lists are in force, and their files. */
export interface PermissionSettings {
  readonly permissionsAccountsConfigFileEnabled: boolean;
  readonly permissionsAccountsConfigFile: string | undefined;
  readonly permissionsNodesConfigFileEnabled: boolean;
  readonly permissionsNodesConfigFile: string | undefined;
}

/** The lists of a running node. */
export class LocalPermissions implements Permissions {
  readonly accounts: Allowlist | undefined;
  readonly nodes: Allowlist | undefined;
  readonly nodePermissions: NodePermissions | undefined;
  readonly #log: Logger;
  readonly #mutex = new Mutex();

  private constructor(settings: PermissionSettings, runtime: Runtime) {
    const { network, log, dataPath } = runtime;
    const usual = join(dataPath, USUAL_FILE);
    const mutex = this.#mutex;
    this.#log = log;
    if (settings.permissionsAccountsConfigFileEnabled) {
      const path = settings.permissionsAccountsConfigFile ?? usual;
      this.accounts = new Allowlist(accountRules, { path, log, mutex, changed() {} });
    }
    if (settings.permissionsNodesConfigFileEnabled) {
      const path = settings.permissionsNodesConfigFile ?? usual;
      const changed = (change: Change | undefined) => this.#nodesChanged(change, runtime);
      this.nodes = new Allowlist(nodeRules(network), { path, log, mutex, changed });
      this.nodePermissions = new NodePermissions(this.nodes, network);
    }
  }

  /** Reads the files; rejects with `ConfigError` if the node cannot start with them. */
  static async open(settings: PermissionSettings, runtime: Runtime): Promise<LocalPermissions> {
    const permissions = new LocalPermissions(settings, runtime);
    await permissions.#load();
    const missing = await permissions.nodePermissions?.findMissing();
    if (missing !== undefined && missing.length > 0) {
      const shown = missing.map(formatEnode).join(", ");
      throw refused(`Specified node(s) not in nodes-allowlist [${shown}]`);
    }
    await permissions.#warnOfReadOnly();
    return permissions;
  }

  async reload(): Promise<void> {
    if (this.#lists().length === 0) throw new AllowlistError(NOTHING_ENABLED);
    try {
      await this.#mutex.run(() => this.#load());
    } catch (error) {
      this.#log.error(`keeping the current allowlists: ${messageOf(error)}`);
      throw new AllowlistError(RELOAD_FAILED, error);
    }
  }

  /** Reads all lists before any of them takes effect. */
  async #load(): Promise<void> {
    const lists = this.#lists();
    const prepared = await Promise.all(lists.map((list) => list.prepare()));
    for (const [index, list] of lists.entries()) {
      const next = prepared[index];
      if (next !== undefined) list.use(next);
    }
  }

  #lists(): readonly Allowlist[] {
    return [this.accounts, this.nodes].filter((list) => list !== undefined);
  }

  #nodesChanged(change: Change | undefined, { network, tasks }: Runtime): void {
    this.nodePermissions?.changed(change);
    // Connections that are no longer permitted end at once.
    tasks.run("peer permissions", () => network.recheck());
  }

  async #warnOfReadOnly(): Promise<void> {
    for (const path of new Set(this.#lists().map((list) => list.path))) {
      if (await isWritable(path)) continue;
      this.#log.warn(
        `Write access denied for file at: ${path}. Configuration modification operations will not be permitted.`,
      );
    }
  }
}
