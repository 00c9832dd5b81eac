import { InvariantError } from "../kernel/errors.js";
import type { KeyValueStore } from "./store.js";

/** A read-only store. */
export function readOnly(store: KeyValueStore): KeyValueStore {
  return {
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
    batch: () => {
      throw new InvariantError("this thread has read-only access to the database");
    },
    close: () => store.close(),
  };
}
