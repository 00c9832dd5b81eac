import { describe, expect, it } from "vitest";
import { registerShippedNode } from "../support/shipped-plugins.js";
import { findNames, type RegisteredNames } from "./find-names.js";
import { fixture, repository } from "./source-tree.js";

/** Names as the fixtures use them. */
const registered: RegisteredNames = {
  namespaces: [
    ...["eth", "debug", "net", "web3", "rpc", "admin", "clique", "ibft", "qbft"],
    ...["priv", "eea", "perm", "txpool", "miner", "trace", "plugins"],
  ],
  engineKeys: ["clique", "ibft2", "qbft", "ethash"],
  commandIds: ["rlp encode", "rlp decode", "public-key export", "public-key export-address"],
};

describe("the core", () => {
  it("contains no name that a plugin registers", async () => {
    const node = await registerShippedNode();
    const namespaces = new Set(node.methods().map(({ namespace }) => namespace));
    // The program's own name, which is also the prefix of metrics.
    namespaces.delete("plinth");
    // A command of one word is also a plain word: receipts have a status.
    const commandIds = node
      .commands()
      .map(({ item }) => item.id)
      .filter((id) => id.includes(" "));

    expect(namespaces).toContain("eth");
    expect(commandIds).toContain("rlp encode");
    expect(
      findNames(repository, { ...registered, namespaces: [...namespaces], commandIds }),
    ).toEqual([]);
  });

  it("contains no name of Besu either", () => {
    expect(findNames(repository, registered)).toEqual([]);
  });
});

describe("the search for names", () => {
  it("finds methods, engine keys and commands in strings and templates", () => {
    expect(findNames(fixture("names-known"), registered)).toEqual([
      "core/contract/src/rpc/known.ts: eth_call",
      "core/contract/src/rpc/known.ts: the method debug_traceCall is slow",
      "core/contract/src/rpc/known.ts: eth_…",
      "core/contract/src/rpc/known.ts: net_version",
      "core/contract/src/rpc/known.ts: qbft",
      "core/contract/src/rpc/known.ts: see rlp encode",
      "core/contract/src/rpc/known.ts: rlp:decode",
    ]);
  });

  it("ignores comments, code, tests and plain words", () => {
    expect(findNames(fixture("names-clean"), registered)).toEqual([]);
  });
});
