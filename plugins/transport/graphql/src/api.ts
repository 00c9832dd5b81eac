import {
  type Address,
  type Chain,
  type ContributionPoint,
  defineContributionPoint,
  type SealedHeader,
  type Transaction,
} from "@plinth/core";

/** What fields of `Block` are resolved from. */
export interface BlockSource {
  readonly header: SealedHeader;
}

/** What fields of `Transaction` are resolved from. */
export interface TransactionSource {
  readonly transaction: Transaction;
}

/** What fields of `Account` are resolved from. */
export interface AccountSource {
  readonly address: Address;
}

/** What resolvers and loaders get of the request, beside their source and arguments. */
export interface GraphqlContext {
  readonly chain: Chain;
  /** Aborts when the caller disconnects or the time is up. */
  readonly signal: AbortSignal;
}

/** Answers a field of one object. */
export type FieldResolver = (
  source: never,
  args: never,
  context: GraphqlContext,
) => unknown | Promise<unknown>;

/** Answers a field of many objects at once, in their order. */
export type FieldLoader = (
  asked: readonly { readonly obj: never; readonly params: never }[],
  context: GraphqlContext,
) => Promise<readonly unknown[]>;

/** What a plugin adds to the schema: types and fields, and how they are answered. */
export interface GraphqlSchema {
  /** Unique; messages call it by this name. */
  readonly name: string;
  /** In the schema definition language; `extend type Block { … }` adds fields. */
  readonly typeDefs: string;
  /** By type and field; a field without one is the property of its name. */
  readonly resolvers?: Readonly<Record<string, Readonly<Record<string, FieldResolver>>>>;
  /** The same for fields of lists, which are asked for once per list. */
  readonly loaders?: Readonly<Record<string, Readonly<Record<string, FieldLoader>>>>;
}

/** Additions to the GraphQL schema. */
export const graphqlSchema: ContributionPoint<GraphqlSchema> =
  defineContributionPoint<GraphqlSchema>("graphql.schema", {
    summary: "Types and fields that are added to the GraphQL schema.",
    key: { label: "GraphQL schema", of: ({ name }) => name },
  });
