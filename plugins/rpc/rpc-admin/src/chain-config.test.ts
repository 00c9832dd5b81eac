import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VECTORS } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { chainConfigOf } from "./chain-config.js";

/** A recorded response. */
interface RecordedResponse {
  readonly request: { readonly method: string };
  readonly response: {
    readonly result: { readonly protocols: { readonly eth: { readonly config: object } } };
  };
}

const read = (path: string) => JSON.parse(readFileSync(join(VECTORS, path), "utf8"));

describe("the options of a chain", () => {
  it("are those that are set, except for scheduled changes", () => {
    const config = {
      chainId: 5,
      berlinBlock: 0,
      londonBlock: null,
      zeroBaseFee: false,
      transitions: { qbft: [] },
      ethash: { fixeddifficulty: 100 },
    };

    expect(chainConfigOf({ config }, { mode: "plinth" })).toEqual({
      chainId: 5,
      berlinBlock: 0,
      ethash: { fixeddifficulty: 100 },
    });
  });

  it("have the spelling of the genesis file, and Besu's in Besu mode", () => {
    const config = { ChainID: 5, qbft: { blockperiodseconds: 2, RequestTimeoutSeconds: 4 } };

    expect(chainConfigOf({ config }, { mode: "plinth" })).toEqual(config);
    expect(chainConfigOf({ Config: config }, { mode: "spec" })).toEqual(config);
    expect(chainConfigOf({ config }, { mode: "besu" })).toMatchObject({
      qbft: { blockPeriodSeconds: 2, requestTimeoutSeconds: 4 },
    });
  });

  it.each(["qbft-votes", "qbft-cancun", "qbft-zero-base-fee", "ibft2-votes", "clique-no-empty"])(
    "match Besu's for the network %s",
    (network) => {
      const answers: readonly RecordedResponse[] = read(`besu-networks/${network}/answers.json`);
      const answer = answers.find(({ request }) => request.method === "admin_nodeInfo");
      const config = chainConfigOf(read(`besu-networks/${network}/genesis.json`), { mode: "besu" });

      expect(config).toEqual(answer?.response.result.protocols.eth.config);
    },
  );
});
