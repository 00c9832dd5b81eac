import { definePlugin } from "@plinth/core";
import {
  type BlockSource,
  type GraphqlContext,
  graphqlSchema,
  type TransactionSource,
} from "@plinth/plugin-graphql/api";

const typeDefs = `
  extend type Block {
    "How much of the gas limit was used, from 0 to 1."
    fullness: Float!
    "Who sent the most transactions, those with the most first."
    busiest(count: Int = 3): [Sender!]!
  }

  extend type Transaction {
    "Whether it is the first one of its sender."
    isFirst: Boolean!
  }

  type Sender {
    address: Address!
    transactions: Int!
  }
`;

export default definePlugin({
  name: "graphql-fullness",
  setup(node) {
    node.contribute(graphqlSchema, {
      name: "fullness",
      typeDefs,
      resolvers: { Block: { fullness, busiest } },
      loaders: { Transaction: { isFirst } },
    });
  },
});

function fullness({ header }: BlockSource): number {
  return Number(header.gasUsed) / Number(header.gasLimit);
}

function busiest({ header }: BlockSource, { count }: { count: number }, { chain }: GraphqlContext) {
  const sent = new Map<string, number>();
  for (const { sender } of chain.blocks.findBlock(header.hash)?.body.transactions ?? []) {
    sent.set(sender, (sent.get(sender) ?? 0) + 1);
  }
  const senders = Array.from(sent, ([address, transactions]) => ({ address, transactions }));
  return senders.sort((a, b) => b.transactions - a.transactions).slice(0, count);
}

/** Called once with all the transactions of a list. */
async function isFirst(asked: readonly { readonly obj: TransactionSource }[]) {
  return asked.map(({ obj }) => obj.transaction.nonce === 0n);
}
