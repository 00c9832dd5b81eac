import { describe, expect, it } from "vitest";
import { ComparedResponses } from "../support/compared-responses.js";
import { isConformanceMissing, isEveryTestWanted } from "../support/conformance.js";
import { startNodeAndReplica } from "../support/node-and-replica.js";
import { chainOf, RPC_SUITES, runRpcSuite } from "../support/rpc-suites.js";

/** What differs, by the name and the mode of a suite, as the operator's guide says; everything else is the same. */
const DOCUMENTED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "execution-apis-cancun spec": { eth_sendRawTransaction: 3 },
  "execution-apis-latest spec": { eth_sendRawTransaction: 3 },
  "besu-jsonrpc besu": {
    eth_newBlockFilter: 1,
    eth_newFilter: 3,
    eth_newPendingTransactionFilter: 1,
  },
};
/** `npm run long -- replicas` has those of large chains as well. */
const SUITES = RPC_SUITES.filter(({ mode }) => isEveryTestWanted || mode !== "spec");

describe.skipIf(isConformanceMissing)(
  "a node with a chain that others produced, and its replica",
  () => {
    it.each(SUITES)("return the same: $name in mode $mode", async (suite) => {
      const { name, mode, options = {}, passed } = suite;
      await using nodes = await startNodeAndReplica(chainOf(suite), {
        ...{ rpcCompatibility: mode, ...options },
      });
      const compared = new ComparedResponses(nodes);
      await using listener = await compared.listen();

      const { output, ...counted } = await runRpcSuite(suite, listener);

      expect(counted, output).toEqual({ passed, failed: 0 });
      const expected = DOCUMENTED[`${name} ${mode}`] ?? {};
      expect(compared.different).toEqual([]);
      expect(Object.fromEntries(compared.documented)).toEqual(expected);
      const others = Object.values(expected).reduce((sum, count) => sum + count, 0);
      expect(compared.equal).toBe(passed - others);
    });
  },
);
