import graphql from "@plinth/plugin-graphql";
import rpcEth from "@plinth/plugin-rpc-eth";
import { ALICE, createTestNode, sendHttp, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import fullness from "./index.js";

const OPTIONS = { graphqlHttpEnabled: true, graphqlHttpPort: 0 };

async function start() {
  const node = await createTestNode({ plugins: [rpcEth, graphql, fullness], options: OPTIONS });
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "graphql-http");
  const port = listener?.address?.port ?? 0;
  const ask = async (query: string) => {
    const { text } = await sendHttp({ port, path: "/graphql", body: query });
    return JSON.parse(text);
  };
  return { ...node, ask };
}

describe("fields of the example", () => {
  it("are available beside those of the node, in every query", async () => {
    await using node = await start();
    await node.mine([transfer(), transfer(), transfer()], []);
    const query =
      "{blocks(from:1){number fullness busiest{address transactions} transactions{isFirst}}}";

    for (const _ of ["plain", "compiled", "compiled again"]) {
      const { data, errors } = await node.ask(query);

      expect(errors).toBeUndefined();
      expect(data.blocks).toEqual([
        {
          number: 1,
          fullness: expect.closeTo(63_000 / 30_000_000),
          busiest: [{ address: ALICE.address, transactions: 3 }],
          transactions: [{ isFirst: true }, { isFirst: false }, { isFirst: false }],
        },
        { number: 2, fullness: 0, busiest: [], transactions: [] },
      ]);
    }
  });

  it("have no effect if GraphQL is not loaded", async () => {
    await using node = await createTestNode({ plugins: [fullness] });

    expect(await node.mine([transfer()])).toHaveLength(1);
  });
});
