import { describe, expect, it } from "vitest";
import { verifyCommandBuilt } from "./commands.js";

describe("verifyCommandBuilt", () => {
  it.each([
    [["storage", "rocksdb", "usage"], "`plinth db`"],
    [["operator", "x-backup-state", "--block=1"], "`plinth db backup`"],
    [["txparse"], "not implemented"],
  ])("explains %o", (words, advice) => {
    expect(() => verifyCommandBuilt(words)).toThrow(advice);
  });

  it.each([[["operator", "generate-log-bloom-cache"]], [["rlp", "encode"]], [["storages"]]])(
    "accepts %o",
    (words) => {
      expect(() => verifyCommandBuilt(words)).not.toThrow();
    },
  );
});
