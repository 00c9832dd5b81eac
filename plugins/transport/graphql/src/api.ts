import {
  type Address,
  type Chain,
  type ContributionPoint,
  defineContributionPoint,
  type SealedHeader,
  type Transaction,
} from "@plinth/core";

/** Source object of the fields of `Block`. */
export interface BlockSource {
  readonly header: SealedHeader;
}

/** Source object of the fields of `Transaction`. */
export interface TransactionSource {
  readonly transaction: Transaction;
}

/** Source object of the fields of `Account`. */
export interface AccountSource {
  readonly address: Address;
}

/** Context of resolvers and loaders, besides their source and arguments. */
export interface GraphqlContext {
  readonly chain: Chain;
  /** Aborts when the caller disconnects or on a timeout. */
  readonly signal: AbortSignal;
}

/** Resolves a field of one object. */
export type FieldResolver = (
  source: never,
  args: never,
  context: GraphqlContext,
) => unknown | Promise<unknown>;

/** Resolves a field of many objects at once, in order. */
export type FieldLoader = (
  asked: readonly { readonly obj: never; readonly params: never }[],
  context: GraphqlContext,
) => Promise<readonly unknown[]>;

/** A plugin's addition to the schema: types and fields, and their resolvers. */
export interface GraphqlSchema {
  /** Unique; used in messages. */
  readonly name: string;
  /** In the schema definition language; `extend type Block { … }` adds fields. */
  readonly typeDefs: string;
  /** By type and field; a field without one is the property of its name. */
  readonly resolvers?: Readonly<Record<string, Readonly<Record<string, FieldResolver>>>>;
  /** Same for fields of lists, called once per list. */
  readonly loaders?: Readonly<Record<string, Readonly<Record<string, FieldLoader>>>>;
}

/** Additions to the GraphQL schema. */
export const graphqlSchema: ContributionPoint<GraphqlSchema> =
  defineContributionPoint<GraphqlSchema>("graphql.schema", {
    summary: "Types and fields added to the GraphQL schema.",
    key: { label: "GraphQL schema", of: ({ name }) => name },
  });
