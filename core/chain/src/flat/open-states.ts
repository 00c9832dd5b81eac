import { ConfigError, type KeyValueStore } from "@plinth/core";
import type { StateOrigin } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";
import { StateStore } from "../state/state-store.js";
import { ChainStore } from "../store/chain-store.js";
import { FlatLayout } from "./flat-layout.js";
import type { HistorySettings } from "./flat-settings.js";
import { numberOf } from "./keys.js";
import { readFormat, type StateFormat } from "./state-format.js";

/** The layout of states, and how many are kept. */
export interface StateSettings extends HistorySettings {
  /** The layout of a new database; an existing one keeps its own. */
  readonly format?: StateFormat | undefined;
  /** Fetches values of a state that is somewhere else, if a plugin can. */
  readonly origin?: StateOrigin | undefined;
  /** Called if the database has another layout than the wanted one. */
  readonly onOtherFormat?: (message: string) => void;
}

/** The layout of a new database unless the operator names one. */
const DEFAULT_FORMAT: StateFormat = "BONSAI";

/** The layout of a database once it is open: its own, or the wanted one if it is new or is converted to that. */
export function chooseFormat(
  store: KeyValueStore,
  { format }: Pick<StateSettings, "format">,
): StateFormat {
  const stored = readFormat(store);
  return format === "BONSAI" ? format : (stored ?? format ?? DEFAULT_FORMAT);
}

/** Opens the states of a database in the layout that it has. */
export function openStates(store: KeyValueStore, settings: StateSettings): StateStore {
  const { format: wanted } = settings;
  const stored = readFormat(store);
  if (stored !== undefined && wanted !== undefined && stored !== wanted) {
    settings.onOtherFormat?.(
      `--data-storage-format=${wanted} has no effect: the database has the format ${stored}, and keeps it; another --data-path starts with ${wanted}`,
    );
  }
  if (chooseFormat(store, settings) === "FOREST") {
    verifyForest(settings);
    return new StateStore(store);
  }
  return new StateStore(store, new FlatLayout({ store, ...settings }), settings.origin);
}

/** Opens the states of a database that another thread writes. */
export function openStatesToRead(store: KeyValueStore, settings: HistorySettings): StateStore {
  if (readFormat(store) !== "BONSAI") return new StateStore(store);
  return new StateStore(store, new FlatLayout({ store, ...settings, isReader: true }));
}

/** Opens the states of a database that no node writes, as far back as its changes lead. */
export async function openStatesAtRest(store: KeyValueStore): Promise<StateStore> {
  const head = Number(new ChainStore(store).findHead()?.number ?? 0n);
  let first = head + 1;
  for await (const [key] of store.table(TABLES.stateChanges).iterate({ limit: 1 })) {
    first = numberOf(key);
  }
  return openStatesToRead(store, { proofBlocks: head - first + 1 });
}

function verifyForest({ history }: StateSettings): void {
  if (history === undefined) return;
  throw new ConfigError("HISTORY_REFUSED", {
    message: `--history=${history} needs --data-storage-format=BONSAI: FOREST keeps every state`,
    option: "history",
  });
}
