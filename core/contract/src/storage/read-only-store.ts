import { InvariantError } from "../kernel/errors.js";
import type { KeyValueStore } from "./store.js";

/** A store that can be read only. */
export function readOnly(store: KeyValueStore): KeyValueStore {
  return {
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
    batch: () => {
      throw new InvariantError("this thread reads the database and writes nothing");
    },
    close: () => store.close(),
  };
}
